"""What stopped a launch, as a finding for the judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grader.model import findings
from grader.model.matrices import MATRICES
from grader.ptxsim.engine.faults import DeviceFault
from grader.ptxsim.generate.layout import FaultKind
from grader.ptxsim.records.fields import Site
from grader.ptxsim.records.lacks import PtxError

LONGEST, LONGEST_WORD, LARGEST = 1000, 200, (1 << 64) - 1  # what a finding holds


def stop_of(fault: DeviceFault) -> findings.Stop:
    """Return the finding: a crash, if there is one of the fault's name."""
    if crash := findings.Crash.__members__.get(fault.kind.name):
        return findings.Crashed(_by(fault), crash)
    return STOPS[fault.kind](fault)


def not_supported(error: PtxError) -> findings.NotSupported:
    """Return the finding of a file that the simulator cannot run."""
    return findings.NotSupported(error.lack, error.line, _word(error.name), _word(error.of), min(error.number, LARGEST))


def _word(name: str) -> str:
    """Return a name of the PTX, whose characters a submission may choose, as far as a finding holds them."""
    return name[:LONGEST_WORD] if name.isascii() and name.isprintable() and " " not in name else ""


def _by(fault: DeviceFault) -> findings.Thread:
    return findings.Thread(fault.thread, fault.block, fault.line)


def _out_of_bounds(fault: DeviceFault) -> findings.OutOfBounds | findings.OutsideCluster:
    if fault.space == "cluster":
        return findings.OutsideCluster(_by(fault), fault.write, fault.offset)
    return findings.OutOfBounds(_by(fault), fault.write, _room(fault), fault.address)


def _sites(fault: DeviceFault) -> tuple[Site, ...]:
    return fault.sites[: findings.MOST_SITES]


def _room(fault: DeviceFault) -> findings.Room:
    of_buffer = findings.Space.MATRIX if fault.buffer in MATRICES else findings.Space.FURTHER
    space = of_buffer if fault.space == "buffer" else findings.Space(fault.space)
    return findings.Room(space, fault.buffer, fault.offset, fault.extent, fault.element, fault.is_dynamic)


STOPS: Mapping[FaultKind, Callable[[DeviceFault], findings.Stop]] = {
    FaultKind.MEMORY: _out_of_bounds,
    FaultKind.TIME: lambda fault: findings.OutOfTime(_by(fault), fault.threads, _sites(fault), fault.awaits_grid),
    FaultKind.MISALIGNED: lambda fault: findings.Misaligned(_by(fault), fault.size),
    FaultKind.BARRIER: lambda fault: findings.Deadlock(fault.block, _sites(fault), fault.returned, fault.threads),
    FaultKind.SLOW: lambda fault: findings.TooSlow(fault.size, fault.extent, fault.line),
    FaultKind.NO_OBJECT: lambda fault: findings.NoObject(_by(fault), "_wait" in fault.instruction, _room(fault)),
    FaultKind.NOT_RESIDENT: lambda fault: findings.NotResident(fault.size, fault.extent, fault.line),
    FaultKind.PRINTED: lambda _: findings.AtLimit("output"),
    FaultKind.ASSERTION: lambda fault: findings.AssertionFailed(_by(fault), fault.text[:LONGEST]),
}
