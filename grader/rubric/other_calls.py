"""Other calls of a kernel that may be the one that its file is written for. Pure.

What the text of the file shows comes first: the names of its parameters, its host code. Then come what labs and files
confuse: the layout, the order of the sizes and of the matrices, the block, and its tile.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations, product
from typing import Literal

from grader.contract.launch_limits import MAX_THREADS
from grader.model import Interface, KernelCall, Launch, Shape
from grader.model.kernels import values
from grader.model.matrices import MATRICES
from grader.rubric.calls import SIZES
from grader.rubric.errors import TYPES
from grader.rubric.host_code import file_launch, with_tiles
from grader.rubric.proposal import proposed_interface
from grader.rubric.source_calls import program

INTEGERS = ("int", "uint")  # how the types of integers begin
CAST = re.compile(r"\*\s*(?:>\s*\(|\)\s*[\w(&])")  # of a pointer
CHANGES = (("parameters",), ("type_a", "type_b", "type_c"), ("start",), ("symbols",))  # fields, one group at a time
OTHER_LAYOUT: dict[str, Literal["row", "column"]] = {"row": "column", "column": "row"}
BLOCKS = (8, 16, 32)
MULTIPLES = (1, 2, 4, 8)  # of the block, in a tile
LAYERS = (2, 4, 8)  # of threads along z
ONE_DIMENSION = 256  # threads


@dataclass(frozen=True, slots=True)
class Symptoms:
    """What a failed launch shows: whether it may be launched in another way, and whether it changed an input.

    Another layout, or a transposed matrix, is tried only for a kernel that is taken for correct: one that stores B·A by
    mistake looks the same.
    `tiles` are the columns and rows of C that blocks store, where they leave elements out.
    """

    of_launch: bool = False
    of_order: bool = False
    of_layout: bool = False
    tiles: tuple[tuple[int, int], ...] = ()


def other_calls(
    text: str, call: KernelCall, shapes: Sequence[Shape], seen: Symptoms, *, is_declared: bool
) -> Iterator[KernelCall]:
    """Yield the calls to try; a file with a LAUNCH line `is_declared` in its block. `shapes` are those to be tried."""
    shown = _shown(text, call, shapes, is_declared=is_declared)
    yield from shown
    layout = OTHER_LAYOUT[call.interface.layout]
    turned = [replace(each, interface=replace(each.interface, layout=layout)) for each in (call, *shown)]
    turned = turned if seen.of_layout else []
    yield from turned
    if seen.of_layout:
        yield from (replace(call, interface=interface) for interface in _transposed(call.interface))
    if "threadIdx.z" in text and call.launch.block[2] == 1:
        yield from (replace(call, launch=launch) for launch in _with_layers(call.launch))
    for start in (call, *shown, *turned):
        for interface in _orders(start.interface, shapes, matrices=seen.of_order):
            yield replace(start, interface=interface)
    if seen.of_launch and not (is_declared and "gridDim" in text):  # which has its elements shared by any grid
        for start in (call, *turned[:1]):
            for launch in _launches(call.launch, seen.tiles, is_declared=is_declared):
                yield replace(start, launch=launch)


def other_elements(text: str, name: str, lab: Interface) -> tuple[tuple[str, str, str], ...]:
    """Return each matrix that a kernel declares with another type, with its types in the file and in the lab.

    A file that casts pointers may declare any real type for another one, and any integer for others that it holds.
    """
    is_cast = CAST.search(text) is not None
    declared = next((each.parameters for each in program(text).kernels if each.name == name), ())
    passed = zip(declared, (lab.types.get(value, "") for value in values(lab.parameters)), strict=False)
    found = ((each, TYPES.get(each.type, ""), kind) for each, kind in passed if each.is_pointer)
    return tuple(
        (each.name, each.type, kind)
        for each, own, kind in found
        if own and kind and _differs(own, kind, is_cast=is_cast)
    )


def _differs(own: str, kind: str, *, is_cast: bool) -> bool:
    is_integer = own.startswith(INTEGERS)
    return is_integer != kind.startswith(INTEGERS) or not (is_integer or is_cast or own == kind)


def _shown(text: str, call: KernelCall, shapes: Sequence[Shape], *, is_declared: bool) -> list[KernelCall]:
    """Return the call with each change that the text of the file shows, and with all of them."""
    ours, theirs = call.interface, proposed_interface(text, call.interface.name)
    found, together = list[KernelCall](), call
    for names in CHANGES if theirs else ():
        given = {name: getattr(theirs, name) for name in names}
        is_same = given == {name: getattr(ours, name) for name in names}
        if not (is_same or (names == ("parameters",) and values(given["parameters"]) == values(ours.parameters))):
            found.append(replace(call, interface=replace(ours, **given)))
            together = replace(together, interface=replace(together.interface, **given))
    own = None if is_declared or not text else file_launch(text, ours, shapes)
    # Blocks rounded down are for whole tiles only: what the file shows then is the tile.
    launches = [with_tiles(own, shapes), replace(own, grid_by=())] if own else []
    others = [each for each in launches if any(each.at(shape) != call.launch.at(shape) for shape in shapes)]
    found += [replace(call, launch=each) for each in others]
    every = dict.fromkeys([*found, *(replace(together, launch=each) for each in others), together])
    return [each for each in every if each != call]


def _transposed(lab: Interface) -> Iterator[Interface]:
    """Yield calls with A, B or both stored the other way round."""
    for a, b in ((lab.transpose_a, not lab.transpose_b), (not lab.transpose_a, lab.transpose_b)):
        yield replace(lab, transpose_a=a, transpose_b=b)
    yield replace(lab, transpose_a=not lab.transpose_a, transpose_b=not lab.transpose_b)


def _orders(lab: Interface, shapes: Sequence[Shape], *, matrices: bool) -> Iterator[Interface]:
    """Yield calls with sizes, or matrices, in other orders; of square matrices all sizes are the same."""
    of_sizes = SIZES if any(len({shape.M, shape.N, shape.K}) > 1 for shape in shapes) else ()
    of_matrices = (*MATRICES, *(each.name for each in lab.matrices)) if matrices or not lab.is_alone else ()
    for names in (of_sizes, of_matrices):
        for parameters in _permuted(lab.parameters, names):
            yield replace(lab, parameters=parameters)
        for number, kernel in enumerate(lab.before):
            for parameters in _permuted(kernel.parameters, names):
                changed = replace(kernel, parameters=parameters)
                yield replace(lab, before=(*lab.before[:number], changed, *lab.before[number + 1 :]))


def _permuted(parameters: tuple[str, ...], names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    found = values(parameters)
    places = [place for place, value in enumerate(found) if value in names]
    for order in islice(permutations(places), 1, None):  # the first is theirs
        moved = {place: found[other] for place, other in zip(places, order, strict=True)}
        yield tuple(moved.get(place, text) for place, text in enumerate(parameters))


def _launches(lab: Launch, stored: Sequence[tuple[int, int]], *, is_declared: bool) -> Iterator[Launch]:
    """Yield launches with other tiles, and with a thread for each element of one; then also with other blocks.

    What blocks store comes first of the tiles, but before all of them come a block as square as the tile, and the block
    with its axes exchanged.
    """
    plain, (across, down) = replace(lab, grid_by=(), block_by=()), lab.tile
    yield replace(lab, grid_x="rows" if lab.grid_x == "columns" else "columns")
    blocks = [(across, down, 1), (across * down, 1, 1)] if across * down <= MAX_THREADS else []
    of_square = blocks[:1] if across == down and lab.block[0] != lab.block[1] else []
    turned = [(lab.block[1], lab.block[0], lab.block[2])] if lab.block[0] != lab.block[1] else []
    for block in of_square + turned:
        yield replace(plain, block=block)
    for tile in dict.fromkeys([*stored, *_tiles(plain)]):
        yield replace(plain, tile=tile)
    for block in blocks[len(of_square) :]:
        yield replace(plain, block=block)
    is_possible_oblong = plain.block[0] != plain.block[1] and plain.threads <= MAX_THREADS
    if not is_declared or is_possible_oblong:
        for side in BLOCKS:
            yield replace(plain, block=(side, side, 1), tile=(side, side))
    if not is_declared:
        grid = f"ceil(M * N / {ONE_DIMENSION})"
        yield replace(plain, block=(ONE_DIMENSION, 1, 1), tile=(ONE_DIMENSION, 1), grid_by=(grid,))


def _with_layers(lab: Launch) -> Iterator[Launch]:
    """Yield launches of blocks with several threads along z, among which a kernel may divide the terms of a sum."""
    along_x, along_y, _ = lab.block
    for layers in LAYERS:
        if along_x * along_y * layers <= MAX_THREADS:
            yield replace(lab, block=(along_x, along_y, layers))


def _tiles(lab: Launch) -> list[tuple[int, int]]:
    """Return other tiles: those with one other side first, and large ones before parts of the right tile."""
    every = ((lab.block[0] * across, lab.block[1] * down) for across, down in product(MULTIPLES, MULTIPLES))

    def order(tile: tuple[int, int]) -> tuple[int, int]:
        return sum(side != own for side, own in zip(tile, lab.tile, strict=True)), -tile[0] * tile[1]

    return sorted((each for each in every if each != lab.tile), key=order)
