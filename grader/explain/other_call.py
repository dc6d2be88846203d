"""The call for which a kernel is correct, where the lab's is another: for its author, and for the rubric's."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from grader.explain.wrong_elements.trial import INSTEAD_OF_ADDING
from grader.model import Fault, Interface, KernelCall, Launch
from grader.model.kernels import values
from grader.model.scenes import Story
from grader.rubric.calls import launch_fields, launch_line

STORED = "layout", "transpose_a", "transpose_b"  # how a rubric says that matrices are stored
NO_TABLE = Launch((16, 16, 1), (16, 16))  # of a rubric without the table launch
OUTSIDE_LOCAL = "outside-local"  # the diagnosis of an array of a thread that is too short, however it is launched


def with_call(fault: Fault, lab: KernelCall, other: KernelCall, launch_line: int = 0) -> Fault:
    """Return the fault with the other call, and what to change in the file, as its hint.

    A launch is changed in the line of LAUNCH, if the file has one. Even if that makes the kernel correct, a block that
    stores as many rows and columns as its tile has needs no other tile.
    """
    story, has_other_tile = fault.story, lab.launch.tile != other.launch.tile
    if (story and has_other_tile and _stores_a_tile(story)) or fault.diagnosis == OUTSIDE_LOCAL:
        return fault
    clauses, advice, _ = zip(*_changes(lab, other, launch_line), strict=True)
    line = launch_line if launch_line and lab.launch != other.launch else fault.line
    return replace(fault, hint=f"It is correct {' and '.join(clauses)}. {' '.join(advice)}", line=line)


def with_types(fault: Fault, elements: Iterable[tuple[str, str, str]]) -> Fault:
    """Return the fault with what to change of matrices: each has a name, a type in the file and one in the lab."""
    kinds = defaultdict[tuple[str, str], list[str]](list)
    for name, own, kind in elements:
        kinds[own, kind].append(name)
    declared, passed = zip(
        *((f"{', '.join(names)} of {own}", f"{', '.join(names)} of {kind}") for (own, kind), names in kinds.items()),
        strict=True,
    )
    hint = f"The file declares {' and '.join(declared)}, but this lab has {' and '.join(passed)}."
    return replace(fault, hint=f"{hint} Change the declaration.")


def _stores_a_tile(story: Story) -> bool:
    """Return whether a block stores as many rows and columns as its tile has, but others."""
    sides = [each[1] - each[0] for places in (story.reach, story.tile) for each in (places[:2], places[2:]) if each]
    return bool(story.reach) and sides[:2] == sides[2:]


def for_rubric(lab: KernelCall, other: KernelCall) -> Iterator[str]:
    """Yield what to write into the rubric, each with its place."""
    for _, _, (place, change) in _changes(lab, other):
        yield f"{place}: it is correct {change}"
    for name in STORED:
        ours, theirs = (getattr(call.interface, name) for call in (lab, other))
        if ours != theirs:
            yield f"kernel.{name}: it is correct with {json.dumps(theirs)}"


def _changes(lab: KernelCall, other: KernelCall, launch_line: int = 0) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """Yield a clause on each change of the call, what a student can do, and the place and change in the rubric."""
    ours, theirs = lab.interface, other.interface
    yield from _other_parameters(ours, theirs)
    if _types(ours) != _types(theirs):
        with_types, has_types = (f"A of {i.type_a}, B of {i.type_b} and C of {i.type_c}" for i in (theirs, ours))
        advice = f"This lab has {has_types}: change the declaration."
        yield f"with {with_types}", advice, ("kernel.types", f"with {_types(theirs)}")
    if ours.start != theirs.start:
        advice = f"This lab does not set C. {INSTEAD_OF_ADDING}"
        yield "if C is zero before the launch", advice, ("kernel.start", f"with {json.dumps(theirs.start)}")
    if ours.symbols != theirs.symbols:
        names = ", ".join(text.partition("=")[0].strip() for text in theirs.symbols)
        advice = "Host code does not run here: take the sizes from the parameters."
        yield f"if its host code sets {names}", advice, ("kernel.symbols", f"with {json.dumps(theirs.symbols)}")
    if lab.launch != other.launch:
        clause, advice = _other_launch(lab.launch, other.launch, launch_line)
        yield clause, advice, ("launch", _fields(lab.launch, other.launch))


def _other_parameters(lab: Interface, other: Interface) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """Yield the changes of the parameters of each kernel."""
    places = (*(f"before[{number}]" for number in range(len(lab.before))), "kernel")
    for place, (name, ours), (_, theirs) in zip(places, lab.kernels, other.kernels, strict=True):
        if ours != theirs:
            called, as_here = (f"{name}({', '.join(values(parameters))})" for parameters in (theirs, ours))
            has_structs = "{" in called
            clause = f"if it is called as {called}{' with structs of these fields' if has_structs else ''}"
            instead = " instead of the structs" if has_structs and "{" not in as_here else ""
            advice = f"This lab calls {as_here}: declare these parameters{instead}, in this order."
            yield clause, advice, (f"{place}.parameters", f"with {json.dumps(theirs)}")


def _fields(lab: Launch, other: Launch) -> str:
    """Return which fields a rubric needs for another launch, and which of its own it must not have."""
    ours, theirs = ({text.partition(" ")[0]: text for text in launch_fields(launch)} for launch in (lab, other))
    ours = {} if lab == NO_TABLE else ours  # which then has no field, or the block
    needed = ", ".join(text for name, text in theirs.items() if ours.get(name) != text)
    is_same_tile = lab.tile == other.tile
    wrong = ", ".join(
        text for name, text in ours.items() if name not in theirs and not (name == "tile" and is_same_tile)
    )
    return " and ".join([f"with {needed}"] * bool(needed) + [f"without {wrong}"] * bool(wrong))


def _other_launch(lab: Launch, other: Launch, line: int) -> tuple[str, str]:
    if _is_turned(lab, other):
        return "if the numbers of blocks along x and y are exchanged", _turn(lab, other, line)
    return f"if it is launched with {_launch(other)}", _advice(lab, other, line)


def _types(interface: Interface) -> str:
    return f'{{ A = "{interface.type_a}", B = "{interface.type_b}", C = "{interface.type_c}" }}'


def _launch(launch: Launch) -> str:
    grid = f"{_by(launch.grid_by)} blocks" if launch.grid_by else "blocks"
    tile = "" if launch.grid_by else f" for {launch.tile[0]} x {launch.tile[1]} elements of C"
    along = f", where blockIdx.x runs along the {launch.grid_x} of C" if launch.grid_x == "rows" else ""
    return f"{grid} of {_by(launch.threads_along)} threads{tile}{along}"


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
    return f"Write {launch_line(other)} {f'in line {line}' if line else 'below the kernel'}."


def _by(texts: Sequence[str]) -> str:
    return " x ".join(texts)
