"""The launch of a proposed rubric, and what of its sizes and parameters follows from it. Pure."""

import math
import re
from collections.abc import Collection
from dataclasses import dataclass

from grader.contract.launch_limits import MAX_THREADS
from grader.model import Launch
from grader.rubric import calls
from grader.rubric.arithmetic import constant
from grader.rubric.errors import Table
from grader.rubric.host_code import launch_table, possible_launch, with_tiles
from grader.rubric.host_names import sizes_in
from grader.rubric.proposed_call import ProposedCall
from grader.rubric.proposed_sizes import WHOLE_TILES, Shapes, of_lengths, squares

SHARED = re.compile(r"\b__shared__\s+\w[\w ]*\[\s*([^\]]{1,60})\]\s*\[")
ONE_BLOCK, FEW = (16, 24, 32), (2, 4, 6)

Texts = list[str]


@dataclass(frozen=True, slots=True)
class ProposedLaunch:
    """A launch, or none that reduces to numbers and sizes; the parameters and sizes that fit it, and remarks."""

    launch: Launch | None
    parameters: tuple[str, ...]
    shapes: Shapes
    remarks: tuple[str, ...]


def proposed_launch(call: ProposedCall, shapes: Shapes) -> ProposedLaunch:
    """Return the launch as far as it reduces to numbers and sizes."""
    table = launch_table(call.roles, call.launch)
    parameters, grid = _named_for_c(call, table["grid"])
    block, remarks = _block(call, table["block"])
    if call.launch.how and "" in (*grid, *table["block"]):
        remarks = [f"The launch <<<{', '.join(call.launch.how)}>>> could not be read: see [launch].", *remarks]
    if not block:
        return ProposedLaunch(None, parameters, shapes, tuple(remarks))
    if all(each.isdigit() for each in (*grid, *block)):
        shapes, grid, of_grid = _of_one_size(call.sizes, shapes, grid, block)
        remarks += of_grid
    table |= {"block": block, "grid": [] if "" in grid else grid, "shared": table["shared"] or 0}
    launch, shapes = _of_tiles(table, shapes, call.sizes) or _possible(table, shapes)
    return ProposedLaunch(launch, parameters, shapes, tuple(remarks))


def _named_for_c(call: ProposedCall, grid: Texts) -> tuple[tuple[str, ...], Texts]:
    """Exchange K with M or N where the grid of a kernel that is given all three has K: a grid has the sizes of C."""
    along = sizes_in(grid)
    if not (call.sizes == {*"MNK"} and "K" in along and len(along) == len("MN")):
        return call.parameters, grid
    (other,) = {*"MN"} - along
    names = {"K": other, other: "K"}
    parameters, grid = (
        [re.sub(r"\b[MNK]\b", lambda found: names.get(found[0], found[0]), text) for text in texts]
        for texts in (call.parameters, grid)
    )
    return tuple(parameters), grid


def _block(call: ProposedCall, written: Texts) -> tuple[Texts, Texts]:
    """Return a block that a GPU accepts, or else one as large as a tile in shared memory, or none; and remarks."""
    threads = math.prod(map(int, written)) if all(each.isdigit() for each in written) else 0
    if "" not in written and threads <= MAX_THREADS:
        return written, []
    is_large = f"The program's blocks of {' x '.join(written)} threads are too large for a GPU."
    remarks = [is_large] if threads else []
    found = SHARED.search(call.kernel.body)
    side = constant(call.launch.names, call.template.get(found[1].strip(), found[1])) if found else 0
    if side * side not in range(2, MAX_THREADS + 1):
        return [], remarks
    of_tile = f"A block has a thread for each element of a tile in shared memory, {side} x {side}."
    return [str(side)] * 2, [*remarks, of_tile]


def _of_one_size(given: Collection[str], shapes: Shapes, grid: Texts, block: Texts) -> tuple[Shapes, Texts, Texts]:
    """Return the sizes and the grid of a launch in numbers, and remarks; no grid if a block has a tile of C.

    A single row of blocks tells the size of a kernel without one. A grid with fewer threads along a side than the only
    size of a kernel stays: each of them stores several elements, or the program leaves elements out.
    """
    sides = (*grid, "1")[:2]
    columns, rows = (int(blocks) * int(threads) for blocks, threads in zip(sides, (*block, "1")[:2], strict=True))
    if "1" in sides and len(shapes) > 1:
        side = math.isqrt(columns * rows)
        shapes = squares(side) if side > 1 else of_lengths(ONE_BLOCK, given)
    if given and columns != rows and "1" not in sides:
        remark = f"The program's grid of {' x '.join(grid)} blocks is for one size. Here, blocks cover C."
        return shapes, [], [remark]
    least = shapes[0].N if len(shapes) == 1 else 2
    return shapes, [] if columns == rows >= least else grid, []


def _of_tiles(table: Table, shapes: Shapes, given: Collection[str]) -> tuple[Launch, Shapes] | None:
    """Return the launch and the first sizes at which it has tiles: the kernel's own, or whole tiles."""
    sides = [int(each) for each in table["block"][:2] if each.isdigit()]
    lengths = (WHOLE_TILES, [math.lcm(*sides) * tiles for tiles in FEW])
    for sizes in (shapes, *(of_lengths(each, given) for each in lengths)) if sides else ():
        # A grid without M or N is right for squares only; the tiles that its blocks have there are taken for all sizes.
        square = [shape for shape in sizes if shape.is_square and not {"M", "N"} <= sizes_in(table["grid"])]
        for tried, grid_x in ((sizes, "columns"), (sizes, "rows"), (square, "columns")):
            launch = possible_launch(table | {"grid_x": grid_x}, tried) if tried else None
            launch = launch and with_tiles(launch, tried)
            if launch and launch.has_tiles and (grid_x == "columns" or sides[:1] == sides[1:]):
                return launch, sizes
    return None


def _possible(table: Table, shapes: Shapes) -> tuple[Launch, Shapes]:
    """Return the launch and the first sizes at which it is possible: the kernel's own, or others."""
    for sizes in (shapes, *(squares(*each) for each in (WHOLE_TILES, ONE_BLOCK, FEW))):
        found = {shape: possible_launch(table, [shape]) for shape in sizes}
        if possible := [shape for shape, launch in found.items() if launch and launch.threads <= MAX_THREADS]:
            shapes = tuple(possible)
            break
    return calls.launch_record(table, shapes[0]), shapes
