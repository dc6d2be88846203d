"""The launch of a proposed rubric, and the sizes at which it covers C. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from grader.contract.launch_limits import MAX_THREADS
from grader.model import Launch, Shape
from grader.rubric import calls
from grader.rubric.arithmetic import expression
from grader.rubric.errors import Table
from grader.rubric.host_code import launch_table, possible_launch, with_tiles
from grader.rubric.size_names import size_of
from grader.rubric.source_calls import SourceKernel, SourceLaunch, SourceProgram

GUARD = re.compile(r"\b(?:if|while)\b|\?")  # of an access, so that any size is right
OF_VECTORS = re.compile(r"\bload_matrix_sync\b|\b(?:float|int|double)[24]\b")  # whose accesses are aligned
SHARED = re.compile(r"\b__shared__\s+\w[\w ]*\[\s*([^\]]{1,60})\]\s*\[")
TILE = re.compile(r"(?i)tile|block|side|^[bt]s$")
WHOLE_TILES, ANY_SIZE, ONE_BLOCK, FEW = (64, 128, 256), (33, 64, 130), (16, 24, 32), (2, 4, 6)
MOST_SIZE, SOON = 1 << 15, 1024


@dataclass(slots=True)
class Draft:
    """A proposal in the making: its parameters, and remarks on what is not certain."""

    parameters: list[str] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # of the host code, and what they are here
    remarks: list[str] = field(default_factory=list)
    sizes: list[Shape] = field(default_factory=list)
    constants: dict[str, int] = field(default_factory=dict)  # that are set to a size which is checked soon
    template: dict[str, str] = field(default_factory=dict)


def sizes(draft: Draft, read: SourceProgram, kernel: SourceKernel) -> list[Shape]:
    """Return sizes for which a kernel is written: its own constant, whole tiles, or any."""
    if read.symbols or _sizes_in(draft.parameters):
        is_guarded = GUARD.search(kernel.body) and not OF_VECTORS.search(kernel.body)
        return _of_lengths(draft, ANY_SIZE if is_guarded or not kernel.body.strip() else WHOLE_TILES)
    used = {name for name in re.findall(r"\w+", kernel.body) if not TILE.search(name)}
    whole = {name: text for name, text in read.names.items() if name not in read.reals and "Idx" not in text}
    written = {name: constant(read, text) for name, text in whole.items()}
    written = {name: number for name, number in written.items() if 1 < number <= MOST_SIZE and not TILE.search(name)}
    lengths = _lengths(name for name in written if name in used or name in read.macros) or _lengths(written)
    is_oblong = len({written[name] for name in lengths}) > 1
    names = lengths if is_oblong else [name for name in written if name in used]
    numbers = sorted({written[name] for name in names}) or [WHOLE_TILES[-1]]
    if len(numbers) > 1 and not is_oblong:
        draft.remarks.append(f"The kernel has the sizes {numbers}: for a product that is not square, give [M, N, K].")
    soon = {number: WHOLE_TILES[1] if number > SOON else number for number in numbers}
    if is_oblong and numbers[-1] > SOON:
        soon = dict(zip(numbers, WHOLE_TILES, strict=False))
    draft.constants = {name: soon[written[name]] for name in names if soon[written[name]] != written[name]}
    if draft.constants:
        set_to = ", ".join(f"{name} = {length}" for name, length in draft.constants.items())
        draft.remarks.append(f"The kernel is for its own size alone, which takes long. Set for the check: {set_to}.")
    return [Shape(*(soon[written[name]] for name in lengths))] if is_oblong else squares(soon[numbers[-1]])


def _lengths(names: Iterable[str]) -> list[str]:
    """Return the names of M, N and K, or nothing if these names are not one for each."""
    named = [(size_of(name), name) for name in names]
    found = [[name for size, name in named if size == length] for length in "MNK"]
    return [name for (name,) in found] if all(len(each) == 1 for each in found) else []


def squares(*lengths: int) -> list[Shape]:
    """Return the size of each length."""
    return [Shape(length, length, length) for length in lengths]


def _sizes_in(texts: Iterable[str]) -> set[str]:
    """Return which of M, N and K there are in expressions."""
    return set(re.findall(r"\b[MNK]\b", " ".join(texts)))


def _of_lengths(draft: Draft, lengths: Sequence[int]) -> list[Shape]:
    """Return the size of each length, after one that shows the order of M, N and K to a kernel of rectangles."""
    is_oblong = {"N", "K"} <= _sizes_in(draft.parameters) and len(lengths) == len("MNK")
    # The shortest are the rows of C, and the longest its columns: so blocks of rows and of columns differ in number.
    return [*([Shape(*(lengths[index] for index in (0, 2, 1)))] if is_oblong else ()), *squares(*lengths)]


def constant(read: SourceProgram, text: str) -> int:
    """Return what host code computes from constants; 0 for what it does not."""
    found = expression({}, read, text)
    return int(found) if found.isdigit() else 0


def launch_lines(draft: Draft, read: SourceProgram, kernel: SourceKernel, site: SourceLaunch | None) -> Iterator[str]:
    """Yield the lines of [launch], as far as the launch reduces to numbers and sizes."""
    table = launch_table(draft.names, read, site.how) if site else {"block": [""], "grid": [""]}
    _name_for_c(draft, table["grid"])
    grid, block = table["grid"], table["block"]
    if site and "" in (*grid, *block):
        draft.remarks.append(f"The launch <<<{', '.join(site.how)}>>> could not be read: see [launch].")
    if all(each.isdigit() for each in block) and math.prod(map(int, block)) > MAX_THREADS:
        draft.remarks.append(f"The program's blocks of {' x '.join(block)} threads are too large for a GPU.")
        block = [""]
    if "" in block:
        block = _tile(draft, read, kernel)
        grid = grid if block else [""]
    if all(each.isdigit() for each in (*grid, *block)):
        grid = _of_one_size(draft, grid, block)
    table |= {"block": block, "grid": [] if "" in grid else grid, "shared": table.get("shared") or 0}
    yield from calls.launch_fields(_sized(draft, table)) if block else ()


def _name_for_c(draft: Draft, grid: list[str]) -> None:
    """Exchange K with M or N where the grid of a kernel that is given all three has K: a grid has the sizes of C."""
    along = _sizes_in(grid)
    if _sizes_in(draft.parameters) == {*"MNK"} and "K" in along and len(along) == len("MN"):
        (other,) = {*"MN"} - along
        names = {"K": other, other: "K"}
        for texts in (draft.parameters, grid):
            texts[:] = [re.sub(r"\b[MNK]\b", lambda found: names.get(found[0], found[0]), text) for text in texts]


def _tile(draft: Draft, read: SourceProgram, kernel: SourceKernel) -> list[str]:
    """Return a block with as many threads as a tile in shared memory has elements."""
    found = SHARED.search(kernel.body)
    side = constant(read, draft.template.get(found[1].strip(), found[1])) if found else 0
    if side * side not in range(2, MAX_THREADS + 1):
        return []
    draft.remarks.append(f"A block has a thread for each element of a tile in shared memory, {side} x {side}.")
    return [str(side), str(side)]


def _of_one_size(draft: Draft, grid: list[str], block: list[str]) -> list[str]:
    """Return the grid of a launch in numbers, or none if its threads cover a C of which a block has a tile.

    A single row of blocks tells the size of a kernel without one. A grid with fewer threads along a side than the only
    size of a kernel stays: each of them stores several elements, or the program leaves elements out.
    """
    extents = zip((*grid, "1")[:2], (*block, "1")[:2], strict=True)
    columns, rows = (int(blocks) * int(threads) for blocks, threads in extents)
    if "1" in (*grid, "1")[:2] and len(draft.sizes) > 1:
        side = math.isqrt(columns * rows)
        draft.sizes = squares(side) if side > 1 else _of_lengths(draft, ONE_BLOCK)
    if _sizes_in(draft.parameters) and columns != rows and "1" not in (*grid, "1")[:2]:
        draft.remarks.append(f"The program's grid of {' x '.join(grid)} blocks is for one size. Here, blocks cover C.")
        return []
    least = draft.sizes[0].N if len(draft.sizes) == 1 else 2
    return [] if columns == rows >= least else grid


def _sized(draft: Draft, table: Table) -> Launch:
    """Return the launch at the first sizes at which it has tiles, or is possible; these become the lab's."""
    sides = [int(each) for each in table["block"][:2] if each.isdigit()]
    lengths = (WHOLE_TILES, [math.lcm(*sides) * tiles for tiles in FEW]) if sides else ()
    for sizes in (draft.sizes, *(_of_lengths(draft, each) for each in lengths)):
        # A grid without M or N is right for squares only; the tiles that its blocks have there are taken for all sizes.
        square = [shape for shape in sizes if shape.is_square and not {"M", "N"} <= _sizes_in(table["grid"])]
        for shapes, grid_x in ((sizes, "columns"), (sizes, "rows"), (square, "columns")):
            launch = possible_launch(table | {"grid_x": grid_x}, shapes) if shapes else None
            launch = launch and with_tiles(launch, shapes)
            if sides and launch and launch.has_tiles and (grid_x == "columns" or sides[:1] == sides[1:]):
                draft.sizes = sizes
                return launch
    for sizes in (draft.sizes, *(squares(*each) for each in (WHOLE_TILES, ONE_BLOCK, FEW))):
        found = {shape: possible_launch(table, [shape]) for shape in sizes}
        if possible := [shape for shape, launch in found.items() if launch and launch.threads <= MAX_THREADS]:
            draft.sizes = possible
            break
    return calls.launch_record(table, draft.sizes[0])
