"""Compiles a text as a submission."""

import tempfile
from pathlib import Path

import pytest

from grader.contract.messages import Compile
from grader.errors import SubmissionError
from grader.explain.compilation import compile_fault
from grader.host import toolkit
from grader.host.confinement.mechanism import strongest
from grader.model import Fault, Interface, Limits
from grader.sandbox import bundles
from grader.worker.found import NotCompiledError
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
    """Compile a text, or take what the same front end made of it before, as the judge does."""
    kept = bundles.bundle("text of a test", name, _content(text))
    with tempfile.TemporaryDirectory() as box:
        bundles.give(kept, Path(box))
        try:
            return compiled_in(Path(box), text, name=name, limits=limits)
        finally:
            bundles.keep(kept, Path(box))


def compiled_anew(text: str | bytes, *, name: str = "kernel.cu", limits: Limits = LIMITS) -> Program:
    with tempfile.TemporaryDirectory() as box:
        return compiled_in(Path(box), text, name=name, limits=limits)


def compiled_in(box: Path, text: str | bytes, *, name: str = "kernel.cu", limits: Limits = LIMITS) -> Program:
    try:
        return compile_ptx(_content(text), Compile(name, "", SQUARE, ("-O3",), limits), box)
    except NotCompiledError as error:
        raise SubmissionError(compile_fault(error.finding, limits)) from error


def refused(text: str | bytes, *, limits: Limits = LIMITS) -> Fault:
    with pytest.raises(SubmissionError) as caught:
        compiled(text, limits=limits)
    return caught.value.fault


def _content(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text
