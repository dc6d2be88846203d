from __future__ import annotations

import pytest

from grader.errors import InfrastructureError, SubmissionError
from grader.judge.compiling import compile_source
from grader.model import Interface, Limits, Machine, Verdict
from tests import lab

INTERFACE = Interface("matmul", ("A", "B", "C", "N"))


def compile_with(header: str, flags: tuple[str, ...], machine: Machine) -> None:
    content = f"{header}\n{lab.NAIVE}".encode()
    compile_source(content, "mine.cu", INTERFACE, flags, Limits(compile_seconds=30.0), machine)


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
    ],
)
def test_what_an_empty_kernel_survives_is_the_students_fault(header: str, simulator: Machine):
    with pytest.raises(SubmissionError) as caught:
        compile_with(header, (), simulator)
    assert caught.value.fault.verdict is Verdict.COMPILE_ERROR
