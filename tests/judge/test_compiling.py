from pathlib import Path

import pytest

from grader.contract.layout import arguments
from grader.errors import HANG_HINT, InfrastructureError, SubmissionError
from grader.explain.limits import compiler_stopped
from grader.host.process import Running
from grader.host.stopped import Stopped
from grader.judge import compiling
from grader.judge.compiling import compile_source, holds
from grader.judge.conditions import Conditions
from grader.model import Argument, Interface, Limits, Machine, Shape, Verdict
from grader.model.fields import ElementType
from tests import lab
from tests.launcher import conditions_of, rubric_of, start_here

INTERFACE = Interface("matmul", ("A", "B", "C", "N"))


def compile_with(header: str, flags: tuple[str, ...], machine: Machine, seconds: float = 30.0) -> None:
    content = f"{header}\n{lab.NAIVE}".encode()
    conditions = Conditions(rubric_of(INTERFACE, flags, Limits(compile_seconds=seconds)), machine, 1, start_here)
    compile_source(conditions, content, "mine.cu")


@pytest.mark.parametrize(
    ("header", "flags", "named"),
    [
        ("#include <mutex>", ("-Dmutex=3",), "<mutex>.*-Dmutex=3"),  # as a header that is too new for nvcc
        ("", ("-ggdb",), "-ggdb"),
    ],
)
def test_what_an_empty_kernel_does_not_survive_is_not_the_students_fault(header, flags, named, simulator: Machine):
    with pytest.raises(InfrastructureError, match=f"Even an empty kernel.*{named}") as caught:
        compile_with(header, flags, simulator)
    assert caught.value.hint == compiling.BROKEN


def test_a_variable_that_nvcc_reads_is_named_where_even_an_empty_kernel_does_not_compile(
    simulator: Machine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NVCC_PREPEND_FLAGS", "-ccbin=/no/such/compiler")
    with pytest.raises(InfrastructureError, match=r"Even an empty kernel.*/no/such/compiler") as caught:
        compile_with("", ("-O1",), simulator)
    assert caught.value.hint == "Correct NVCC_PREPEND_FLAGS, or unset it."


@pytest.mark.parametrize(
    "header",
    [
        "#define vector 3\n#include <vector>",
        "#include <vector>\n#include <bits/fcntl.h>",  # "Never use <bits/fcntl.h> directly"
        "#include <nosuch.h>",
        '#include <vector>\n#include "/etc/passwd"',
    ],
)
def test_what_an_empty_kernel_survives_is_the_students_fault(header: str, simulator: Machine):
    with pytest.raises(SubmissionError) as caught:
        compile_with(header, (), simulator)
    assert caught.value.fault.verdict is Verdict.COMPILE_ERROR


@pytest.mark.parametrize(("seconds", "raised"), [(1.0, SubmissionError), (0.1, InfrastructureError)])
def test_a_limit_is_the_machines_fault_only_if_nothing_compiles_within_it(
    seconds: float, raised: type[Exception], simulator: Machine, monkeypatch: pytest.MonkeyPatch
):
    def slow(conditions: Conditions, content: bytes, _: str) -> None:
        limits = conditions.rubric.limits
        if limits.compile_seconds < (9.0 if b"map" in content else 0.5):
            raise SubmissionError(compiler_stopped(Stopped.TIME, limits))

    monkeypatch.setattr(compiling, "_compiled", slow)
    with pytest.raises(raised, match="which is the limit"):
        compile_with("#include <map>", (), simulator, seconds)


def argument(name: str, alpha: float, type_c: ElementType) -> tuple[Argument, Interface]:
    interface = Interface("gemm", ("A", "B", "C", "N", "alpha"), type_c=type_c, alpha=alpha)
    return next(each for each in arguments(interface, Shape(1, 1, 1)) if each.name == name), interface


@pytest.mark.parametrize(
    ("type_c", "alpha", "nbytes", "held"),
    [
        ("float16", 0.1, 2, True),
        ("float32", 0.1, 2, False),
        ("float32", -1.5, 2, True),
        ("float32", 70_000.0, 2, False),
        ("float32", 0.1, 4, True),
        ("float32", 0.1, 8, True),
        ("float64", 0.1, 4, False),
        ("float64", 0.5, 4, True),
        ("float64", 0.1, 16, False),
        ("int32", 3.0, 2, True),
        ("int32", 3.0, 1, False),
        ("int32", 3.0, 8, True),
    ],
)
def test_a_factor_is_held_exactly_or_as_exactly_as_c(type_c: ElementType, alpha: float, nbytes: int, held: bool):
    called, interface = argument("alpha", alpha, type_c)
    assert holds(called, nbytes, interface) is held


@pytest.mark.parametrize(("nbytes", "held"), [(1, False), (2, True), (4, True), (8, True), (16, False)])
def test_a_size_is_a_short_or_longer(nbytes: int, held: bool):
    assert holds(*argument("N", 1.0, "float32")[:1], nbytes, Interface("gemm", ("N",))) is held


HANGS = InfrastructureError("The compiler did not finish.", HANG_HINT)
SPINS = SubmissionError(compiler_stopped(Stopped.TIME, Limits()))


@pytest.mark.parametrize(
    ("with_what", "error", "words"),
    [
        (b"", HANGS, "The compiler hangs, even with an empty kernel"),
        (b"", SPINS, "Even an empty kernel does not compile here"),
        (b"map", HANGS, "did not finish"),
    ],
)
def test_a_compiler_that_fails_with_even_an_empty_kernel_is_no_fault_of_the_submission(
    with_what: bytes, error: Exception, words: str, simulator: Machine, monkeypatch: pytest.MonkeyPatch
):
    def compiled(_: Conditions, content: bytes, _name: str) -> None:
        if with_what in content:
            raise error

    monkeypatch.setattr(compiling, "_compiled", compiled)
    with pytest.raises(InfrastructureError, match=words):
        compile_with("#include <map>", (), simulator)


@pytest.mark.usefixtures("simulator")
def test_a_worker_that_has_not_compiled_in_time_is_no_fault_of_the_submission(monkeypatch: pytest.MonkeyPatch):
    def start(box: Path, *_: object) -> Running:
        return lab.in_place_of_a_worker(box, "sleep", "60")

    monkeypatch.setattr(compiling, "GRACE_SECONDS", 0.0)
    with pytest.raises(InfrastructureError, match="did not finish in time"):
        compile_source(conditions_of(INTERFACE, (), Limits(compile_seconds=0.01), start), b"", "mine.cu")
