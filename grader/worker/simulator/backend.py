"""The simulator as a backend: NVIDIA's compiler translates the submission to PTX, and the engine executes it.

Both are imported when they are needed: a worker that compiles executes nothing, and one that executes compiles nothing.
"""

from __future__ import annotations

from pathlib import Path

from grader.contract.messages import Compile, Compiled
from grader.model import Purpose
from grader.worker.backend import Runner, WorkerBackend


class SimulatorBackend(WorkerBackend):
    """Compiles with NVIDIA's compiler, which needs no GPU."""

    def compile(self, request: Compile, box: Path) -> Compiled:
        """Build to PTX."""
        from grader.worker.frontend.compiling import compile_ptx, ptx_build

        return Compiled(ptx_build(compile_ptx((box / request.source).read_bytes(), request, box), box))

    def load(self, purpose: Purpose) -> None:
        """Import LLVM and all else that executes PTX, or what compiles."""
        if purpose is Purpose.COMPILE:
            from grader.worker.frontend import compiling  # noqa: F401
        else:
            from grader.worker.simulator import executor  # noqa: F401

    def open(self, box: Path, *, timing: bool, searching: bool = False) -> Runner:  # noqa: ARG002 - nothing to open
        """Return what executes PTX; the code of a kernel is made when its first case runs."""
        from grader.worker.simulator.executor import Executor

        return Executor()


BACKEND: WorkerBackend = SimulatorBackend()
