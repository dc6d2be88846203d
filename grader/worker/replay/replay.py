"""Replays a launch that failed, as a request asks, and returns what it shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isclose, isnan

from grader.contract.found import Finding
from grader.contract.messages import Replay, Replayed
from grader.model.findings import Deadlock, OutOfTime
from grader.model.matrices import MATRICES
from grader.model.scenes import MOST_CONDITIONS, Scene, Story
from grader.ptxsim.records.traced import UnsetRead
from grader.ptxsim.syntax.errors import PtxError
from grader.ptxsim.syntax.parser import parse
from grader.worker.replay import launch
from grader.worker.replay.debug_info import DebugInfo
from grader.worker.replay.machine import NOT_RUNNING, LockstepMachine
from grader.worker.replay.program import FlatProgram, GivesUpError, TooManyValuesError, program
from grader.worker.replay.scenes import SeenConditions, follow, scene
from grader.worker.replay.spots import Axes, address_of, spot_of, thread_of
from grader.worker.replay.story import story
from grader.worker.replay.sums import Sums
from grader.worker.replay.threads import ReachedError, SoughtAccess
from grader.worker.replay.variables import Variables

SECONDS, MOST_STEPS = 4.0, 60_000  # of one run: on a quiet machine, the steps take a second at most
MOST_STEPS_OF_ALL = 120_000


@dataclass(slots=True)
class Replays:
    """A program and a launch of it, which can be replayed again and again, for so many steps together."""

    request: Replay
    code: FlatProgram
    info: DebugInfo
    steps_left: int = MOST_STEPS_OF_ALL

    def run(self, machine: LockstepMachine) -> None:
        """Run a machine. Raises as it does, and at the limits."""
        try:
            machine.run(min(MOST_STEPS, self.steps_left), SECONDS)
        finally:
            self.steps_left -= machine.steps

    def machine(self, block: Axes | None, *, alone: bool = False) -> tuple[LockstepMachine, Variables]:
        """Return a machine at the start of the launch, of all blocks unless this one is to run `alone`."""
        request = self.request
        x, y, _ = request.launch.grid(request.case.shape)
        number = None if block is None else block[0] + x * (block[1] + y * block[2])
        kernel = request.build.symbol
        started = launch.machine(
            self.code, kernel, request.case, request.interface, request.launch, number, alone=alone
        )
        return started, Variables(started, self.info)


def replay(request: Replay, text: str, source: str) -> Replayed:
    """Return what a launch of the program `text` shows; nothing for what does not happen again."""
    try:
        code = program(parse(text, source))
        replays = Replays(request, code, DebugInfo(text, code.places))
        if request.finding is not None:
            return Replayed(scene=_scene(replays, request.finding))
        return Replayed(story=_story(replays))
    except (GivesUpError, PtxError, IndexError, ValueError, KeyError):  # what no compiler has written
        return Replayed()


def _scene(replays: Replays, found: Finding) -> Scene | None:
    if isinstance(found, Deadlock):
        return _of_absent(replays, found)
    spot = spot_of(found)
    if spot is None:
        return None
    machine, variables = replays.machine(spot.block)
    thread = thread_of(machine, spot.thread, spot.block)
    seen = follow(machine, variables, thread)
    machine.watched = SoughtAccess(thread, spot.line, address_of(machine, replays.info, spot))
    try:
        replays.run(machine)
    except ReachedError as reached:
        shown = scene(machine, variables, seen, reached.number)
        return with_stores(replays, shown, found) if isinstance(found, UnsetRead) else shown
    except GivesUpError:
        if isinstance(found, OutOfTime):
            return _of_endless(machine, variables, seen)
    return None


def with_stores(replays: Replays, shown: Scene, found: UnsetRead) -> Scene:
    """Return the scene of a read that comes too early, with who stores to the array."""
    spot = spot_of(found)
    if spot is None:
        return shown
    machine, _ = replays.machine(spot.block)
    machine.traces = True
    try:
        replays.run(machine)
        address = address_of(machine, replays.info, spot)
    except GivesUpError:
        return shown
    array, first = address - spot.offset, thread_of(machine, (0, 0, 0), spot.block)
    per_block, size = machine.geometry.per_block, machine.size_of(array)
    every = list(machine.origins.stores(array, size))
    for _, thread, at in every:
        if at == address and thread - thread % per_block != first:
            turned = _turned_away(replays, spot.block, first + thread % per_block, thread)
            if turned is not None and turned.conditions:
                return replace(shown, writer=turned.thread, kept_out=turned.conditions[-1])
    own = [(node, at) for node, thread, at in every if thread - thread % per_block == first]
    lines = {machine.code.instructions[machine.origins.node(node).number].line for node, _ in own}
    element = found.memory.element or 1
    counts = len({at for _, at in own}), size // element
    return replace(shown, stores=tuple(sorted(lines - {0}))[:MOST_CONDITIONS], elements=counts)


def _of_absent(replays: Replays, found: Deadlock) -> Scene | None:
    """Return the scene of a thread that does not come to the barrier at which others wait."""
    first, variables = replays.machine(found.block)
    first.awaits_returned = True
    replays.run(first)
    start = thread_of(first, (0, 0, 0), found.block)
    own = slice(start, start + first.geometry.per_block)
    waits, keys = first.barriers[own], first.waiting_keys[own]
    lines = {site.line for site in found.sites if site.barrier}
    at_line = [
        bool(w >= 0) and first.code.instructions[_before(key)].line in lines for w, key in zip(waits, keys, strict=True)
    ]
    if all(at_line) or not any(at_line):
        return None
    thread = start + at_line.index(False)
    again, variables = replays.machine(found.block)
    again.awaits_returned = True
    seen = follow(again, variables, thread)
    replays.run(again)
    last = [number for number in seen.numbers if again.code.instructions[number].line]
    return scene(again, variables, seen, last[-1]) if last else None


def _before(key: int) -> int:
    """Return the instruction before the one at which a waiting thread goes on."""
    return int(key) + ((-(int(key) >> 32)) << 32) - 1


def _of_endless(machine: LockstepMachine, variables: Variables, seen: SeenConditions) -> Scene | None:
    """Return the scene of a thread that is still in the loop in which it ran out of time."""
    lines = [each for each in seen.last.values() if each.held]
    runs = machine.keys[seen.thread] != NOT_RUNNING
    return scene(machine, variables, seen, seen.numbers[-1]) if lines and runs and seen.numbers else None


def _story(replays: Replays) -> Story | None:
    request = replays.request
    if request.element is None:
        return None
    row, column = request.element
    shape, interface = request.case.shape, request.interface
    block = _block_of(request, row, column)
    machine = _traced(replays, block)
    sums = Sums(machine, interface, shape)
    value = sums.value(row, column, interface.type_c)
    if not sums.stored(row, column):
        return _never_stored(replays, machine, row, column) if request.got is None else None
    if request.got is None or not _is_same(value, request.got):
        return None
    store = machine.origins.node(sums.stored(row, column))
    found, wrong = story(sums, row, column, shape.K)
    names = _names(replays, machine)
    if (
        request.launch.has_tiles
        and block is not None
        and thread_of(machine, (0, 0, 0), block) != store.thread - store.thread % machine.geometry.per_block
    ):
        found, wrong = replace(found, by_other_block=True), None
    if wrong is None and not (found.is_wrong or found.missing or found.twice or found.besides):
        return None
    at = SoughtAccess(store.thread, sums.line(store.number), store.sources[1], sums.earlier(store))
    if wrong is not None and (loads := wrong.wrong_loads(row, column)):
        load = machine.origins.node(loads[0])
        at = SoughtAccess(load.thread, sums.line(load.number), load.sources[0], sums.earlier(load))
    return replace(found, scene=_scene_at(replays, block, at), names=names)


def _traced(replays: Replays, block: Axes | None) -> LockstepMachine:
    """Return a machine that has traced all values, of the element's block only if these are too many."""
    for alone in (False, True):
        machine, _ = replays.machine(block, alone=alone)
        machine.traces = True
        try:
            replays.run(machine)
        except TooManyValuesError:
            if alone or block is None:
                raise
        else:
            break
    return machine


def _names(replays: Replays, machine: LockstepMachine) -> tuple[str, str, str]:
    """Return the names of the kernel's parameters for A, B and C; these letters where they have none."""
    variables = Variables(machine, replays.info)
    known = {each.value: each.name for each in variables.of(0, replays.code.starts[replays.request.build.symbol])}
    a, b, c = (known.get(name, name) for name in MATRICES)
    return a, b, c


def _is_same(value: float, got: float) -> bool:
    return (isnan(value) and isnan(got)) or isclose(value, got, rel_tol=1e-4, abs_tol=1e-3)


def _block_of(request: Replay, row: int, column: int) -> Axes | None:
    """Return the block whose tile an element is in."""
    if not request.launch.has_tiles:
        return None
    columns, rows = request.launch.tile
    place = column // columns, row // rows
    return (*(place if request.launch.grid_x == "columns" else place[::-1]), 0)


def _scene_at(replays: Replays, block: Axes | None, at: SoughtAccess) -> Scene | None:
    """Return the scene of a thread at a line that accesses an address."""
    machine, variables = replays.machine(block)
    seen = follow(machine, variables, at.thread)
    machine.watched = at
    try:
        replays.run(machine)
    except ReachedError as reached:
        return scene(machine, variables, seen, reached.number)
    return None


def _never_stored(replays: Replays, machine: LockstepMachine, row: int, column: int) -> Story | None:
    """Return the story of an element that nobody stores: where the thread turned away that should have."""
    shape, interface = replays.request.case.shape, replays.request.interface
    sums = Sums(machine, interface, shape)
    block = _block_of(replays.request, row, column)
    begun = Story(row, column, 0, names=_names(replays, machine))
    if block is None:
        return None
    for thread, other in _candidates(replays.request, machine, sums, row, column, block):
        if shown := _turned_away(replays, block, thread, other):
            return replace(begun, scene=shown)
    if found := sums.overlap(thread_of(machine, (0, 0, 0), block)):
        node, *element = found
        at = SoughtAccess(node.thread, sums.line(node.number), node.sources[1])
        shown = _scene_at(replays, block, at)
        return replace(begun, scene=shown, overlap=tuple(element), stored=at.line)
    return _astray(replays, sums, begun, block, thread_of(machine, (0, 0, 0), block))


def _astray(replays: Replays, sums: Sums, begun: Story, block: Axes, first: int) -> Story | None:
    """Return the story of an element whose block stores elsewhere, with the scene of a store outside of its tile."""
    launch = replays.request.launch
    columns, rows = launch.tile
    across, down = block[:2] if launch.grid_x == "columns" else block[1::-1]
    tile = range(down * rows, down * rows + rows), range(across * columns, across * columns + columns)
    reach = sums.reach(first)
    if reach is None:
        return None
    found = sums.outside(first, *tile)
    told = replace(begun, reach=reach, tile=tuple(edge for side in tile for edge in (side[0], side[-1])))
    if found is None:
        return told
    outside, *instead = found
    told = replace(told, instead=tuple(instead))
    at = SoughtAccess(outside.thread, sums.line(outside.number), outside.sources[1], sums.earlier(outside))
    return replace(told, scene=_scene_at(replays, block, at), stored=at.line)


def _turned_away(replays: Replays, block: Axes, thread: int, other: int) -> Scene | None:
    """Return the scene of a thread at the last condition that was another one than for the other thread."""
    again, variables = replays.machine(block)
    seen = follow(again, variables, thread)
    replays.run(again)
    known, its_variables = replays.machine(block)
    its = follow(known, its_variables, other)
    replays.run(known)
    for number in reversed(seen.numbers):
        line = again.code.instructions[number].line
        if line in its.last and line in seen.last and its.last[line].held != seen.last[line].held:
            turned = scene(again, variables, seen, number)
            upto = [each for each in turned.conditions if each.line != line]
            return replace(turned, variables=seen.last[line].variables, conditions=(*upto, seen.last[line]))
    return None


def _candidates(
    request: Replay, machine: LockstepMachine, sums: Sums, row: int, column: int, block: Axes
) -> Iterator[tuple[int, int]]:
    """Yield a thread that should store an element, and one at its place in another block, which stores its own."""
    columns, rows = request.launch.tile
    per_block = machine.geometry.per_block
    start = thread_of(machine, (0, 0, 0), block)
    for other_row in range(row % rows, request.case.shape.M, rows):
        for other_column in range(column % columns, request.case.shape.N, columns):
            if store := sums.stored(other_row, other_column):
                other = machine.origins.node(store).thread
                yield start + other % per_block, other
                return
