"""The CUDA backend: nvcc compiles, PyCUDA runs and times."""

from __future__ import annotations

from pathlib import Path

from grader.contract.messages import Compile
from grader.model import Build
from grader.worker.backend import Runner, WorkerBackend
from grader.worker.cuda.nvcc import compile_request


class Cuda:
    """Compiles without PyCUDA, which takes a second to load."""

    def compile(self, request: Compile, box: Path) -> Build:
        """Build with nvcc."""
        return compile_request(request, box)

    def open(self, box: Path, *, timing: bool) -> Runner:
        """Open the first visible GPU."""
        from grader.worker.cuda.gpu import Gpu

        gpu = Gpu()
        if timing:
            gpu.load_trusted(box)
        return gpu


BACKEND: WorkerBackend = Cuda()
