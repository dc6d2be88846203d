"""An index outside of an array that is a member of a struct, as the checked translation of the kernel shows it."""

from __future__ import annotations

from grader.model import Fault, Verdict
from grader.worker.frontend.member_bounds import OutsideOfMember, outside_of_member
from grader.worker.simulator.engine.faults import DeviceFault
from grader.worker.simulator.generate.layout import FaultKind

HINT = (
    "The memory there belongs to another member of the struct, or to none. Compare the index with the number of "
    "elements in the declaration."
)


def outside_of_a_member(fault: DeviceFault, ptx: str) -> Fault | None:
    """Return the fault of such an index; None where anything else stopped the launch."""
    if fault.kind is not FaultKind.MEMORY or (found := outside_of_member(fault.address, ptx)) is None:
        return None
    line = fault.line or found.line
    of_index = "" if line == found.line else f" (the index is in line {found.line})"
    sentence = (
        f"Thread {fault.thread} of block {fault.block} uses an element outside of the array {found.name} in line {line}"
        f"{of_index}: {_place(found)}."
    )
    return Fault(Verdict.OUT_OF_BOUNDS, sentence, HINT, line)


def _place(found: OutsideOfMember) -> str:
    if found.index < 0:
        return f"{-found.index} element{'' if found.index == -1 else 's'} before its start"
    return f"element {found.index}{f' of {found.count}' if found.count else ''}, counting from 0"
