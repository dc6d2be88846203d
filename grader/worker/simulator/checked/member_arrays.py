"""An index outside of an array that is a member of a struct, as the checked translation of the kernel shows it."""

from __future__ import annotations

from grader.model.findings import Thread
from grader.model.traced import OutsideMember
from grader.worker.frontend.member_bounds import outside_of_member
from grader.worker.simulator.engine.faults import DeviceFault
from grader.worker.simulator.generate.layout import FaultKind


def outside_of_a_member(fault: DeviceFault, ptx: str) -> OutsideMember | None:
    """Return the finding of such an index; None where anything else stopped the launch."""
    if fault.kind is not FaultKind.MEMORY or (found := outside_of_member(fault.address, ptx)) is None:
        return None
    by = Thread(fault.thread, fault.block, fault.line or found.line)
    name = "" if " " in found.name else found.name
    return OutsideMember(by, name, found.index, found.count, found.line)
