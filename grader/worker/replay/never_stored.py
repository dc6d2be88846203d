"""Why nobody stores an element of C: its thread turns away, or the threads store elsewhere, or left an array."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from grader.contract.messages import Replay
from grader.model.scenes import Story
from grader.worker.replay.replays import Replays, scene_at, turned_away
from grader.worker.replay.spots import Axes
from grader.worker.replay.sums import Sums

Candidate = tuple[int, int, int]
"""A thread that should store an element, another thread, and the instruction by which that one stores its own."""


def block_of(request: Replay, row: int, column: int) -> Axes | None:
    """Return the block whose tile an element is in."""
    if not request.launch.has_tiles:
        return None
    columns, rows = request.launch.tile
    place = column // columns, row // rows
    return (*(place if request.launch.grid_x == "columns" else place[::-1]), 0)


def never_stored(replays: Replays, sums: Sums, begun: Story, block: Axes | None) -> Story | None:
    """Return the story of an element that nobody stores: where the thread turned away that should have."""
    if block is None:
        return None
    first = sums.first_of(block)
    astray = _astray(replays, sums, begun, block, first)
    if astray and astray.instead:
        return astray
    for thread, other, store in (*_in_other_block(replays.request, sums, begun, first), *_beside(sums, begun, first)):
        if shown := turned_away(replays, block, thread, other, store):
            return replace(begun, scene=shown)
    if found := sums.overlap(first):
        node, *element = found
        shown = scene_at(replays, block, sums.access(node))
        return replace(begun, scene=shown, overlap=tuple(element), stored=sums.line(node.number))
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
    scene = scene_at(replays, block, sums.access(outside))
    return replace(told, scene=scene, stored=sums.line(outside.number))


def _in_other_block(request: Replay, sums: Sums, begun: Story, first: int) -> Iterator[Candidate]:
    """Yield the thread at whose place in another block a thread stores the element at this place."""
    (columns, rows), shape = request.launch.tile, request.case.shape
    for row in range(begun.row % rows, shape.M, rows):
        for column in range(begun.column % columns, shape.N, columns):
            if store := sums.stored(row, column):
                node = sums.node(store)
                yield first + node.thread % sums.geometry.per_block, node.thread, node.number
                return


def _beside(sums: Sums, begun: Story, first: int) -> Iterator[Candidate]:
    """Yield the thread of a block that stores an element if it goes on as the others do, each a step from the next."""
    places, (width, *_) = sums.places(first), sums.geometry.block
    if not places:
        return
    one = min(places)
    start, steps = min(places[one]), [_step(places, one, by) for by in (1, width)]

    def expected(thread: int) -> tuple[int, int]:
        aside, down = thread % width - one % width, thread // width - one // width
        row, column = (start[axis] + aside * steps[0][axis] + down * steps[1][axis] for axis in (0, 1))
        return row, column

    if any(expected(thread) != min(own) for thread, own in places.items()):
        return
    for thread in range(first, first + sums.geometry.per_block):
        row, column = expected(thread)
        element = begun.row - row + start[0], begun.column - column + start[1]
        is_stored = (begun.row, begun.column) in places.get(thread, {})
        if element in places[one] and not is_stored:
            yield thread, one, sums.node(places[one][element]).number


def _step(places: Mapping[int, Mapping[tuple[int, int], int]], thread: int, by: int) -> tuple[int, int]:
    """Return how far the first element of a thread is from that of a later one; nothing if that one stores none."""
    if thread + by not in places:
        return 0, 0
    (row, column), (next_row, next_column) = min(places[thread]), min(places[thread + by])
    return next_row - row, next_column - column
