"""Accesses of a thread beyond its own arrays, which a debug build has one after the other in local memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from grader.model.scenes import MOST_VARIABLES, NamedValue, Scene
from grader.ptxsim.syntax.records import Address, Function, Instruction, Integer, Register
from grader.worker.replay.memory import LaunchMemory
from grader.worker.replay.program import GivesUpError
from grader.worker.replay.replays import Replays
from grader.worker.replay.scenes import scene
from grader.worker.replay.spots import Axes
from grader.worker.replay.threads import SoughtAccess
from grader.worker.replay.variables import bytes_of

STACK = Register("%SP")  # where the variables of a function begin, in a debug build
MOVES = frozenset({"add", "mov"})


@dataclass(frozen=True, slots=True)
class ArrayOfThread:
    """An array of a thread: its name, its line, how many elements it has, and its bytes in local memory."""

    name: str
    line: int
    count: int
    inside: range


def of_left_array(replays: Replays, block: Axes) -> Scene | None:
    """Return the scene of a thread that leaves an array of its own: the first of its variables, with its length."""
    machine = replays.machine(block)
    arrays = dict(_accessed(replays, machine.memory))
    sought = SoughtAccess(-1, 0, 0, inside={number: each.inside for number, each in arrays.items()})
    with suppress(GivesUpError):
        if not arrays or replays.run(machine, sought) < 0:
            return None
        machine, seen = replays.following(block, sought.thread)
        number = replays.run(machine, sought)
        if number >= 0:
            array, shown = arrays[number], scene(machine, seen, number)
            first = NamedValue(array.name, str(array.count), array.line)
            others = [each for each in shown.variables if each.name != array.name]
            return replace(shown, variables=(first, *others[: MOST_VARIABLES - 1]))
    return None


def _accessed(replays: Replays, memory: LaunchMemory) -> Iterator[tuple[int, ArrayOfThread]]:
    """Yield the instructions that access an array of a thread by a pointer that began there, with that array."""
    code, starts = replays.code, dict[str, Mapping[str, int]]()
    arrays = dict(_arrays(replays, memory))
    for number, instruction in enumerate(code.instructions):
        owner = code.owners[number]
        if owner.name not in starts:
            starts[owner.name] = _starts(owner)
        for each in instruction.operands if instruction.opcode in {"ld", "st"} else ():
            if isinstance(each, Address) and isinstance(each.base, Register):
                symbol = next((variable.name for variable in owner.variables), "")
                array = arrays.get((symbol, starts[owner.name].get(each.base.name, -1)))
                if array and instruction.line:
                    yield number, array


def _arrays(replays: Replays, memory: LaunchMemory) -> Iterator[tuple[tuple[str, int], ArrayOfThread]]:
    """Yield the arrays of threads by symbol and offset; of some in one place, the longest comes last."""
    found: list[tuple[tuple[str, int], ArrayOfThread]] = []
    for each in replays.info.in_memory():
        inner, size = replays.info.type_of(each.type), bytes_of(replays.info, each.type)
        if each.type.tag == "array_type" and inner and each.place.symbol in memory.symbols:
            start = memory.symbols[each.place.symbol] + each.place.offset
            count = size // max(1, bytes_of(replays.info, inner))
            array = ArrayOfThread(each.name, each.line, count, range(start, start + size))
            found.append(((each.place.symbol, each.place.offset), array))
    yield from sorted(found, key=lambda each: len(each[1].inside))


def _starts(function: Function) -> Mapping[str, int]:
    """Return the registers of a function that point into one variable, with the offset where that begins."""
    found: dict[str, set[int]] = {}
    for own in function.instructions:
        if own.opcode in MOVES and isinstance(own.operands[0], Register):
            found.setdefault(own.operands[0].name, set()).update(_pointed(own, found))
    return {name: starts.pop() for name, starts in found.items() if len(starts) == 1}


def _pointed(own: Instruction, found: Mapping[str, set[int]]) -> Iterator[int]:
    """Yield where the variable begins into which the result of an instruction points; -1 for none."""
    _, *sources = own.operands
    if sources[0] == STACK and isinstance(sources[-1], Integer) and own.opcode == "add":
        yield sources[-1].value
        return
    known = [found[each.name] for each in sources if isinstance(each, Register) and each.name in found]
    yield from known[0] if len(known) == 1 else {-1}
