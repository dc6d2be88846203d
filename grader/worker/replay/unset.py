"""What is used before it is set: a variable of a thread on the way to C, or an array to which others store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from math import isnan

from grader.model.scenes import MOST_CONDITIONS, MOST_VARIABLES, NamedValue, Scene
from grader.ptxsim.records.traced import UnsetRead
from grader.ptxsim.syntax.records import Register
from grader.worker.replay.arithmetic import type_of
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.memory import UNSET_BYTE
from grader.worker.replay.origins import NEVER_SET, UNSET, Node
from grader.worker.replay.program import GivesUpError
from grader.worker.replay.replays import Replays, turned_away
from grader.worker.replay.scenes import scene
from grader.worker.replay.spots import Spot, address_of, axes_of, thread_of
from grader.worker.replay.threads import SoughtAccess
from grader.worker.replay.variables import FITS_NAME, bytes_of, part_of

MOST_STORES, MOST_VALUES = 64, 1 << 12
MOST_OTHERS = 2  # stores by other blocks, for which the one of the read is searched
NOT_SET = "not set"  # instead of a value
FIRST = 0, 0, 0  # the block that is run if all are too many


@dataclass(frozen=True, slots=True)
class NeverSet:
    """A variable that nobody has set, or a part of one, and where the numbers of the whole are in local memory."""

    variable: NamedValue
    numbers: range = range(0)


def of_unset(replays: Replays) -> Scene | None:
    """Return the scene of a thread that uses what it has not set, and stores what it computes with that to C.

    The first of its variables is that one.
    """
    machine = replays.traced(FIRST)
    for way in islice(_ways_to_c(machine), MOST_STORES):
        unset = next((each for each in way if each.kind == UNSET), None)
        if unset is not None:
            use = unset if unset.sources else next(each for each in way if unset.id in each.sources)
            named, line = _named(replays, machine, unset, use), machine.code.instructions[use.number].line
            found = _scene_of(replays, machine, unset, named.numbers) if named and line else None
            if found is None or named is None:
                return None
            return replace(found, line=line, variables=(named.variable, *found.variables[: MOST_VARIABLES - 1]))
    return None


def _ways_to_c(machine: LockstepMachine) -> Iterator[list[Node]]:
    """Yield what led to each value in C that is no number."""
    region = machine.memory.named("C")
    for number, *_ in machine.origins.stores(region.base, region.size):
        if isnan(machine.origins.node(number).value):
            yield machine.origins.way(number, MOST_VALUES)


def _named(replays: Replays, machine: LockstepMachine, unset: Node, use: Node) -> NeverSet | None:
    """Return the variable that nobody has set, or the part of one; None where it has no name."""
    if not unset.sources:
        operand = machine.code.instructions[use.number].operands[1 + use.sources.index(unset.id)]
        register = operand.name if isinstance(operand, Register) else ""
        named = replays.info.in_scope(use.number, register) if register else ()
        return next((NeverSet(NamedValue(each.name, NOT_SET, each.line)) for each in named), None)
    offset = unset.sources[0] - machine.memory.bases["local"]
    symbol, start = machine.memory.symbol_at("local", offset)
    variables = chain.from_iterable(each.variables for each in machine.code.module.functions)
    size = sum(each.size for each in variables if each.name == symbol)
    for each in replays.info.in_memory():
        part = part_of(replays.info, each.type, offset - start - each.place.offset)
        first, count = start + each.place.offset, bytes_of(replays.info, each.type)
        is_inside = each.place.offset + count <= size
        if each.place.symbol == symbol and part is not None and is_inside and FITS_NAME.match(f"{each.name}{part}"):
            step = type_of(machine.code.instructions[unset.number].modifiers[-1]).itemsize
            return NeverSet(NamedValue(f"{each.name}{part}", NOT_SET, each.line), range(first, first + count, step))
    return None


def _scene_of(replays: Replays, machine: LockstepMachine, unset: Node, numbers: range) -> Scene | None:
    """Return the scene of the thread where it takes what nobody has set, with the lines that have set other parts."""
    every = machine.origins.of_kinds({UNSET}, unset.thread, unset.thread)
    again, seen = replays.following(FIRST, unset.thread)
    again.traces = True
    number = replays.run(again, SoughtAccess(unset.thread, 0, NEVER_SET, sum(each.id < unset.id for each in every)))
    if number < 0:
        return None
    lines, elements = _set_before(again, unset.thread, numbers)
    return replace(scene(again, seen, number), stores=lines, elements=elements)


def _set_before(machine: LockstepMachine, thread: int, numbers: range) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the lines that have set some of these numbers of a thread, how many they have, and how many there are."""
    region = machine.memory.region(machine.memory.bases["local"])
    if region is None or region.rows is None or not numbers[1:]:
        return (), ()
    start = int(region.rows[thread]) * region.size
    stored = [each for each in numbers if (region.data[start + each :][: numbers.step] != UNSET_BYTE).any()]
    nodes = [int(region.origins[(start + each) // region.granule]) for each in stored]
    ways = [machine.origins.way(each, MOST_VALUES) for each in nodes]
    are_set = [each for each in ways if all(node.kind != UNSET for node in each)]
    lines = {_line_of(each[0].id, machine) for each in are_set if each}
    return tuple(sorted(lines - {0}))[:MOST_CONDITIONS], (len(are_set), len(numbers))


def with_stores(replays: Replays, shown: Scene, found: UnsetRead, spot: Spot) -> Scene:
    """Return the scene of a read that comes too early, with who stores to the array."""
    machine = replays.machine(spot.block, traces=True)
    try:
        replays.run(machine)
        address = address_of(machine, spot)
    except GivesUpError:
        return shown
    first, per_block = thread_of(machine, (0, 0, 0), spot.block), machine.geometry.per_block
    array, element = address - spot.offset, found.memory.element or 1
    stores = machine.origins.stores(array, machine.memory.size_of(array))
    elsewhere = ((node, by) for node, by, at in stores if at == address and not first <= by < first + per_block)
    for node, by in islice(elsewhere, MOST_OTHERS):
        store = machine.origins.node(node).number
        turned = turned_away(replays, spot.block, first + by % per_block, by, store)
        if turned is not None and turned.conditions:
            return replace(shown, writer=turned.thread, kept_out=turned.conditions[-1])
    return _with_earlier_stores(replays, shown, spot, array, element)


def _with_earlier_stores(replays: Replays, shown: Scene, spot: Spot, array: int, element: int) -> Scene:
    """Return the scene of a read with how much of the array its block has stored before, and in which lines."""
    machine = replays.machine(spot.block, traces=True)
    first, per_block = thread_of(machine, (0, 0, 0), spot.block), machine.geometry.per_block
    thread = thread_of(machine, spot.thread, spot.block)
    try:
        replays.run(machine, SoughtAccess(thread, spot.line, array + spot.offset))
    except GivesUpError:
        return shown
    every = machine.origins.stores(array, machine.memory.size_of(array))
    own = [each for each in every if first <= each[1] < first + per_block]
    own = [each for each in own if _line_of(each[0], machine) != spot.line]  # an atomic stores where it reads
    lines = {_line_of(node, machine) for node, *_ in own}
    size = machine.memory.size_of(array) // element
    places = {(at - array) // element for *_, at in own}
    counts = (
        len(places),
        size,
        len({each[1] for each in own}),
        per_block,
        min(places, default=0),
        max(places, default=0),
    )
    of_first = {at for _, thread, at in own if thread == first}
    others = {thread for _, thread, at in own if thread != first and at in of_first}
    writer = axes_of(machine, min(others)) if others else ()
    return replace(shown, stores=tuple(sorted(lines - {0}))[:MOST_CONDITIONS], elements=counts, writer=writer)


def _line_of(node: int, machine: LockstepMachine) -> int:
    return machine.code.instructions[machine.origins.node(node).number].line
