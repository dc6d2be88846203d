"""What a student reads of each fault, and of each file that cannot be compiled, through a real compiler."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.errors import SubmissionError
from grader.model import Fault, Launch, Limits, Shape, Verdict
from tests.ptxsim import on_simulator


@dataclass(frozen=True)
class Launched:
    fault: Fault | None
    printed: str
    C: tuple[NDArray[np.generic], ...]
    expected: tuple[NDArray[np.float32], ...]


def refused(name: str, box: Path) -> Fault:
    with pytest.raises(SubmissionError) as caught:
        on_simulator.build(name, box)
    return caught.value.fault


def launched(
    name: str, box: Path, n: int = 33, *, launches: int = 1, seconds: float = 20.0, output: int = 65536
) -> Launched:
    """Launches of a kernel in one process, each on fresh inputs, until one has a fault."""
    limits = Limits(case_seconds=seconds, output_bytes=output)
    build = on_simulator.build(name, box, limits=limits)
    launch = build.launch or Launch((16, 16, 1), (16, 16))
    simulator = on_simulator.ready(build, launch, box)
    random = np.random.default_rng(7)
    answers, expected = [], []
    for _ in range(launches):
        a, b = random.integers(-9, 9, (2, n, n)).astype(np.float32)
        buffers = {"A": a, "B": b, "C": np.full_like(a, np.nan)}
        outcome = on_simulator.launch(simulator, launch.grid(Shape(n, n, n)), buffers, n, limits)
        answers.append(outcome.C)
        with np.errstate(all="ignore"):  # OpenBLAS for Arm raises flags of elements beyond the matrices
            expected.append(a @ b)
    return Launched(outcome.fault, outcome.printed, tuple(answers), tuple(expected))


def test_device_variables_persist_from_launch_to_launch(tmp_path):
    outcome = launched("persistent", tmp_path, launches=3)
    extra = [np.unique(got - wanted).tolist() for got, wanted in zip(outcome.C, outcome.expected, strict=True)]
    assert extra == [[0], [1], [2]]


@pytest.mark.parametrize(
    ("name", "verdict", "line", "words"),
    [
        ("copy_outside", Verdict.OUT_OF_BOUNDS, 6, "reads"),
        ("no_load_check", Verdict.OUT_OF_BOUNDS, None, "past its end (B has 1089 elements)"),
        ("negative_index", Verdict.OUT_OF_BOUNDS, 4, "reads outside B in line 4: 100000 elements before its start"),
        ("store_outside", Verdict.OUT_OF_BOUNDS, 4, "writes outside C"),
        ("far_outside", Verdict.OUT_OF_BOUNDS, 4, "writes outside C in line 4: index 2147483647"),
        ("null_pointer", Verdict.OUT_OF_BOUNDS, 5, "null pointer"),
        ("shared_outside", Verdict.OUT_OF_BOUNDS, None, "writes outside the shared array tile in line 8"),
        (
            "dynamic_shared_too_small",
            Verdict.OUT_OF_BOUNDS,
            None,
            "outside the shared array tiles in line 13: byte 1024 of 1024",
        ),
        ("variable_outside", Verdict.OUT_OF_BOUNDS, 5, "writes outside all variables in line 5."),
        (
            "last_variable_outside",
            Verdict.OUT_OF_BOUNDS,
            4,
            "writes outside weights in line 4: byte 16 of 16 (element 4 of 4,",
        ),
        (
            "barrier_and_shuffle",
            Verdict.BARRIER,
            None,
            "16 at the barrier in line 5 and 240 at the warp operation in line 6",
        ),
        ("misaligned", Verdict.CRASHED, 4, "not a multiple of 16 bytes in line 4"),
        ("misaligned_pair", Verdict.CRASHED, 5, "not a multiple of 8 bytes"),
        ("trap", Verdict.CRASHED, 4, "called __trap() in line 4"),
        ("assertion", Verdict.CRASHED, 6, "N < row + col"),
        ("recursion", Verdict.CRASHED, None, "ran out of stack"),
        ("chatter", Verdict.OUTPUT, None, "printed more than"),
    ],
)
def test_a_fault_is_explained(name, verdict, line, words, tmp_path):
    fault = launched(name, tmp_path).fault
    assert fault.verdict is verdict
    assert words in fault.sentence
    assert fault.hint
    assert line is None or fault.line == line


def test_an_endless_loop_is_a_timeout_with_its_line(tmp_path):
    fault = launched("endless", tmp_path, seconds=0.3).fault
    assert (fault.verdict, fault.line) == (Verdict.TIMEOUT, 4)


def test_a_kernel_whose_blocks_end_one_after_the_other_is_too_slow_and_not_wrong(tmp_path):
    fault = launched("many_slow_blocks", tmp_path, 1000, seconds=1).fault
    assert fault.verdict is Verdict.NOT_SUPPORTED
    assert fault.sentence.startswith("The simulator is too slow for this kernel: in 1 s, it ran about ")
    assert fault.sentence.endswith(" of 3969 blocks.")


def test_threads_that_wait_for_one_that_never_comes_are_a_barrier_fault(tmp_path):
    fault = launched("barrier_and_loop", tmp_path, seconds=0.3).fault
    assert (fault.verdict, fault.line) == (Verdict.BARRIER, 7)
    assert "240 of 256 threads" in fault.sentence


def test_printing_stops_at_the_limit(tmp_path):
    outcome = launched("chatter", tmp_path, output=1000)
    assert outcome.fault.verdict is Verdict.OUTPUT
    assert len(outcome.printed) <= 1000


def test_a_compile_error_is_quoted_with_the_students_line(tmp_path):
    fault = refused("syntax_error", tmp_path)
    assert fault.verdict is Verdict.COMPILE_ERROR
    assert fault.line in (4, 5)
    assert "syntax_error.cu(" in fault.detail
    assert str(tmp_path) not in fault.detail


def test_the_graders_file_that_is_compiled_with_a_submission_is_never_quoted(tmp_path):
    fault = refused("two_mistakes", tmp_path)
    assert fault.verdict is Verdict.COMPILE_ERROR
    assert "undeclared" in fault.detail
    assert not {word for word in ("SIM_ENTRY", "entry.cpp", "entry.h") if word in fault.detail}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("two_kernels", "first, second"),
        ("bare_template", "is a template"),
        ("device_only", "no kernel"),
        ("empty", "no kernel"),
    ],
)
def test_a_file_without_the_kernel_says_what_it_has(name, words, tmp_path):
    fault = refused(name, tmp_path)
    assert fault.verdict is Verdict.NO_KERNEL
    assert words in fault.sentence
