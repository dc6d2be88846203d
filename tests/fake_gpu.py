"""A GPU that computes with NumPy, in workers of this process, and notes which of them open it.

What a kernel does is told by a variable of its file: `wrong_at_64` and `crashes_at_64`; any other is correct.
"""

import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from grader.contract import freivalds, inputs
from grader.contract.files import matrix_file
from grader.contract.layout import operands, store_guarded
from grader.contract.messages import LAUNCHED, Check, Checked, Done
from grader.contract.timing_messages import (
    PROJECTIONS,
    VECTOR,
    Prepare,
    Prepared,
    Timed,
    TimedTransfers,
    TimeRound,
    TimeTransfers,
    Transfer,
)
from grader.host.process import Running
from grader.model import Backend, Build, Limits, Machine, Purpose
from grader.model.watched import DriverError, DriverFailed
from grader.worker.backend import Runner
from grader.worker.cuda.backend import Cuda
from grader.worker.main import Service
from tests.launcher import Here, start_here
from tests.timed_inputs import each_launch

MACHINE = Machine(Backend.CUDA, "a test", "Linux", "a GPU of a test", "sm_90", 60000.0, {"nvcc": "13.0"})
LAUNCHES = 3
SECONDS = 0.004  # of a round


@dataclass
class Opened(Runner):
    """An open device: the kernels that ran there, `None` for cuBLAS, and whether they were checked and timed."""

    kernels: set[bytes | None] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    prepared: Prepare | None = None
    round: int = 0

    def check(self, request: Check, box: Path) -> Checked:
        case, interface, kernel = request.case, request.interface, self._noted("checked", request.build, box)
        memory, at_64 = operands(interface, case.shape), case.shape.N == 64
        (box / LAUNCHED).touch()
        if at_64 and b"crashes_at_64" in kernel:
            return Checked(DriverFailed(DriverError.OTHER, "an illegal memory access"), spent=True)
        for launch in range(case.launches):
            drawn = inputs.draw(case, interface, launch)
            C = (drawn.A.astype(np.float64) @ drawn.B.astype(np.float64)).astype(np.float32)
            C += at_64 and b"wrong_at_64" in kernel
            for name, matrix in (("A", drawn.A), ("B", drawn.B), ("C", C)):
                store_guarded(matrix, memory[name], interface).tofile(matrix_file(box, name, launch))
        return Checked()

    def prepare(self, request: Prepare, box: Path) -> Prepared:
        self._noted("timed", request.build, box)
        self.prepared = request
        return Prepared(LAUNCHES)

    def time_round(self, request: TimeRound, box: Path) -> Timed:
        if request.projects:
            self.project(box)
        time.sleep(1.2 * SECONDS)
        self.round = request.number
        return Timed(SECONDS, SECONDS, LAUNCHES, None)

    def project(self, box: Path) -> Done:
        assert self.prepared
        x, shape, seed = np.fromfile(box / VECTOR), self.prepared.shape, self.prepared.seed
        base = freivalds.base(shape, self.prepared.interface, seed)
        fresh = freivalds.changes(shape, base.aligned, seed, self.round, LAUNCHES)
        np.array([A @ (B @ x) for A, B in each_launch(base, fresh)]).tofile(box / PROJECTIONS)
        return Done()

    def time_transfers(self, request: TimeTransfers) -> TimedTransfers:
        return TimedTransfers((Transfer(1e-3, 1e-3, 1e-3),) * request.repeats)

    def _noted(self, done: str, build: Build | None, box: Path) -> bytes:
        kernel = (box / build.artifact).read_bytes() if build else None
        self.kernels.add(kernel)
        self.done.add(done)
        return kernel or b""


@dataclass
class FakeGpu(Cuda):
    """Compiles as for a GPU, and opens none."""

    opened: list[Opened] = field(default_factory=list)

    def load(self, purpose: Purpose) -> None:
        pass

    def open(self, box: Path, *, timing: bool, searching: bool = False) -> Runner:  # noqa: ARG002 - of the protocol
        self.opened.append(Opened())
        return self.opened[-1]

    def start(self, box: Path, backend: Backend, limits: Limits, purpose: Purpose) -> Running:
        if backend is not Backend.CUDA:
            return start_here(box, backend, limits, purpose)
        return Here(Service(box, self))
