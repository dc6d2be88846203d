"""The call for which a kernel is correct, where the lab's is another: for its author, and for the rubric's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.explain.wrong_elements.uses import INSTEAD_OF_ADDING
from grader.model import Fault, Interface, KernelCall, Launch
from grader.model.scenes import Story


def with_call(fault: Fault, lab: KernelCall, other: KernelCall, launch_line: int = 0) -> Fault:
    """Return the fault with the other call, and what to change in the file, as its hint.

    A launch is changed in the line of LAUNCH, if the file has one. A block that stores as many rows and columns as its
    tile has needs no other tile, even if that makes the kernel correct.
    """
    if fault.story and lab.launch.tile != other.launch.tile and _stores_a_tile(fault.story):
        return fault
    clauses, advice = zip(*_changes(lab, other, launch_line), strict=True)
    line = launch_line if launch_line and lab.launch != other.launch else fault.line
    return replace(fault, hint=f"It is correct {' and '.join(clauses)}. {' '.join(advice)}", line=line)


def _stores_a_tile(story: Story) -> bool:
    """Return whether a block stores as many rows and columns as its tile has, but others."""
    sides = [each[1] - each[0] for places in (story.reach, story.tile) for each in (places[:2], places[2:]) if each]
    return bool(story.reach) and sides[:2] == sides[2:]


def for_rubric(lab: KernelCall, other: KernelCall) -> Iterator[str]:
    """Yield what to write into the rubric, each with its place."""
    ours, theirs = lab.interface, other.interface
    if ours.parameters != theirs.parameters:
        yield f"kernel.parameters: it is correct with {json.dumps(theirs.parameters)}"
    if _types(ours) != _types(theirs):
        yield f"kernel.types: it is correct with {_types(theirs)}"
    if ours.start != theirs.start:
        yield f"kernel.start: it is correct with {json.dumps(theirs.start)}"
    if ours.symbols != theirs.symbols:
        yield f"kernel.symbols: it is correct with {json.dumps(theirs.symbols)}"
    if lab.launch != other.launch:
        yield f"launch: it is correct with {', '.join(_fields(other.launch))}"


def _changes(lab: KernelCall, other: KernelCall, launch_line: int) -> Iterator[tuple[str, str]]:
    """Yield a clause on each change of the call, and what its author can do."""
    ours, theirs = lab.interface, other.interface
    if ours.parameters != theirs.parameters:
        passes_structs = any("{" in text for text in theirs.parameters)
        as_structs = " with structs of these fields" if passes_structs else ""
        no_structs = " instead of the structs" if passes_structs and "{" not in "".join(ours.parameters) else ""
        yield (
            f"if it is called as {_call(theirs)}{as_structs}",
            f"This lab calls {_call(ours)}: declare these parameters{no_structs}, in this order.",
        )
    if _types(ours) != _types(theirs):
        yield f"with {_words_of_types(theirs)}", f"This lab has {_words_of_types(ours)}."
    if ours.start != theirs.start:
        yield (
            "if C is zero before the launch",
            f"This lab does not set C. {INSTEAD_OF_ADDING}",
        )
    if ours.symbols != theirs.symbols:
        yield (
            f"if its host code sets {', '.join(text.partition('=')[0].strip() for text in theirs.symbols)}",
            "Host code does not run here: take the sizes from the parameters.",
        )
    if _is_turned(lab.launch, other.launch):
        yield "if the numbers of blocks along x and y are exchanged", _turn(lab.launch, other.launch, launch_line)
    elif lab.launch != other.launch:
        yield f"if it is launched with {_launch(other.launch)}", _advice(lab.launch, other.launch, launch_line)


def _call(interface: Interface) -> str:
    values = (text.partition("=")[2].strip() or text for text in interface.parameters)
    return f"{interface.name}({', '.join(values)})"


def _types(interface: Interface) -> str:
    return f'{{ A = "{interface.type_a}", B = "{interface.type_b}", C = "{interface.type_c}" }}'


def _words_of_types(interface: Interface) -> str:
    return f"A of {interface.type_a}, B of {interface.type_b} and C of {interface.type_c}"


def _launch(launch: Launch) -> str:
    grid = f"{_by(launch.grid_by)} blocks" if launch.grid_by else "blocks"
    tile = "" if launch.grid_by else f" for {launch.tile[0]} x {launch.tile[1]} elements of C"
    along = f", where blockIdx.x runs along the {launch.grid_x} of C" if launch.grid_x == "rows" else ""
    return f"{grid} of {_by(_block(launch))} threads{tile}{along}"


def _is_turned(lab: Launch, other: Launch) -> bool:
    """Whether only the axes of the grid differ, and a tile shows it: either of the tile and .grid_x may be wrong."""
    columns, rows = lab.tile
    return lab.grid_x != other.grid_x and columns != rows and lab == replace(other, grid_x=lab.grid_x)


def _turn(lab: Launch, other: Launch, line: int) -> str:
    columns, rows = lab.tile
    where = f" in line {line}" if line else " in a LAUNCH line"
    axis = "ROWS" if other.grid_x == "rows" else "COLUMNS"
    return (
        f"If a block computes {rows} columns and {columns} rows of C, write .tile = {{{rows}, {columns}}}{where}: the "
        f"columns come first. If it takes its {axis.lower()} from blockIdx.x, write .grid_x = {axis} there instead."
    )


def _advice(lab: Launch, other: Launch, line: int) -> str:
    if other.grid_by or other.block_by or other.shared_by:
        return f"This lab launches {_launch(lab)}: compute row and col of C for these."
    fields = [f".block = {{{', '.join(_block(other))}}}", f".tile = {{{other.tile[0]}, {other.tile[1]}}}"]
    fields += [f".shared = {other.shared}"] if other.shared else []
    fields += [".grid_x = ROWS"] if other.grid_x == "rows" else []
    return f"Write LAUNCH({', '.join(fields)}); {f'in line {line}' if line else 'below the kernel'}."


def _fields(launch: Launch) -> Iterator[str]:
    yield f"block = {_list(_block(launch))}"
    if launch.grid_by:
        yield f"grid = {_list(launch.grid_by)}"
    elif launch.tile != launch.block[:2] or launch.block_by:
        yield f"tile = {list(launch.tile)}"
    if launch.shared or launch.shared_by:
        yield f"shared = {json.dumps(launch.shared_by or launch.shared)}"
    if launch.grid_x == "rows":
        yield 'grid_x = "rows"'


def _block(launch: Launch) -> Sequence[str]:
    x, y, z = launch.block
    return launch.block_by or tuple(map(str, (x, y, z) if z > 1 else (x, y) if y > 1 else (x,)))


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(text if text.isdigit() else json.dumps(text) for text in texts)}]"


def _by(texts: Sequence[str]) -> str:
    return " x ".join(texts)
