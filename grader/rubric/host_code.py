"""The launch that a file's own host code has, where its text reduces to numbers and sizes. Pure; no host code runs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from grader.contract.structs import split
from grader.model import Header, Interface, Launch, Shape
from grader.model.expressions import ExpressionError
from grader.rubric import calls
from grader.rubric.arithmetic import expression, extents
from grader.rubric.errors import Table
from grader.rubric.source_calls import SourceLaunch, SourceProgram, program

LONGEST = 1 << 16  # characters that are read; a file may be hostile


def text_of(source: str, headers: Iterable[Header]) -> str:
    """Return a file below the headers that it may use; nothing of what is too long to be read."""
    text = "\n".join([*(header.text for header in headers), source])
    return text if len(text) <= LONGEST else ""


def file_launch(text: str, interface: Interface, shapes: Sequence[Shape]) -> Launch | None:
    """Return the launch of the kernel; None if there is none, or none that has numbers at these sizes."""
    read = program(text)
    known = {site.name for site in read.launches}
    name = interface.name if interface.name in known or len(known) != 1 else known.pop()
    site = first_launch(read, name)
    return possible_launch(launch_table(_roles(site, interface), site), shapes) if site else None


def first_launch(read: SourceProgram, name: str) -> SourceLaunch | None:
    """Return the first launch of a kernel, of several templates one that names the width of its block."""

    def names_block(site: SourceLaunch) -> bool:
        return launch_table({}, site)["block"][0] in split(site.template)

    return max((site for site in read.launches if site.name == name), key=names_block, default=None)


def launch_table(roles: Mapping[str, str], site: SourceLaunch) -> Table:
    """Return the blocks, threads and bytes of a launch as a rubric has them, each empty where it is no expression."""
    written = (extents(site.names, text) for text in (*site.how, *("", "", "0")[len(site.how) :])[:3])
    grid, block, shared = ([expression(roles, site.names, each) for each in sides] for sides in written)
    return {"block": block, "grid": grid, "shared": int(shared[0]) if shared[0].isdigit() else shared[0]}


def possible_launch(table: Table, shapes: Sequence[Shape]) -> Launch | None:
    """Return a launch that has blocks at all sizes; None for another one."""
    try:
        launch = calls.launch_record(table, shapes[0])
        is_possible = table["shared"] != "" and all(_is_possible(launch, shape) for shape in shapes)
    except ExpressionError:
        return None
    return launch if is_possible else None


def with_tiles(launch: Launch, shapes: Sequence[Shape]) -> Launch:
    """Return a launch that is possible at these sizes as one of tiles, if it is one at all of them."""
    of_tiles = replace(launch, grid_by=())
    return (
        of_tiles if all(of_tiles.at(shape).grid(shape) == launch.at(shape).grid(shape) for shape in shapes) else launch
    )


def _is_possible(launch: Launch, shape: Shape) -> bool:
    """Whether a launch has blocks with threads. Raises ExpressionError."""
    there = launch.at(shape)
    return min(*there.block, *there.grid(shape)) > 0 and 0 <= there.shared <= calls.MOST_SHARED


def _roles(site: SourceLaunch, interface: Interface) -> dict[str, str]:
    """Return which size each variable of the host is, as the lab calls the parameter that it is passed for."""
    values = (text.rpartition("=")[2].strip() for text in interface.parameters)
    pairs = zip(site.arguments, values, strict=False)
    return {argument: value for argument, value in pairs if value in calls.SIZES and re.fullmatch(r"\w+", argument)}
