"""The CUDA backend: nvcc compiles, PyCUDA runs and times."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from grader.contract.messages import Compile, Compiled
from grader.host import timeline, toolkit
from grader.model import Purpose
from grader.worker.backend import Runner, WorkerBackend


class Cuda(WorkerBackend):
    """Compiles without PyCUDA, and runs without the front end: either takes long to import."""

    def compile(self, request: Compile, box: Path) -> Compiled:
        """Build device code only, so that no host code of a student ever runs.

        The same run makes the cubin and the PTX, with which the simulator looks for races.
        """
        from grader.worker.frontend.compiling import compile_ptx, cubin_build, ptx_build

        program = compile_ptx((box / request.source).read_bytes(), request, box, request.architecture)
        return Compiled(cubin_build(program, box), traced=ptx_build(program, box))

    def load(self, purpose: Purpose) -> None:
        """Import the front end or PyCUDA, to time cuBLAS too. What is missing is reported when the device is opened."""
        with suppress(ImportError):
            if purpose is Purpose.COMPILE:
                from grader.worker.frontend import compiling  # noqa: F401
            else:
                from grader.worker.cuda import gpu  # noqa: F401
            if purpose is Purpose.TIME:
                from grader.worker.cuda import bench  # noqa: F401

    def initialise(self) -> None:
        """Initialise the driver, which starts nothing on the device."""
        with suppress(ImportError):
            from pycuda import driver

            with suppress(driver.Error), timeline.span("initialise the driver"):
                driver.init()

    def open(self, box: Path, *, timing: bool, searching: bool = False) -> Runner:
        """Open the first visible GPU; for `searching`, find compute-sanitizer, whose processes open it."""
        if searching:
            from grader.worker.cuda.sanitizer import Sanitizer

            return Sanitizer(toolkit.require_sanitizer())
        from grader.worker.cuda.gpu import Gpu

        gpu = Gpu()
        if timing:
            with timeline.span("load what timing needs"):
                gpu.load_for_timing(box)
        return gpu


BACKEND: WorkerBackend = Cuda()
