"""nvcuda::wmma on the simulator: every shape and type, and what a warp must not do."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.errors import SubmissionError
from grader.model import Verdict
from grader.ptxsim.checked.accesses import writes
from grader.ptxsim.engine.trace import Trace
from tests.ptxsim.on_simulator import Outcome, built, run
from tests.ptxsim.programs import run as run_text

BFLOAT16 = "__nv_bfloat16"
TF32 = "wmma::precision::tf32"
NUMPY = {"half": np.float16, "float": np.float32, "double": np.float64, "int": np.int32}
NUMPY |= {"int8_t": np.int8, "uint8_t": np.uint8, TF32: np.float32, BFLOAT16: np.uint16}
INCLUDED = "#include <cstdint>\n#include <mma.h>\nusing namespace nvcuda;\n"
PRODUCT = """
extern "C" __global__ void {name}(const {stored} *A, const {stored} *B, {out} *C) {{
    wmma::fragment<wmma::matrix_a, {M}, {N}, {K}, {given}, wmma::{of_a}> a;
    wmma::fragment<wmma::matrix_b, {M}, {N}, {K}, {given}, wmma::{of_b}> b;
    wmma::fragment<wmma::accumulator, {M}, {N}, {K}, {out}> c;
    wmma::load_matrix_sync(a, A, {pitch_a});
    wmma::load_matrix_sync(b, B, {pitch_b});
    wmma::load_matrix_sync(c, C, {pitch_c}, wmma::mem_{of_c});
    for (int i = 0; i < c.num_elements; ++i) c.x[i] = c.x[i] + c.x[i];
    wmma::mma_sync(c, a, b, c);
    wmma::store_matrix_sync(C, c, {pitch_c}, wmma::mem_{of_c});
}}
"""


class Product(NamedTuple):
    """2 * C + A * B by fragments: the shape M, N, K; the types of A with B and of C; the layouts of A, B and C."""

    shape: tuple[int, int, int]
    types: tuple[str, str]
    layouts: tuple[str, str, str]

    def source(self, name: str) -> str:
        (M, N, K), (given, out), (of_a, of_b, of_c) = self
        pitches = {"pitch_a": K if "row" in of_a else M, "pitch_b": N if "row" in of_b else K}
        words = {"given": given, "stored": "float" if given == TF32 else given, "out": out, **pitches}
        layouts = {"of_a": of_a, "of_b": of_b, "of_c": of_c, "pitch_c": N if "row" in of_c else M}
        return PRODUCT.format(name=name, M=M, N=N, K=K, **words, **layouts)


ROWS, COLUMNS = ("row_major",) * 3, ("col_major",) * 3
MIXED = ("row_major", "col_major", "row_major")
PRODUCTS = {
    "halves": Product((16, 16, 16), ("half", "float"), ROWS),
    "halves_mixed": Product((16, 16, 16), ("half", "float"), MIXED),
    "halves_tall": Product((32, 8, 16), ("half", "half"), COLUMNS),
    "halves_wide": Product((8, 32, 16), ("half", "float"), COLUMNS),
    "half_sums": Product((16, 16, 16), ("half", "half"), ROWS),
    "bfloat16": Product((32, 8, 16), (BFLOAT16, "float"), ROWS),
    "tf32": Product((16, 16, 8), (TF32, "float"), MIXED),
    "signed_bytes": Product((32, 8, 16), ("int8_t", "int"), COLUMNS),
    "unsigned_bytes": Product((16, 16, 16), ("uint8_t", "int"), ROWS),
    "doubles": Product((8, 8, 4), ("double", "double"), COLUMNS),
}
SOURCE = INCLUDED + "".join(product.source(name) for name, product in PRODUCTS.items())  # compiled once for all


def stored(matrix: NDArray[np.generic], type_: str, layout: str) -> NDArray[np.generic]:
    """The matrix as it lies in memory; the small integers in it are exact in every type."""
    lines = np.ascontiguousarray(matrix if "row" in layout else matrix.T)
    if type_ == BFLOAT16:
        return (lines.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return lines.astype(NUMPY[type_])


def computed(
    name: str, box: Path, *matrices: NDArray[np.generic], order: str = "forward", trace: Trace | None = None
) -> NDArray[np.generic]:
    """The simulator's result for 2 * C + A * B."""
    (M, N, _), (given, out), layouts = PRODUCTS[name]
    buffers = dict(zip("ABC", map(stored, matrices, (given, given, out), layouts), strict=True))
    ran = run_text(SOURCE, box, buffers, list("ABC"), kernel=name, order=order, trace=trace)
    assert ran.fault is None, ran.fault
    return buffers["C"].reshape(M, N) if layouts[2] == "row_major" else buffers["C"].reshape(N, M).T


@pytest.mark.parametrize("order", ["forward", "reverse"])
@pytest.mark.parametrize("name", PRODUCTS)
def test_a_product_of_fragments_is_exact_in_every_shape_and_type(name: str, order: str, tmp_path: Path):
    (M, N, K), (given, _), _ = PRODUCTS[name]
    random, low = np.random.default_rng(5), 0 if given == "uint8_t" else -8
    a, b, c = (random.integers(low, 9, size) for size in ((M, K), (K, N), (M, N)))
    assert np.array_equal(computed(name, tmp_path, a, b, c, order=order), 2 * c + a @ b)


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_trace_has_what_fragments_store(name: str, tmp_path: Path):
    (M, N, K), trace = PRODUCTS[name].shape, Trace(100)
    C = computed(name, tmp_path, *map(np.ones, ((M, K), (K, N))), np.arange(M * N).reshape(M, N) % 50, trace=trace)
    table, in_memory = writes(trace.events()), C if C.flags.c_contiguous else C.T
    assert table.value[table.place.argsort()].astype(np.uint32).tobytes() == in_memory.tobytes()


def test_an_accumulator_of_halves_is_rounded_once_to_a_half(tmp_path):
    a, b, c = np.ones((16, 16)), np.full((16, 16), 1 + 2**-10), np.full((16, 16), 1024)
    assert (computed("half_sums", tmp_path, a, b, c) == np.float16(2048 + 16 * (1 + 2**-10))).all()


def test_tf32_keeps_ten_bits_of_the_fraction(tmp_path):
    a = np.random.default_rng(6).standard_normal((16, 8)).astype(np.float32)
    pattern = a.view(np.uint32)
    outcome = run("tf32", tmp_path, a, np.eye(16, 8, dtype=np.float32), np.zeros((2, 16, 16), np.float32))
    assert outcome.fault is None
    assert np.array_equal(outcome.C[0][:, :8].view(np.uint32), (pattern + 0x1000) & np.uint32(0xFFFFE000))
    assert np.array_equal(outcome.C[1][:, :8].view(np.uint32), pattern & np.uint32(0xFFFFE000))


MISTAKES = ["NOTHING", "LANES_DIFFER", "DIVIDED", "RETURNED", "OUTSIDE", "STORE_OUTSIDE", "AT_BARRIER"]


def mistaken(box: Path, mistake: str, block: int = 32) -> Outcome:
    ones, number = np.ones((16, 16), np.float16), MISTAKES.index(mistake)
    return run("fragment_faults", box, ones, ones, np.zeros((16, 16), np.float32), block=block, number=number)


@pytest.mark.parametrize(
    ("mistake", "verdict", "line", "words"),
    [
        ("LANES_DIFFER", Verdict.CRASHED, 16, "a warp of block (0, 0, 0) load or store different tiles in line 16"),
        ("DIVIDED", Verdict.BARRIER, 20, "line 20"),
        ("OUTSIDE", Verdict.OUT_OF_BOUNDS, 17, "reads outside A in line 17"),
        ("STORE_OUTSIDE", Verdict.OUT_OF_BOUNDS, 23, "writes outside C in line 23"),
        ("RETURNED", Verdict.BARRIER, 15, "needs all 32 threads of a warp, but some are missing"),
        ("AT_BARRIER", Verdict.BARRIER, 14, "8 at the barrier in line 14 and 24 at the warp operation in line 15"),
    ],
)
def test_a_mistake_with_fragments_has_its_verdict_line_and_sentence(mistake, verdict, line, words, tmp_path):
    fault = mistaken(tmp_path, mistake).fault
    assert (fault.verdict, fault.line) == (verdict, line), fault
    assert words in fault.sentence


def test_an_incomplete_warp_cannot_use_fragments(tmp_path):
    fault = mistaken(tmp_path, "NOTHING", block=48).fault
    assert fault.verdict is Verdict.BARRIER
    assert "needs all 32 threads of a warp" in fault.sentence


def test_a_shape_that_tensor_cores_lack_is_a_compile_error(tmp_path):
    text = INCLUDED + Product((16, 16, 8), ("half", "float"), ROWS).source("matmul")
    with pytest.raises(SubmissionError) as caught:
        built("no_such_shape", text, tmp_path, (), None)
    assert caught.value.fault.verdict is Verdict.COMPILE_ERROR
    assert "incomplete type" in caught.value.fault.sentence
