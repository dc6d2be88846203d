"""The findings of the launch that a traced simulator has just made."""

from __future__ import annotations

from grader.contract.messages import Check
from grader.model import Fault
from grader.worker.simulator.checked import wording
from grader.worker.simulator.checked.findings import races_found
from grader.worker.simulator.engine.simulate import Simulator


def found(simulator: Simulator, request: Check) -> Fault | None:
    """Return the fault that the trace shows, if there is one."""
    if simulator.trace is None:
        return None
    shape, events = request.case.shape, simulator.trace.events()
    races = races_found(simulator.kernel, request.launch.grid(shape), events)
    return wording.data_race(races, request.interface, shape) if races else None
