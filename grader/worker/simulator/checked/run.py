"""The findings of the launch that a traced simulator has just made."""

from __future__ import annotations

from grader.contract.messages import Check
from grader.model import Fault
from grader.worker.simulator.checked import wording
from grader.worker.simulator.checked.findings import races_found, unset_found
from grader.worker.simulator.engine.simulate import Simulator
from grader.worker.simulator.engine.trace import Events


def data_race(simulator: Simulator, request: Check) -> Fault | None:
    """Return the fault of the races that the trace shows, if there are any."""
    shape = request.case.shape
    races = races_found(simulator.kernel, request.launch.grid(shape), _events(simulator))
    return wording.data_race(races, request.interface, shape) if races else None


def unset_memory(simulator: Simulator, request: Check) -> Fault | None:
    """Return the fault of a read of shared memory that nobody has written; it may not reach C."""
    shape = request.case.shape
    read = unset_found(simulator.kernel, request.launch.grid(shape), _events(simulator))
    return wording.unset_memory(read, request.interface, shape) if read else None


def _events(simulator: Simulator) -> Events:
    if simulator.trace is None:
        raise ValueError("the simulator traces nothing")
    return simulator.trace.events()
