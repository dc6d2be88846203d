"""The CUDA backend: nvcc compiles, PyCUDA runs and times."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from grader.contract.messages import Compile
from grader.host import timeline
from grader.model import Build
from grader.worker.backend import Runner, WorkerBackend


class Cuda:
    """Compiles without PyCUDA, and runs without the front end: either takes long to import."""

    def compile(self, request: Compile, box: Path) -> Build:
        """Build with nvcc."""
        from grader.worker.cuda.nvcc import compile_kernel

        source, limits = box / request.source, request.limits
        build = compile_kernel(source, request.interface, request.flags, limits, box, request.architecture)
        return replace(build, artifact=Path(build.artifact).name)

    def load_ahead(self) -> None:
        """Import PyCUDA and all else; what is missing is reported when the device is opened."""
        with suppress(ImportError):
            from pycuda import driver  # noqa: F401

            from grader.worker.cuda import gpu  # noqa: F401

    def open(self, box: Path, *, timing: bool) -> Runner:
        """Open the first visible GPU."""
        from grader.worker.cuda.gpu import Gpu

        gpu = Gpu()
        if timing:
            with timeline.span("load what timing needs"):
                gpu.load_for_timing(box)
        return gpu


BACKEND: WorkerBackend = Cuda()
