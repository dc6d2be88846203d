"""Replays a launch that failed, as a request asks, and returns what it shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import isclose, isnan

from grader.contract.found import Finding
from grader.contract.messages import Replay, Replayed
from grader.model.findings import Deadlock, OutOfBounds, OutOfTime, Room, Space
from grader.model.matrices import MATRICES
from grader.model.scenes import Scene, Story
from grader.ptxsim.records.traced import MissingSource, UnsetRead
from grader.ptxsim.syntax.errors import PtxError
from grader.ptxsim.syntax.parser import parse
from grader.worker.replay.absent import of_absent, of_source
from grader.worker.replay.debug_info import DebugInfo
from grader.worker.replay.early_reads import with_stores
from grader.worker.replay.lost_sums import counted, in_other_thread, narrowed
from grader.worker.replay.machine import NOT_RUNNING, LockstepMachine
from grader.worker.replay.origins import Node
from grader.worker.replay.program import GivesUpError, TooManyValuesError, program
from grader.worker.replay.replays import Replays, scene_at, turned_away
from grader.worker.replay.scenes import SeenConditions, follow, scene
from grader.worker.replay.spots import Axes, address_of, spot_of, thread_of
from grader.worker.replay.story import story
from grader.worker.replay.sums import Sums
from grader.worker.replay.threads import ReachedError, SoughtAccess
from grader.worker.replay.variables import Variables


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
        return of_absent(replays, found)
    if isinstance(found, MissingSource):
        return of_source(replays, found)
    spot = spot_of(found)
    if spot is None:
        return None
    machine, variables = replays.machine(spot.block)
    thread = thread_of(machine, spot.thread, spot.block)
    seen = follow(machine, variables, thread)
    machine.watched = SoughtAccess(thread, spot.line, address_of(machine, replays.info, spot))
    machine.traces = spot.space is Space.SHARED
    try:
        replays.run(machine)
    except ReachedError as reached:
        return _with_memory(replays, machine, scene(machine, variables, seen, reached.number), found)
    except GivesUpError:
        if isinstance(found, OutOfTime):
            return _of_endless(machine, variables, seen)
    return None


def _with_memory(replays: Replays, machine: LockstepMachine, shown: Scene, found: Finding) -> Scene:
    """Return the scene with what was stored to the array that it is about."""
    if isinstance(found, UnsetRead):
        return with_stores(replays, shown, found)
    if isinstance(found, OutOfBounds) and machine.watched and found.beside.space is Space.SHARED:
        return replace(shown, used=_used(machine, machine.watched, found.beside))
    return shown


def _used(machine: LockstepMachine, watched: SoughtAccess, array: Room) -> int:
    """Return how many elements of an array, from its first, the block of a thread has stored before."""
    own = watched.thread // machine.geometry.per_block
    if not array.element:
        return 0
    start = watched.address - array.offset
    stores = machine.origins.stores(start, array.extent)
    places = {(at - start) // array.element for _, by, at in stores if by // machine.geometry.per_block == own}
    return max(places, default=-1) + 1


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
    block = _block_of(request, row, column)
    machine = _traced(replays, block)
    sums = Sums(machine, request.interface, request.case.shape)
    if not sums.stored(row, column):
        return _never_stored(replays, machine, row, column) if request.got is None else None
    value = sums.value(row, column, request.interface.type_c)
    if request.got is None or not _is_same(value, request.got):
        return None
    store = machine.origins.node(sums.stored(row, column))
    begun = Story(row, column, sums.line(store.number), request.case.shape.K, names=_names(replays, machine))
    if found := in_other_thread(sums, begun, store.id):
        return replace(found, scene=scene_at(replays, block, _at_store(sums, store)))
    try:
        found = _of_terms(replays, sums, begun, store, block)
    except GivesUpError:
        return narrowed(sums, begun, store.id, _own_types(request)) or counted(sums, begun, store.id)
    return found or narrowed(sums, begun, store.id, _own_types(request))


def _of_terms(replays: Replays, sums: Sums, begun: Story, store: Node, block: Axes | None) -> Story | None:
    """Return the story of a sum by its terms; nothing if these are right. Raises GivesUpError for another sum."""
    row, column = begun.row, begun.column
    found, wrong = story(sums, row, column, begun.total)
    if replays.request.launch.has_tiles and block is not None and sums.is_of_other_block(store, block):
        found, wrong = replace(found, by_other_block=True), None
    if wrong is None and not (found.is_wrong or found.missing or found.twice or found.besides):
        return None
    at = _at_store(sums, store)
    if wrong is not None and (loads := wrong.wrong_loads(row, column)):
        load = sums.node(loads[0])
        at = SoughtAccess(load.thread, sums.line(load.number), load.sources[0], sums.earlier(load))
    return replace(found, scene=scene_at(replays, block, at), names=begun.names)


def _own_types(request: Replay) -> frozenset[str]:
    """Return the types of the lab's matrices, to which its sums may be rounded."""
    interface = request.interface
    return frozenset({interface.type_a, interface.type_b, interface.type_c})


def _at_store(sums: Sums, store: Node) -> SoughtAccess:
    return SoughtAccess(store.thread, sums.line(store.number), store.sources[1], sums.earlier(store))


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


def _never_stored(replays: Replays, machine: LockstepMachine, row: int, column: int) -> Story | None:
    """Return the story of an element that nobody stores: where the thread turned away that should have."""
    shape, interface = replays.request.case.shape, replays.request.interface
    sums = Sums(machine, interface, shape)
    block = _block_of(replays.request, row, column)
    begun = Story(row, column, 0, names=_names(replays, machine))
    if block is None:
        return None
    first = thread_of(machine, (0, 0, 0), block)
    astray = _astray(replays, sums, begun, block, first)
    if astray and astray.instead:
        return astray
    for thread, other in _candidates(replays.request, machine, sums, row, column, block):
        if shown := turned_away(replays, block, thread, other):
            return replace(begun, scene=shown)
    if found := sums.overlap(first):
        node, *element = found
        at = SoughtAccess(node.thread, sums.line(node.number), node.sources[1])
        shown = scene_at(replays, block, at)
        return replace(begun, scene=shown, overlap=tuple(element), stored=at.line)
    return astray


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
    return replace(told, scene=scene_at(replays, block, at), stored=at.line)


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
