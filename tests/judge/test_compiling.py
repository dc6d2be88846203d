from __future__ import annotations

import pytest

from grader.errors import InfrastructureError, SubmissionError
from grader.explain.limits import compiler_stopped
from grader.host.stopped import Stopped
from grader.judge import compiling
from grader.judge.compiling import compile_source
from grader.model import Interface, Limits, Machine, Verdict
from tests import lab
from tests.launcher import start_here

INTERFACE = Interface("matmul", ("A", "B", "C", "N"))


def compile_with(header: str, flags: tuple[str, ...], machine: Machine, seconds: float = 30.0) -> None:
    content = f"{header}\n{lab.NAIVE}".encode()
    compile_source(content, "mine.cu", INTERFACE, flags, Limits(compile_seconds=seconds), machine, start_here)


@pytest.mark.parametrize(
    ("header", "flags", "named"),
    [
        ("#include <mutex>", ("-Dmutex=3",), "<mutex>.*-Dmutex=3"),  # as a header that is too new for nvcc
        ("", ("-ggdb",), "-ggdb"),
    ],
)
def test_what_an_empty_kernel_does_not_survive_is_not_the_students_fault(
    header: str, flags: tuple[str, ...], named: str, simulator: Machine
):
    with pytest.raises(InfrastructureError, match=f"Even an empty kernel.*{named}"):
        compile_with(header, flags, simulator)


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
    def slow(content: bytes, _name: str, *, limits: Limits, **_: object) -> None:
        if limits.compile_seconds < (9.0 if b"map" in content else 0.5):
            raise SubmissionError(compiler_stopped(Stopped.TIME, limits))

    monkeypatch.setattr(compiling, "_compiled", slow)
    with pytest.raises(raised, match="which is the limit"):
        compile_with("#include <map>", (), simulator, seconds)
