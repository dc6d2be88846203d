"""Compiles a text as a submission."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from grader.errors import SubmissionError
from grader.host import toolkit
from grader.host.confinement.mechanism import strongest
from grader.model import Fault, Interface, Limits
from grader.worker.frontend.compiling import Program, compile_ptx

SQUARE = Interface("matmul", ("A", "B", "C", "N"))
KERNEL = """
extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) C[i] = A[i] * B[i];
}
"""
LIMITS = Limits(compile_seconds=20.0)

needs_nvcc = pytest.mark.skipif(
    toolkit.find() is None or not toolkit.has_host_compiler(), reason="nvcc or g++ is not installed"
)
needs_confinement = pytest.mark.skipif(not strongest(), reason="neither Landlock nor bubblewrap works here")


def compiled(text: str | bytes, *, name: str = "kernel.cu", limits: Limits = LIMITS) -> Program:
    with tempfile.TemporaryDirectory() as box:
        return compiled_in(Path(box), text, name=name, limits=limits)


def compiled_in(box: Path, text: str | bytes, *, name: str = "kernel.cu", limits: Limits = LIMITS) -> Program:
    content = text.encode() if isinstance(text, str) else text
    return compile_ptx(content, name, SQUARE, ("-O3",), limits, box)


def refused(text: str | bytes, *, limits: Limits = LIMITS) -> Fault:
    with pytest.raises(SubmissionError) as caught:
        compiled(text, limits=limits)
    return caught.value.fault
