"""The launch of a proposed rubric, and the sizes at which it covers C. Pure."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from grader.model import Shape, expressions
from grader.rubric import host_arithmetic
from grader.rubric.source_calls import SourceKernel, SourceLaunch, SourceProgram

GUARD = re.compile(r"\b(?:if|while)\b|\?")  # of an access, so that any size is right
SHARED = re.compile(r"\b__shared__\s+\w[\w ]*\[\s*([^\]]{1,60})\]\s*\[")
TILE = re.compile(r"(?i)tile|block|side|^[bt]s$")
WHOLE_TILES, ANY_SIZE, ONE_BLOCK, FEW = [64, 128, 256], [33, 64, 130], [16, 32], [2, 4]
MOST_SIZE, SOON, MOST_THREADS = 1 << 15, 1024, 1024


@dataclass(slots=True)
class Draft:
    """A proposal in the making: its parameters, and remarks on what is not certain."""

    parameters: list[str] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # of the host code, and what they are here
    remarks: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)  # that are set to a size which is checked soon
    template: dict[str, str] = field(default_factory=dict)


def sizes(draft: Draft, read: SourceProgram, kernel: SourceKernel) -> list[int]:
    """Return sizes for which a kernel is written: its own constant, whole tiles, or any."""
    if read.symbols or any(re.search(r"\b[MNK]\b", text) for text in draft.parameters):
        return ANY_SIZE if GUARD.search(kernel.body) or not kernel.body.strip() else WHOLE_TILES
    used = {name for name in re.findall(r"\w+", kernel.body) if not TILE.search(name)}
    written = {name: constant(read, text) for name, text in read.names.items() if "Idx" not in text}
    constants = [number for name, number in written.items() if name in used and 1 < number <= MOST_SIZE]
    if len(set(constants)) > 1:
        draft.remarks.append(f"The kernel has the sizes {constants}: for a product that is not square, give [M, N, K].")
    size = max(constants, default=WHOLE_TILES[-1])
    if size <= SOON:
        return [size]
    draft.constants = [name for name, number in written.items() if name in used and SOON < number <= MOST_SIZE]
    names = " and ".join(draft.constants)
    draft.remarks.append(f"The kernel is for {size} alone, which takes long. Set to {WHOLE_TILES[1]}: {names}.")
    return WHOLE_TILES[1:2]


def constant(read: SourceProgram, text: str) -> int:
    """Return what host code computes from constants; 0 for what it does not."""
    found = host_arithmetic.expression({}, read, text)
    return int(found) if found.isdigit() else 0


def launch_lines(draft: Draft, read: SourceProgram, kernel: SourceKernel, site: SourceLaunch | None) -> Iterator[str]:
    """Yield the lines of [launch], as far as the launch reduces to numbers and sizes."""
    how = site.how if site else ()
    grid, block = (host_arithmetic.sides(draft.names, read, text) for text in (*how, "", "")[:2])
    if how and "" in (*grid, *block):
        draft.remarks.append(f"The launch <<<{', '.join(how)}>>> could not be read: see [launch].")
    if all(each.isdigit() for each in block) and math.prod(map(int, block)) > MOST_THREADS:
        draft.remarks.append(f"The program's blocks of {' x '.join(block)} threads are too large for a GPU.")
        block = [""]
    if "" in block:
        block = _tile(draft, read, kernel)
        grid = grid if block else [""]
    is_of_tiles = "" in grid or (block != [] and _is_of_tiles(draft, grid, block))
    if block:
        yield f"block = {_list(block)}"
    if not is_of_tiles:
        yield f"grid = {_list(grid)}"
    for text in how[2:3]:
        if (shared := host_arithmetic.expression(draft.names, read, text)) not in {"", "0"}:
            yield f"shared = {_list([shared])[1:-1]}"


def _tile(draft: Draft, read: SourceProgram, kernel: SourceKernel) -> list[str]:
    """Return a block with as many threads as a tile in shared memory has elements."""
    found = SHARED.search(kernel.body)
    side = constant(read, draft.template.get(found[1].strip(), found[1])) if found else 0
    if side * side not in range(2, MOST_THREADS + 1):
        return []
    draft.remarks.append(f"A block has a thread for each element of a tile in shared memory, {side} x {side}.")
    return [str(side), str(side)]


def _is_of_tiles(draft: Draft, grid: list[str], block: list[str]) -> bool:
    """Whether the grid is that of tiles as large as the block; the sizes become those at which the launch is possible.

    Several blocks in both directions whose number is no expression cover the square of their program's one size.
    """
    if all(each.isdigit() for each in block):
        columns, rows = (*map(int, block), 1)[:2]
        if all(each.isdigit() for each in grid):
            return _covers_its_size(draft, [int(each) for each in (*grid, "1")[:2]], [columns, rows])
        for sizes in (draft.sizes, WHOLE_TILES, [math.lcm(columns, rows) * tiles for tiles in FEW]):
            if all(_extents(grid, size)[:2] == [-(-size // columns), -(-size // rows)] for size in sizes):
                draft.sizes = sizes
                return True
    for sizes in (draft.sizes, WHOLE_TILES, ONE_BLOCK, FEW):
        if possible := [size for size in sizes if _is_possible(_extents(grid, size), _extents(block, size))]:
            draft.sizes = possible
            break
    return False


def _covers_its_size(draft: Draft, grid: list[int], block: list[int]) -> bool:
    """Whether a launch in numbers covers a square with a thread for each element; else with as many threads."""
    columns, rows = (blocks * threads for blocks, threads in zip(grid, block, strict=True))
    if min(grid) == 1 and draft.sizes in (ANY_SIZE, WHOLE_TILES):
        side = math.isqrt(columns * rows)
        draft.sizes = [side] if side > 1 else ONE_BLOCK
    return columns == rows > 1


def _is_possible(grid: list[int], block: list[int]) -> bool:
    return min(*grid, *block) > 0 and math.prod(block) <= MOST_THREADS


def _extents(texts: list[str], size: int) -> list[int]:
    """Return the sides at a size; zeros if they have no value."""
    try:
        there = [expressions.whole(each, Shape(size, size, size).lengths) for each in texts]
    except expressions.ExpressionError:
        return [0, 0]
    return [*there, 1]


def _list(texts: list[str]) -> str:
    return f"[{', '.join(text if text.isdigit() else json.dumps(text) for text in texts)}]"
