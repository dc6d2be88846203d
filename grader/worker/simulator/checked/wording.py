"""The findings of a checked run, in sentences for a student: what happened, where, and what to try."""

from __future__ import annotations

from collections.abc import Sequence

from grader.contract.layout import operands
from grader.model import DataRace, Fault, Interface, RacingAccess, Shape, Verdict
from grader.worker.simulator.analysis.ordering import AccessOrder
from grader.worker.simulator.checked.copy_hints import of_early_use
from grader.worker.simulator.checked.findings import EarlyUseFound, LeftOverFound, RaceFound
from grader.worker.simulator.checked.memory import MATRICES, Memory, VariableKind
from grader.worker.simulator.checked.race_hints import hints, is_of_flag
from grader.worker.simulator.checked.touches import Touch, axes
from grader.worker.simulator.checked.unset import UnsetFound
from grader.worker.simulator.engine.source_names import source_name
from grader.worker.simulator.syntax.records import Variable

PARTLY_SEARCHED = (
    "Blocks do more here than is searched of each: the last rounds of their loops were not searched for data races and "
    "unset memory."
)
WAITS_PARTLY_SEARCHED = (
    "Threads wait for each other more often here than is searched: the last accesses of the launch were not searched "
    "for data races."
)


def data_race(found: Sequence[RaceFound], interface: Interface, shape: Shape) -> Fault:
    """Return the fault of some races: the first in the sentence, the others in the detail."""
    found = sorted(found, key=is_of_flag, reverse=True)
    first, *others = (_sentence(race, interface, shape) for race in found)
    line = min(found[0].first.line, found[0].second.line) or None
    hint = f"{hints(found)}{_width(found[0], shape)}"
    return Fault(Verdict.DATA_RACE, first, hint, line, "\n".join(others), _pair(found[0], interface, shape))


def _width(race: RaceFound, shape: Shape) -> str:
    """Return a question where two blocks store by one line to one element of a C that is not square."""
    first, second = race.first, race.second
    stores = first.line == second.line and not (first.reads or second.reads or first.atomic or second.atomic)
    if not (race.between_blocks and stores and race.memory.name == "C") or shape.M == shape.N:
        return ""
    return (
        f" Does the index in line {first.line} multiply the row by the number of columns of C, which is {shape.N} here?"
    )


def early_use(found: EarlyUseFound, interface: Interface, shape: Shape) -> Fault:
    """Return the fault of an asynchronous copy that is used before its thread has waited for it."""
    copy, use, what = found.copy, found.use, element(found.memory, interface, shape)
    copier, user = axes(copy.thread), axes(use.thread)
    sentence = (
        f"Data race: line {copy.line} starts an asynchronous copy to {what} in thread {copier}, and line "
        f"{use.line} {_verb(use)} it in thread {user} of block {axes(use.block)} before thread {copier} has waited "
        "for the copy."
    )
    missing = f"thread {copier} has not waited for the copy yet"
    pair = DataRace(what, _access(copy, f"thread {copier}"), _access(use, f"thread {user}"), missing)
    return Fault(Verdict.DATA_RACE, sentence, of_early_use(found), copy.line or None, race=pair)


def unset_memory(found: UnsetFound, interface: Interface, shape: Shape) -> Fault:
    """Return the fault of a read of shared memory that was never set, and whose value reaches C."""
    read, sentence = found.read, f"{_unset_read(found, interface, shape)}, and C depends on the value."
    hint = (
        "Shared memory is not zero at the start. The threads must write every element that is read before the "
        "__syncthreads(), with 0 beyond the edges of the matrices. Does a thread return early or skip its part?"
    )
    if found.rows:
        hint = (
            f"Rows of {found.rows.length} elements are set, which begin {found.rows.distance} elements apart, and "
            f"nothing between two rows: use the same distance in line {read.line} and stay within the row, or set the "
            "rest too."
        )
    if found.memory.kind is VariableKind.WHOLE:
        hint = (
            "Shared memory is not zero at the start. Let one thread set the variable, and put a __syncthreads() "
            "between that and the first read."
        )
    if found.may_race:
        hint = (
            f"Does any thread set it? If one does, a __syncthreads() between that and line {read.line} is missing. "
            "This launch does more than is recorded, so it does not show which of the two it is."
        )
    return Fault(Verdict.UNSET_MEMORY, sentence, hint, read.line or None)


def unused(found: UnsetFound, interface: Interface, shape: Shape) -> str:
    """Return the remark on a read of shared memory that was never set, and whose value does not reach C."""
    return f"{_unset_read(found, interface, shape)}. C does not depend on the value here."


def _unset_read(found: UnsetFound, interface: Interface, shape: Shape) -> str:
    read, what = found.read, element(found.memory, interface, shape)
    where = f"in thread {axes(read.thread)} of block {axes(read.block)}"
    return f"Line {read.line} reads {what} {where} before any thread has written it"


def left_over(found: LeftOverFound, interface: Interface, shape: Shape) -> Fault:
    """Return the fault of a variable whose value from an earlier launch reaches C."""
    read, what = found.read, element(found.memory, interface, shape)
    sentence = (
        f"Line {read.line} {_verb(read)} {what} in thread {axes(read.thread)} of block {axes(read.block)}, which "
        f"still holds what line {found.write.line} wrote in an earlier launch, and C depends on the value."
    )
    hint = (
        "A __device__ variable keeps its value from launch to launch. Keep a sum in a variable of the thread. Let the "
        "kernel set every other variable before it reads it, or reset it before it ends."
    )
    return Fault(Verdict.WRONG_ANSWER, sentence, hint, read.line or None)


def zero_variable(variable: Variable, line: int | None) -> Fault:
    """Return the reason of a wrong answer that depends on a variable that is never set."""
    kind = "__constant__" if variable.space == "const" else "__device__"
    who = f"Line {line}" if line else "The kernel"
    sentence = (
        f"{who} uses {source_name(variable.name)}, a {kind} variable that is zero: neither an initialiser nor a thread "
        "sets it, and C depends on it."
    )
    hint = "Write its value in the declaration: host code, such as cudaMemcpyToSymbol, does not run here."
    return Fault(Verdict.WRONG_ANSWER, sentence, hint, line or None)


def unset_variable(lines: Sequence[int], *, local: bool, shared: bool) -> Fault:
    """Return the fault of something that is used before it is set: a variable at one of some lines, or other memory.

    `local` and `shared` say whether it may also be an element of such an array.
    """
    candidates = {
        "a variable": bool(lines),
        "an element of a local array": local,
        "an element of shared memory": shared,
    }
    names = [name for name, possible in candidates.items() if possible]
    line = lines[0] or None if len(lines) == len(names) == 1 else None
    who = f"Line {line}" if line else "The kernel"
    sentence = f"{who} uses {' or '.join(names)} that was never set, and C depends on its value."
    hint = "Does every sum start at zero? Is everything that the last, partial step uses set in that step?"
    if local and len(names) == 1:
        hint = f"{hint} An array without __shared__ belongs to one thread: what other threads store is not in it."
    return Fault(Verdict.UNSET_MEMORY, sentence, hint, line)


def not_searched(order: AccessOrder) -> str:
    """Return what a launch was not searched for, and why; empty for a complete search."""
    return f"Not searched for data races, because the kernel has {order.unknown}." if order.unknown else ""


def _pair(race: RaceFound, interface: Interface, shape: Shape) -> DataRace:
    """Return the two accesses for the report."""
    who, missing = _who(race)
    first, second = (_access(touch, name) for touch, name in zip((race.first, race.second), who, strict=True))
    return DataRace(element(race.memory, interface, shape), first, second, missing)


def _access(touch: Touch, who: str) -> RacingAccess:
    return RacingAccess(who, touch.line or None, _verb(touch))


def _who(race: RaceFound) -> tuple[list[str], str]:
    """Return names of the two threads or blocks, and what is missing between them."""
    first, second = race.first, race.second
    if race.between_blocks:
        return [f"block {axes(touch.block)}" for touch in (first, second)], "and nothing orders the blocks"
    if race.is_ahead:
        return [f"thread {axes(touch.thread)}" for touch in (first, second)], "and the read needs what was there before"
    if race.is_under_way:
        return [
            f"thread {axes(touch.thread)}" for touch in (first, second)
        ], "with no wait for the first copy in between"
    same = "of the same warp, and nothing makes them wait for each other"
    apart = "with no barrier between the two"
    if race.order.by_parts or race.order.by_objects:
        apart = f"and {'nothing' if race.order.by_objects else 'no barrier'} makes one wait for the other"
    missing = same if race.same_warp else apart
    return [f"thread {axes(touch.thread)}" for touch in (first, second)], missing


def _sentence(race: RaceFound, interface: Interface, shape: Shape) -> str:
    first, second = race.first, race.second
    what = element(race.memory, interface, shape)
    who, missing = _who(race)
    where = "" if race.between_blocks else f" of block {axes(first.block)}"
    if first.line == second.line:
        if first.thread == second.thread and not race.between_blocks:
            return f"Data race in line {first.line}: it {_verb(first)} {what} twice in {who[0]}{where}, {missing}."
        verbs = _verb(first) if _verb(first) == _verb(second) else f"{_verb(first)} and {_verb(second)}"
        return f"Data race in line {first.line}: it {verbs} {what} in {who[0]} and in {who[1]}{where}, {missing}."
    return (
        f"Data race: line {first.line} {_verb(first)} {what} in {who[0]}, and line {second.line} {_verb(second)} it "
        f"in {who[1]}{where}, {missing}."
    )


def equal_writes(found: RaceFound, interface: Interface, shape: Shape) -> str:
    """Return the remark on two writes of one value."""
    who, what = _who(found)[0], element(found.memory, interface, shape)
    where = "" if found.between_blocks else f" of block {axes(found.first.block)}"
    lines = [found.first.line, found.second.line]
    both = f"Line {lines[0]} writes {what} in {who[0]} and " + ("" if len(set(lines)) == 1 else f"line {lines[1]} ")
    harm = "That does no harm, but one block is enough." if found.between_blocks else "That does no harm."
    return f"{both}in {who[1]}{where}, the same value each time. {harm}"


def _verb(touch: Touch) -> str:
    if touch.atomic:
        return "updates"
    if touch.copies:
        return "copies from" if touch.reads else "copies to"
    return "reads" if touch.reads else "writes"


def element(memory: Memory, interface: Interface, shape: Shape) -> str:
    """Return an element of a matrix by row and column, of another array by its index, a variable, or a part of it."""
    if memory.name in MATRICES and not memory.is_shared:
        return _of_matrix(memory, interface, shape)
    if not memory.name:
        return "shared memory" if memory.is_shared else "global memory"
    space = "shared" if memory.is_shared else "__device__"
    if memory.kind is VariableKind.WHOLE:
        return f"the {space} variable {memory.name}"
    if memory.kind is VariableKind.STRUCT:
        last = memory.offset + memory.element - 1
        return f"bytes {memory.offset} to {last} of the {space} variable {memory.name}"
    unit = "byte" if memory.element == 1 else "element"
    array = f"the shared array {memory.name}" if memory.is_shared else memory.name
    return f"{unit} {memory.offset // max(1, memory.element)} of {array}"


def _of_matrix(memory: Memory, interface: Interface, shape: Shape) -> str:
    matrix = operands(interface, shape)[memory.name]
    line, place = divmod(memory.offset * matrix.elements // matrix.nbytes, matrix.stride)
    row, column = (line, place) if interface.layout == "row" else (place, line)
    return f"{memory.name}[{row}][{column}]"
