"""Why nobody stores an element of C: its thread turns away, or the threads store elsewhere, or left an array."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from grader.contract.messages import Replay
from grader.model.scenes import Story
from grader.ptxsim.syntax.records import Special
from grader.worker.replay.program import FlatProgram
from grader.worker.replay.replays import Replays, scene_at, turned_away
from grader.worker.replay.spots import Axes
from grader.worker.replay.traced_values import TracedValues

WIDER = 1 << 32  # than any row
Candidate = tuple[int, int, int]
"""A thread that should store an element, another thread, and the instruction by which that one stores its own."""


def block_of(request: Replay, row: int, column: int) -> Axes | None:
    """Return the block whose tile an element is in."""
    if not request.launch.has_tiles:
        return None
    columns, rows = request.launch.tile
    place = column // columns, row // rows
    return (*(place if request.launch.grid_x == "columns" else place[::-1]), 0)


def never_stored(replays: Replays, traced: TracedValues, begun: Story, block: Axes | None) -> Story | None:
    """Return the story of an element that nobody stores: where the thread turned away that should have."""
    if block is None:
        return None
    first = traced.stores.first_of(block)
    astray = _astray(replays, traced, begun, block, first)
    by_grid = _reads_grid(replays.code)  # blocks choose tiles, then, or threads elements, in their own order
    if astray and astray.instead and not by_grid:
        return astray
    widths = (WIDER, replays.request.case.shape.N)[: 1 + by_grid]
    beside = chain.from_iterable(_beside(traced, begun, first, width) for width in widths)
    for thread, other, store in (*_in_other_block(replays.request, traced, begun, first), *beside):
        if shown := turned_away(replays, block, thread, other, store):
            return replace(begun, scene=shown)
    if found := traced.stores.overlap(first):
        node, *element = found
        shown = scene_at(replays, block, traced.access(node))
        return replace(begun, scene=shown, overlap=tuple(element), stored=traced.line_of(node))
    if not (by_grid and astray):
        return astray
    return _idle(replays, traced, astray, block, first) or _of_blocks(replays, traced, astray, block)


def _idle(replays: Replays, traced: TracedValues, astray: Story, block: Axes, first: int) -> Story | None:
    """Return the story with the scene of the first block that stores nothing, because its tile is beyond C."""
    thread, own = next(iter(traced.stores.by_thread(first).items()))
    idle = next((at for at in traced.stores.blocks if not traced.stores.by_thread(at)), None)
    if idle is None:
        return None
    shown = turned_away(replays, block, idle, thread, traced.origins.node(next(iter(own.values()))).number)
    return replace(astray, scene=shown, stored=0, instead=()) if shown else None


def _of_blocks(replays: Replays, traced: TracedValues, astray: Story, block: Axes) -> Story | None:
    """Return the story with the scene of a block that stores an element which another one stores, too."""
    if (found := traced.stores.overlap_of_blocks()) is None:
        return None
    node, *element = found
    shown = scene_at(replays, block, traced.access(node), in_kernel=True)
    line = traced.line_of(node)
    return replace(astray, scene=shown, overlap=tuple(element), stored=line, instead=()) if shown else None


def _reads_grid(code: FlatProgram) -> bool:
    operands = chain.from_iterable(each.operands for each in code.instructions)
    return any(isinstance(each, Special) and each.name.startswith("nctaid") for each in operands)


def _astray(replays: Replays, traced: TracedValues, begun: Story, block: Axes, first: int) -> Story | None:
    """Return the story of an element whose block stores elsewhere, with the scene of a store outside of its tile."""
    launch = replays.request.launch
    columns, rows = launch.tile
    across, down = block[:2] if launch.grid_x == "columns" else block[1::-1]
    tile = range(down * rows, down * rows + rows), range(across * columns, across * columns + columns)
    reach = traced.stores.reach(first)
    if reach is None:
        return None
    found = traced.stores.outside(first, *tile)
    told = replace(begun, reach=reach, tile=tuple(edge for side in tile for edge in (side[0], side[-1])))
    if found is None:
        return told
    outside, *instead = found
    told = replace(told, instead=tuple(instead))
    scene = scene_at(replays, block, traced.access(outside))
    return replace(told, scene=scene, stored=traced.line_of(outside))


def _in_other_block(request: Replay, traced: TracedValues, begun: Story, first: int) -> Iterator[Candidate]:
    """Yield the thread at whose place in another block a thread stores the element at this place."""
    (columns, rows), shape = request.launch.tile, request.case.shape
    for row in range(begun.row % rows, shape.M, rows):
        for column in range(begun.column % columns, shape.N, columns):
            if store := traced.stores.stored(row, column):
                node = traced.origins.node(store)
                yield first + node.thread % traced.stores.per_block, node.thread, node.number
                return


def _beside(traced: TracedValues, begun: Story, first: int, width: int) -> Iterator[Candidate]:
    """Yield the thread of a block that stores an element if it goes on as the others do, each a step from the next.

    Elements are numbered with rows of this width: of more than C has, where no thread goes on in the next row.
    """
    places, across = traced.stores.by_thread(first).items(), traced.stores.across
    if not places:
        return
    numbers = {thread: {row * width + column: at for (row, column), at in own.items()} for thread, own in places}
    one = min(numbers)
    start = min(numbers[one])
    step, step_down = (min(numbers.get(one + by, {start: 0})) - start for by in (1, across))

    def expected(thread: int) -> int:
        return start + (thread % across - one % across) * step + (thread // across - one // across) * step_down

    if any(expected(thread) != min(own) for thread, own in numbers.items()):
        return
    wanted = begun.row * width + begun.column
    for thread in range(first, first + traced.stores.per_block):
        element = wanted - expected(thread) + start
        if element in numbers[one] and wanted not in numbers.get(thread, {}):
            yield thread, one, traced.origins.node(numbers[one][element]).number
