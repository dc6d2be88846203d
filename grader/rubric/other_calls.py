"""Other calls of a kernel that may be the one that its file is written for. Pure.

What the text of the file shows comes first: the names of its parameters, its host code. Then come what labs and files
confuse: the order of the sizes and of the matrices, the block, and its tile.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product

from grader.errors import UsageError
from grader.model import Interface, KernelCall, Launch, Shape
from grader.rubric import calls
from grader.rubric.file_launch import file_launch
from grader.rubric.proposal import proposed
from grader.rubric.schema_errors import Table

MATRICES = ("A", "B", "C")
BLOCKS = (8, 16, 32)
MULTIPLES = (1, 2, 4, 8)  # of the block, in a tile
ONE_DIMENSION = 256  # threads
TYPES = ("type_a", "type_b", "type_c")


@dataclass(frozen=True, slots=True)
class Symptoms:
    """What a failed launch shows: whether it may be launched in another way, and whether it changed an input."""

    of_launch: bool = False
    of_order: bool = False


def other_calls(
    text: str, call: KernelCall, shapes: Sequence[Shape], seen: Symptoms, *, is_declared: bool
) -> Iterator[KernelCall]:
    """Yield the calls to try; a file with a LAUNCH line `is_declared` in its block. `shapes` are those to be tried."""
    shown = _shown(text, call, shapes, is_declared=is_declared)
    yield from shown
    if len(shown) > 1:
        yield _together(call, shown)
    for start in (call, *shown):
        for parameters in _orders(start.interface, shapes, matrices=seen.of_order):
            yield replace(start, interface=replace(start.interface, parameters=parameters))
    if seen.of_launch:
        for launch in _launches(call.launch, is_declared=is_declared):
            yield replace(call, launch=launch)


def values(parameters: Sequence[str]) -> list[str]:
    """Return what each parameter gets, without the names of those that have a value."""
    return [text.partition("=")[2].strip() or text for text in parameters]


def _shown(text: str, call: KernelCall, shapes: Sequence[Shape], *, is_declared: bool) -> list[KernelCall]:
    """Return the call with one change each that the text of the file shows."""
    found = list[KernelCall]()
    theirs = _proposal(text, call.interface)
    if theirs and values(theirs.parameters) != values(call.interface.parameters):
        found.append(replace(call, interface=replace(call.interface, parameters=theirs.parameters)))
    for names in ((*TYPES,), ("start",), ("symbols",)) if theirs else ():
        given = {name: getattr(theirs, name) for name in names}
        if given != {name: getattr(call.interface, name) for name in names}:
            found.append(replace(call, interface=replace(call.interface, **given)))
    own = None if is_declared or not text else file_launch(text, call.interface, shapes)
    if own and any(own.at(shape) != call.launch.at(shape) for shape in shapes):
        found.append(replace(call, launch=own))
    return found


def _proposal(text: str, lab: Interface) -> Interface | None:
    """Return the interface that a rubric would be proposed with for this file, if that makes sense."""
    for wanted in (lab.name, ""):
        try:
            kernel: Table = tomllib.loads(proposed(text, wanted))["kernel"]
        except (UsageError, tomllib.TOMLDecodeError):
            continue
        square = {"": Shape(64, 64, 64)}
        return None if any(calls.mistakes({"kernel": kernel}, square)) else calls.interface_record(kernel)
    return None


def _together(lab: KernelCall, others: Sequence[KernelCall]) -> KernelCall:
    """Return the call with all changes."""
    call = lab
    for other in others:
        names = ("parameters", *TYPES, "start", "symbols")
        pairs = ((name, getattr(other.interface, name)) for name in names)
        changed = {name: value for name, value in pairs if value != getattr(lab.interface, name)}
        launch = call.launch if other.launch == lab.launch else other.launch
        call = KernelCall(replace(call.interface, **changed), launch)
    return call


def _orders(lab: Interface, shapes: Sequence[Shape], *, matrices: bool) -> Iterator[tuple[str, ...]]:
    """Yield the parameters with sizes, or matrices, in other orders; of square matrices all sizes are the same."""
    if any(len({shape.M, shape.N, shape.K}) > 1 for shape in shapes):
        yield from _permuted(lab.parameters, ("M", "N", "K"))
    if matrices:
        yield from _permuted(lab.parameters, MATRICES)


def _permuted(parameters: tuple[str, ...], names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    found = values(parameters)
    places = [place for place, value in enumerate(found) if value in names]
    for order in permutations(places):
        if order != tuple(places):
            moved = {place: found[other] for place, other in zip(places, order, strict=True)}
            yield tuple(moved.get(place, text) for place, text in enumerate(parameters))


def _launches(lab: Launch, *, is_declared: bool) -> Iterator[Launch]:
    """Yield launches with other tiles, and with a thread for each element of one; then also with other blocks."""
    plain, (across, down) = replace(lab, grid_by=(), block_by=()), lab.tile
    yield replace(lab, grid_x="rows" if lab.grid_x == "columns" else "columns")
    for tile in _tiles(plain):
        yield replace(plain, tile=tile)
    if across * down <= calls.MOST_THREADS:
        for block in ((across, down, 1), (across * down, 1, 1)):
            yield replace(plain, block=block)
    if not is_declared:
        for side in BLOCKS:
            yield replace(plain, block=(side, side, 1), tile=(side, side))
        blocks = f"ceil(M * N / {ONE_DIMENSION})"
        yield replace(plain, block=(ONE_DIMENSION, 1, 1), tile=(ONE_DIMENSION, 1), grid_by=(blocks,))


def _tiles(lab: Launch) -> list[tuple[int, int]]:
    """Return other tiles: those with one other side first, and large ones before parts of the right tile."""
    every = ((lab.block[0] * across, lab.block[1] * down) for across, down in product(MULTIPLES, MULTIPLES))

    def order(tile: tuple[int, int]) -> tuple[int, int]:
        return sum(side != own for side, own in zip(tile, lab.tile, strict=True)), -tile[0] * tile[1]

    return sorted((each for each in every if each != lab.tile), key=order)
