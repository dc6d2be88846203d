"""A device that traces no accesses: it computes every product with NumPy, so all findings come from the simulator.

Workers in this process find this module where a folder of `grader/worker/` would put it.
"""

import sys
from dataclasses import replace
from pathlib import Path

from grader.contract import inputs
from grader.contract.messages import Check, Checked, Compile, Compiled
from grader.host import toolkit
from grader.host.process import Running
from grader.model import Backend, Limits, Purpose
from grader.model.backends import Capabilities
from grader.worker.backend import Runner, WorkerBackend
from grader.worker.cuda.sanitizer import Sanitizer
from grader.worker.simulator.backend import SimulatorBackend
from tests.launcher import start_here
from tests.worker.numpy_backend import NumpyRunner

NAME = "device"


class Device(NumpyRunner):
    def check(self, request: Check, box: Path) -> Checked:
        assert request.case.run != inputs.CHECKED
        return super().check(request, box)


class Searched(NumpyRunner):
    """Checked launches as on a GPU, but with a compute-sanitizer that repeats recorded findings."""

    def check(self, request: Check, box: Path) -> Checked:
        super().check(request, box)
        return Sanitizer(toolkit.require_sanitizer()).check(request, box)


class DeviceBackend(WorkerBackend):
    def compile(self, request: Compile, box: Path) -> Compiled:
        compiled = SimulatorBackend().compile(request, box)
        return replace(compiled, traced=compiled.build)

    def load(self, purpose: Purpose) -> None:
        pass

    def open(self, box: Path, *, timing: bool, searching: bool = False) -> Runner:  # noqa: ARG002 - nothing to open
        return Searched() if searching else Device()


BACKEND: WorkerBackend = DeviceBackend()


def member(*, has_sanitizer: bool = False) -> Backend:
    """The member that a line in the table of backends would define."""
    device = str.__new__(Backend, NAME)
    device._name_, device._value_ = NAME.upper(), NAME
    device.capabilities = Capabilities(traced_by=Backend.SIMULATOR, has_sanitizer=has_sanitizer)
    return device


def start(box: Path, backend: Backend, limits: Limits, purpose: Purpose) -> Running:
    sys.modules.update({f"grader.worker.{NAME}{module}": sys.modules[__name__] for module in ("", ".backend")})
    return start_here(box, backend, limits, purpose)
