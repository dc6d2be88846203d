"""The simulator: each feature and each fault once, through a real compiler."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.errors import InfrastructureError, SubmissionError
from grader.host.cxx_compiler import find_compiler
from grader.model import Argument, Build, Fault, Interface, Launch, Limits, MatrixFile, Shape, Verdict
from grader.worker.simulator.run import compile_kernel, run_case

KERNELS = Path(__file__).parent / "kernels"
SQUARE = Interface("matmul", ("A", "B", "C", "N"))
PAGE = 16384


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADER_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@dataclass(frozen=True)
class Outcome:
    fault: Fault | None
    printed: str
    answers: tuple[NDArray[np.float32], ...]
    expected: tuple[NDArray[np.float32], ...]

    @property
    def right(self) -> bool:
        return self.fault is None and all(map(np.array_equal, self.answers, self.expected))


def compiled(name: str, box: Path, flags: tuple[str, ...] = (), limits: Limits | None = None) -> Build:
    return compile_kernel(KERNELS / f"{name}.cu", SQUARE, flags, limits or Limits(), box)


def refused(name: str, box: Path, limits: Limits | None = None) -> Fault:
    with pytest.raises(SubmissionError) as caught:
        compiled(name, box, limits=limits)
    return caught.value.fault


def written(box: Path, name: str, matrix: NDArray[np.float32]) -> MatrixFile:
    after = -matrix.nbytes % 16
    before = -(matrix.nbytes + after) % PAGE
    path = box / name
    path.write_bytes(b"\xff" * before + matrix.tobytes() + b"\xff" * after)
    return MatrixFile(str(path), before, matrix.nbytes, after)


def read(image: MatrixFile, n: int) -> NDArray[np.float32]:
    return np.fromfile(image.path, np.float32, n * n, offset=image.before).reshape(n, n)


def launched(name: str, box: Path, n: int = 33, **options) -> Outcome:
    limits = Limits(case_seconds=options.pop("seconds", 20.0), output_bytes=options.pop("output", 65536))
    build = compiled(name, box, options.pop("flags", ()), limits)
    launch = options.pop("launch", None) or build.launch or Launch((16, 16, 1), (16, 16))
    random = np.random.default_rng(7)
    inputs = [random.integers(-9, 9, (2, n, n)).astype(np.float32) for _ in range(options.pop("launches", 1))]
    images = [
        {
            "A": written(box, f"A{i}", a),
            "B": written(box, f"B{i}", b),
            "C": written(box, f"C{i}", np.full_like(a, np.nan)),
        }
        for i, (a, b) in enumerate(inputs)
    ]
    arguments = (*(Argument("buffer", matrix) for matrix in "ABC"), Argument("integer", "N", n))
    settings = {"order": "forward", "blocks": None, **options}
    ran = run_case(build, launch, launch.grid(Shape(n, n, n)), arguments, images, limits=limits, box=box, **settings)
    return Outcome(ran.fault, ran.printed, tuple(read(i["C"], n) for i in images), tuple(a @ b for a, b in inputs))


@pytest.mark.parametrize("order", ["forward", "reverse"])
@pytest.mark.parametrize(
    "name",
    [
        "naive",
        "tiled",
        "dynamic_shared",
        "register_blocked",
        "warp_sum",
        "atomics",
        "intrinsics",
        "mangled",
        "other_name",
        "unusual",
    ],
)
def test_correct_kernels_are_right_in_both_orders(name, order, tmp_path):
    outcome = launched(name, tmp_path, order=order)
    assert outcome.right, outcome.fault


def test_a_three_dimensional_block_and_grid_run(tmp_path):
    assert launched("three_dimensions", tmp_path).right


def test_vector_access_works_where_it_is_aligned(tmp_path):
    assert launched("vectors", tmp_path, 36, launch=Launch((8, 8, 1), (32, 8))).right


def test_flags_define_macros(tmp_path):
    build = compiled("tiled", tmp_path, ("-O3", "-arch=sm_90", "-DTILE=8"))
    assert build.launch == Launch((8, 8, 1), (8, 8))
    assert launched("tiled", tmp_path, flags=("-DTILE=8",)).right


def test_a_build_says_how_the_kernel_is_called(tmp_path):
    build = compiled("register_blocked", tmp_path)
    assert build.parameters == ("pointer", "pointer", "pointer", "integer")
    assert build.symbol == "matmul<64, 4>"
    assert build.launch == Launch((16, 16, 1), (64, 64))
    assert build.compiler == find_compiler().label
    assert compiled("naive", tmp_path).launch is None


def test_a_second_build_of_the_same_file_is_the_same(tmp_path):
    first, second = (compiled("tiled", tmp_path) for _ in range(2))
    assert (first.symbol, first.log, first.launch) == (second.symbol, second.log, second.launch)


def test_device_variables_persist_from_launch_to_launch(tmp_path):
    outcome = launched("persistent", tmp_path, launches=3)
    extra = [np.unique(got - wanted).tolist() for got, wanted in zip(outcome.answers, outcome.expected, strict=True)]
    assert extra == [[0], [1], [2]]


def test_only_the_listed_blocks_run(tmp_path):
    outcome = launched("naive", tmp_path, blocks=np.array([0, 8]))
    written_elements = ~np.isnan(outcome.answers[0])
    assert written_elements.sum() == 16 * 16 + 1
    assert written_elements[32, 32]


def test_what_a_kernel_prints_is_kept(tmp_path):
    assert launched("intrinsics", tmp_path).printed == "N is 33\n"


@pytest.mark.parametrize("name", ["no_first_barrier", "no_second_barrier"])
def test_a_missing_barrier_gives_a_wrong_answer(name, tmp_path):
    assert not all(launched(name, tmp_path, order=order).right for order in ("forward", "reverse"))


def test_copies_in_the_background_are_there_when_they_were_waited_for(tmp_path):
    assert launched("copies", tmp_path).right


def test_a_copy_that_nobody_waits_for_gives_a_wrong_answer(tmp_path):
    assert not launched("copies", tmp_path, flags=("-DPENDING=1",)).right


@pytest.mark.parametrize(("size", "words"), [("16", "not a multiple of 16 bytes"), ("3", "a copy of 3 bytes")])
def test_a_copy_that_a_gpu_could_not_make_is_refused(size, words, tmp_path):
    fault = launched("copies", tmp_path, flags=(f"-DBYTES={size}",)).fault
    assert (fault.verdict, words in fault.sentence) == (Verdict.CRASHED, True)


@pytest.mark.parametrize(
    ("name", "verdict", "line", "words"),
    [
        ("copy_outside", Verdict.OUT_OF_BOUNDS, 6, "reads"),
        ("no_load_check", Verdict.OUT_OF_BOUNDS, None, "past its end (B has 1089 elements)"),
        ("negative_index", Verdict.OUT_OF_BOUNDS, 4, "reads outside B in line 4: 100000 elements before its start"),
        ("store_outside", Verdict.OUT_OF_BOUNDS, 4, "writes outside C"),
        ("far_outside", Verdict.OUT_OF_BOUNDS, 4, "belongs to no matrix"),
        ("null_pointer", Verdict.OUT_OF_BOUNDS, 5, "null pointer"),
        ("shared_outside", Verdict.OUT_OF_BOUNDS, None, "outside its __shared__ arrays"),
        ("dynamic_shared_too_small", Verdict.OUT_OF_BOUNDS, None, "past the 1024 bytes of dynamic shared memory"),
        ("early_return", Verdict.BARRIER, 7, "reached by 16 of 256 threads"),
        ("different_barriers", Verdict.BARRIER, 5, "128 at line 5 and 128 at line 7"),
        ("barrier_and_shuffle", Verdict.BARRIER, None, "16 wait at the barrier in line 5"),
        ("misaligned", Verdict.CRASHED, 4, "not a multiple of 16 bytes in line 4"),
        ("misaligned_pair", Verdict.CRASHED, 5, "not a multiple of 8 bytes"),
        ("trap", Verdict.CRASHED, 4, "called __trap() in line 4"),
        ("assertion", Verdict.CRASHED, 6, "N < row + col"),
        ("division", Verdict.CRASHED, 5, "divides an integer by zero"),
        ("recursion", Verdict.CRASHED, None, "ran out of stack"),
        ("chatter", Verdict.OUTPUT, None, "printed more than"),
        ("too_much_shared", Verdict.LAUNCH_FAILED, None, "65536 bytes of static shared memory"),
    ],
)
def test_a_fault_is_explained(name, verdict, line, words, tmp_path):
    fault = launched(name, tmp_path).fault
    assert fault is not None
    assert fault.verdict is verdict
    assert words in fault.sentence
    assert fault.hint
    assert line is None or fault.line == line


def test_an_endless_loop_is_a_timeout_with_its_line(tmp_path):
    fault = launched("endless", tmp_path, seconds=0.5).fault
    assert (fault.verdict, fault.line) == (Verdict.TIMEOUT, 4)


def test_threads_that_wait_for_one_that_never_comes_are_a_barrier_fault(tmp_path):
    fault = launched("barrier_and_loop", tmp_path, seconds=2.0).fault
    assert (fault.verdict, fault.line) == (Verdict.BARRIER, 7)
    assert "240 of 256 threads" in fault.sentence


def test_printing_stops_at_the_limit(tmp_path):
    outcome = launched("chatter", tmp_path, output=1000)
    assert outcome.fault.verdict is Verdict.OUTPUT
    assert len(outcome.printed) <= 1000


@pytest.mark.parametrize("block", [(32, 33, 1), (1, 1, 65), (2048, 1, 1)])
def test_a_block_that_a_gpu_refuses_is_a_failed_launch(block, tmp_path):
    assert launched("naive", tmp_path, launch=Launch(block, (16, 16))).fault.verdict is Verdict.LAUNCH_FAILED


def test_too_much_dynamic_shared_memory_is_a_failed_launch(tmp_path):
    fault = launched("naive", tmp_path, launch=Launch((16, 16, 1), (16, 16), shared=300000)).fault
    assert fault.verdict is Verdict.LAUNCH_FAILED


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("ptx", 5, "inline PTX"),
        ("single_bits", 5, "experimental types of tensor cores"),
        ("whole_grid", 5, "cooperative groups beyond a block"),
        ("host_launch", 11, "kernel launch"),
        ("opens_file", 4, "calls fopen"),
        ("section_name", 6, "places code or data itself"),
    ],
)
def test_what_the_simulator_lacks_is_not_the_students_fault(name, line, words, tmp_path):
    fault = refused(name, tmp_path)
    assert fault.verdict is Verdict.NOT_SUPPORTED
    assert words in fault.sentence
    assert fault.line == line


@pytest.mark.parametrize("name", ["include_absolute", "include_relative", "include_macro"])
def test_no_text_of_a_foreign_file_is_shown(name, tmp_path):
    fault = refused(name, tmp_path)
    assert fault.verdict is Verdict.COMPILE_ERROR
    assert "/etc/passwd" in fault.sentence
    assert "root" not in repr(fault)


def test_a_compile_error_is_quoted_with_the_students_line(tmp_path):
    fault = refused("syntax_error", tmp_path)
    assert fault.verdict is Verdict.COMPILE_ERROR
    assert fault.line in (4, 5)
    assert "syntax_error.cu:" in fault.detail
    assert str(tmp_path) not in fault.detail


def test_the_file_that_we_compile_with_a_submission_is_never_quoted(tmp_path):
    fault = refused("two_mistakes", tmp_path)
    assert fault.verdict is Verdict.COMPILE_ERROR
    assert "undeclared" in fault.detail
    assert not {word for word in ("SIM_ENTRY", "entry.cpp", "entry.h") if word in fault.detail}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("two_kernels", "first, second"),
        ("bare_template", "template of which no instance"),
        ("device_only", "no kernel"),
        ("empty", "no kernel"),
    ],
)
def test_a_file_without_the_kernel_says_what_it_has(name, words, tmp_path):
    fault = refused(name, tmp_path)
    assert fault.verdict is Verdict.NO_KERNEL
    assert words in fault.sentence


def test_a_compiler_that_does_not_exist_is_our_fault(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADER_CXX", "no-such-compiler")
    with pytest.raises(InfrastructureError):
        compiled("naive", tmp_path)
