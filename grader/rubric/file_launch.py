"""The launch that a file's own host code has, where its text reduces to numbers and sizes. Pure; no host code runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from grader.model import Header, Interface, Launch, Shape
from grader.model.expressions import ExpressionError
from grader.rubric import calls, host_arithmetic
from grader.rubric.source_calls import SourceLaunch, SourceProgram, program

LONGEST = 1 << 16  # characters that are read; a file may be hostile
MOST_SHARED = 1 << 18


def text_of(source: str, headers: Iterable[Header]) -> str:
    """Return a file below the headers that it may use; nothing of what is too long to be read."""
    text = "\n".join([*(header.text for header in headers), source])
    return text if len(text) <= LONGEST else ""


def file_launch(text: str, interface: Interface, shapes: Sequence[Shape]) -> Launch | None:
    """Return the launch of the kernel; None if there is none, or none that has numbers at these sizes."""
    read = program(text)
    site = _site(read, interface.name)
    if site is None:
        return None
    read = replace(read, names=site.names)
    names = _roles(site, interface)
    grid, block = (host_arithmetic.sides(names, read, each) for each in (*site.how, "", "")[:2])
    shared = host_arithmetic.expression(names, read, site.how[2]) if len(site.how) > 2 else "0"  # noqa: PLR2004
    try:
        bytes_ = int(shared) if shared.isdigit() else shared
        launch = calls.launch_record({"block": block, "grid": grid, "shared": bytes_}, shapes[0])
        if not (shared and all(is_possible(launch, shape) for shape in shapes)):
            return None
    except ExpressionError:
        return None
    of_tiles = replace(launch, grid_by=())
    return of_tiles if all(of_tiles.at(shape).grid(shape) == launch.grid(shape) for shape in shapes) else launch


def is_possible(launch: Launch, shape: Shape) -> bool:
    """Whether a launch has blocks with threads. Raises ExpressionError."""
    there = launch.at(shape)
    return min(*there.block, *there.grid(shape)) > 0 and 0 <= there.shared <= MOST_SHARED


def _site(read: SourceProgram, name: str) -> SourceLaunch | None:
    """Return the first launch of the kernel, or of the only kernel that is launched."""
    known = {site.name for site in read.launches}
    wanted = name if name in known or len(known) != 1 else next(iter(known))
    return next((site for site in read.launches if site.name == wanted), None)


def _roles(site: SourceLaunch, interface: Interface) -> dict[str, str]:
    """Return which size each variable of the host is, as the lab calls the parameter that it is passed for."""
    values = (text.rpartition("=")[2].strip() for text in interface.parameters)
    pairs = zip(site.arguments, values, strict=False)
    return {argument: value for argument, value in pairs if value in calls.SIZES and re.fullmatch(r"\w+", argument)}
