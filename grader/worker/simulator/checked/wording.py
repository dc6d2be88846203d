"""What a checked run has found, in sentences for a student: what happened, where, and what to try."""

from __future__ import annotations

from collections.abc import Sequence

from grader.contract.layout import operands
from grader.model import Fault, Interface, Shape, Verdict
from grader.worker.simulator.checked.findings import MATRICES, Memory, RaceFound, Touch, UnsetFound


def data_race(found: Sequence[RaceFound], interface: Interface, shape: Shape) -> Fault:
    """Return the fault of some races: the first in the sentence, the others in the detail."""
    first, *others = (_sentence(race, interface, shape) for race in found)
    line = min(found[0].first.line, found[0].second.line) or None
    return Fault(Verdict.DATA_RACE, first, _hint(found[0]), line, "\n".join(others))


def unset_memory(found: UnsetFound, interface: Interface, shape: Shape) -> Fault:
    """Return the fault of a read of shared memory that nobody has set, and whose value reaches C."""
    read, what = found.read, element(found.memory, interface, shape)
    sentence = (
        f"Line {read.line} reads {what} in thread {_axes(read.thread)} of block {_axes(read.block)} before any thread "
        "has written it, and C depends on the value."
    )
    hint = (
        "Shared memory is not zero at the start. The threads must write every element that is read, 0 beyond the edges "
        "of the matrices, before the __syncthreads(): does one of them return or leave out its part?"
    )
    return Fault(Verdict.UNSET_MEMORY, sentence, hint, read.line or None)


def _sentence(race: RaceFound, interface: Interface, shape: Shape) -> str:
    first, second = race.first, race.second
    what = element(race.memory, interface, shape)
    if race.between_blocks:
        who = [f"block {_axes(touch.block)}" for touch in (first, second)]
        missing = "nothing orders the blocks"
    else:
        who = [f"thread {_axes(touch.thread)}" for touch in (first, second)]
        same = "of the same warp, and nothing lets them wait for each other"
        missing = same if race.same_warp else "with no barrier between the two"
    where = "" if race.between_blocks else f" of block {_axes(first.block)}"
    if first.line == second.line:
        verbs = _verb(first) if _verb(first) == _verb(second) else f"{_verb(first)} and {_verb(second)}"
        return f"Data race in line {first.line}: it {verbs} {what} in {who[0]} and in {who[1]}{where}, {missing}."
    return (
        f"Data race: line {first.line} {_verb(first)} {what} in {who[0]}, line {second.line} {_verb(second)} it in "
        f"{who[1]}{where}, {missing}."
    )


def _verb(touch: Touch) -> str:
    if touch.atomic:
        return "updates"
    return "reads" if touch.reads else "writes"


def element(memory: Memory, interface: Interface, shape: Shape) -> str:
    """Return an element of a matrix by row and column, of another array by its index."""
    index = memory.offset // max(1, memory.element)
    if memory.is_shared:
        array = f"the shared array {memory.name}" if memory.name else "shared memory"
        return f"element {index} of {array}"
    if memory.name not in MATRICES:
        return f"element {index} of {memory.name}" if memory.name else "global memory"
    matrix = operands(interface, shape)[memory.name]
    line, place = divmod(index, matrix.stride)
    row, column = (line, place) if interface.layout == "row" else (place, line)
    return f"{memory.name}[{row}][{column}]"


def _axes(place: tuple[int, int, int]) -> str:
    """Return coordinates without a third axis that is not in use."""
    x, y, z = place
    return f"({x}, {y}, {z})" if z else f"({x}, {y})"


def _hint(race: RaceFound) -> str:
    first, second = race.first, race.second
    if race.between_blocks:
        return (
            "No barrier orders blocks: let one block write each element, or add with atomicAdd to elements that were "
            "set before the launch."
        )
    if not (first.reads or second.reads):
        return (
            "Two threads write to the same element: check how its indices follow from threadIdx and blockIdx. To add "
            "up in one element, use atomicAdd."
        )
    if first.line == second.line:
        return (
            "If several threads add to one variable (x += y), additions are lost: use atomicAdd, or give each thread "
            "a variable of its own and add them behind a barrier."
        )
    lines = f"line {first.line} and line {second.line}"
    if first.line > second.line:
        lines += ", which follows in the next round of the loop"
    if race.same_warp:
        return (
            f"Put a __syncthreads() between {lines}. The threads of a warp do not run in step; where only they "
            "exchange data, __syncwarp() is enough."
        )
    return f"Put a __syncthreads() between {lines}."
