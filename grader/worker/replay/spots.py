"""Where a finding is: a thread, a line, and an address."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader.contract.found import Finding
from grader.model.findings import Misaligned, OutOfBounds, OutOfTime, Space
from grader.ptxsim.records.traced import OutsideVariable, UnsetRead
from grader.ptxsim.syntax.declarations import source_name
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.program import GivesUpError

ANYWHERE = -2  # an address that nothing accesses: the run does not end


Axes = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Spot:
    """What a thread of a finding did: at a line, an address, a part of a variable, or no multiple of some bytes."""

    thread: Axes
    block: Axes
    line: int
    space: Space
    name: str = ""
    offset: int = 0
    multiple: int = 0


def spot_of(found: Finding) -> Spot | None:
    """Return where a finding is; None for one that is not of one access."""
    match found:
        case OutOfBounds(by=by, beside=beside):
            return Spot(by.number, by.block, by.line, beside.space, beside.name, beside.offset)
        case Misaligned(by=by, size=size):
            return Spot(by.number, by.block, by.line, Space.NONE, offset=ANYWHERE, multiple=size)
        case OutOfTime(by=by):
            return Spot(by.number, by.block, by.line, Space.NONE, offset=ANYWHERE)
        case OutsideVariable(access=by, name=name, offset=offset):
            return Spot(by.thread, by.block, by.line, Space.VARIABLE, name, offset)
        case UnsetRead(memory=memory, read=by) if memory.is_shared:
            return Spot(by.thread, by.block, by.line, Space.SHARED, memory.name, memory.offset)
    return None


def thread_of(machine: LockstepMachine, thread: Axes, block: Axes) -> int:
    """Return the number of a thread in the machine. Raises GivesUpError for one that does not run."""
    specials = machine.specials
    every = [(specials[f"{name}.{axis}"], place[at]) for name, place in (("tid", thread), ("ctaid", block))
             for at, axis in enumerate("xyz")]  # fmt: skip
    found = np.flatnonzero(np.logical_and.reduce([values == wanted for values, wanted in every]))
    if not len(found):
        raise GivesUpError("a thread that does not run")
    return int(found[0])


def axes_of(machine: LockstepMachine, thread: int, name: str = "tid") -> Axes:
    """Return a thread's number in its block, or that of its block (ctaid)."""
    x, y, z = (int(machine.specials[f"{name}.{axis}"][thread]) for axis in "xyz")
    return x, y, z


def address_of(machine: LockstepMachine, spot: Spot) -> int:
    """Return the address of what the spot names. Raises GivesUpError if that is not known."""
    if spot.space is Space.MATRIX:
        return machine.memory.named(spot.name).base + spot.offset
    if spot.space in {Space.SHARED, Space.SCALAR, Space.VARIABLE}:
        space = "global" if spot.space is Space.VARIABLE else "shared"
        named = [each for each in machine.memory.symbols if source_name(each) == spot.name]
        if len(named) != 1:
            raise GivesUpError("several variables of one name")
        return machine.memory.symbols[named[0]] + machine.memory.bases[space] + spot.offset
    if spot.space is Space.NONE:
        return spot.offset
    raise GivesUpError("local memory")
