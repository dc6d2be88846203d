"""nvcuda::wmma on the simulator: every shape and type, and what a warp must not do."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.errors import SubmissionError
from grader.model import Verdict
from tests.ptxsim.on_simulator import Outcome, run

BFLOAT16 = "__nv_bfloat16"
TF32 = "wmma::precision::tf32"
NUMPY = {"half": np.float16, "float": np.float32, "double": np.float64, "int": np.int32}
NUMPY |= {"signedchar": np.int8, "unsignedchar": np.uint8, TF32: np.float32, BFLOAT16: np.uint16}
SPELLED = {"signedchar": "int8_t", "unsignedchar": "uint8_t"}


def stored(matrix: NDArray[np.generic], kind: str, layout: str) -> NDArray[np.generic]:
    """The matrix as it lies in memory; the small integers in it are exact in every type."""
    lines = np.ascontiguousarray(matrix if "row" in layout else matrix.T)
    if kind == BFLOAT16:
        return (lines.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return lines.astype(NUMPY[kind])


def product(
    box: Path, shape: tuple[int, int, int], kinds: tuple[str, str], layouts: tuple[str, str, str], **options: Any
) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
    """The simulator's result for 2 * C + A * B, and the exact one."""
    rows, columns, terms = shape
    random = np.random.default_rng(5)
    low = 0 if kinds[0].startswith("unsigned") else -8
    a, b, c = (random.integers(low, 9, size) for size in ((rows, terms), (terms, columns), (rows, columns)))
    names = {"IN": SPELLED.get(kinds[0], kinds[0]), "OUT": kinds[1]}
    names |= {"LAYOUT_A": layouts[0], "LAYOUT_B": layouts[1], "LAYOUT_C": f"mem_{layouts[2]}"}
    names |= {"ROWS": str(rows), "COLUMNS": str(columns), "TERMS": str(terms)}
    flags = tuple(f"-D{name}={value}" for name, value in names.items())
    A, B, C = (stored(a, kinds[0], layouts[0]), stored(b, kinds[0], layouts[1]), stored(c, kinds[1], layouts[2]))
    outcome = run("fragments", box, A, B, C, flags, **options)
    assert outcome.fault is None, outcome.fault
    return (outcome.C if layouts[2] == "row_major" else outcome.C.T), 2 * c + a @ b


ROWS, COLUMNS = ("row_major",) * 3, ("col_major",) * 3
MIXED = ("row_major", "col_major", "row_major")


@pytest.mark.parametrize(
    ("shape", "kinds", "layouts"),
    [
        ((16, 16, 16), ("half", "float"), ROWS),
        ((16, 16, 16), ("half", "float"), MIXED),
        ((32, 8, 16), ("half", "half"), COLUMNS),
        ((8, 32, 16), ("half", "float"), COLUMNS),
        ((32, 8, 16), (BFLOAT16, "float"), ROWS),
        ((16, 16, 8), (TF32, "float"), MIXED),
        ((32, 8, 16), ("signedchar", "int"), COLUMNS),
        ((16, 16, 16), ("unsignedchar", "int"), ROWS),
        ((8, 8, 4), ("double", "double"), COLUMNS),
    ],
)
def test_a_product_of_fragments_is_exact_in_every_shape_and_type(shape, kinds, layouts, tmp_path):
    got, want = product(tmp_path, shape, kinds, layouts)
    assert np.array_equal(got, want)


def test_the_order_of_threads_does_not_matter(tmp_path):
    got, want = product(tmp_path, (16, 16, 16), ("half", "float"), MIXED, order="reverse")
    assert np.array_equal(got, want)


def test_an_accumulator_of_halves_is_rounded_once_to_a_half(tmp_path):
    a, b = np.ones((16, 16), np.float16), np.full((16, 16), 1 + 2**-10, np.float16)
    c = np.full((16, 16), 1024, np.float16)
    names = ("IN=half", "OUT=half", "LAYOUT_A=row_major", "LAYOUT_B=row_major", "ROWS=16")
    flags = tuple(f"-D{name}" for name in (*names, "LAYOUT_C=mem_row_major", "COLUMNS=16", "TERMS=16"))
    got = run("fragments", tmp_path, a, b, c, flags).C
    assert (got == np.float16(2048 + 16 * (1 + 2**-10))).all()


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
    with pytest.raises(SubmissionError) as caught:
        product(tmp_path, (16, 16, 8), ("half", "float"), ROWS)
    assert caught.value.fault.verdict is Verdict.COMPILE_ERROR
    assert "incomplete type" in caught.value.fault.sentence
