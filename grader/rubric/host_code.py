"""The launch that a file's own host code has, where its text reduces to numbers and sizes. Pure; no host code runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from grader.contract.structs import split
from grader.model import Header, Interface, Launch, Shape, expressions
from grader.model.expressions import ExpressionError
from grader.rubric import calls
from grader.rubric.errors import Table
from grader.rubric.source_calls import FIELD, REAL, SourceLaunch, SourceProgram, program

DIM3 = re.compile(r"dim3\s*[({](.*)[)}]", re.DOTALL)
NAME = re.compile(r"\b[A-Za-z_]\w*")
CALL = re.compile(r"\b(?!ceil\b|min\b|max\b)([A-Za-z_]\w*)\s*\(((?:[^()]|\([^()]*\))*)\)")
LEFT_OUT = re.compile(
    r"""\((?:int|float|double|unsigned(?:[ ]int)?|size_t)\)|\bstatic_cast<(?:unsigned[ ])?\w+>
    |\b(?:int|float|double)(?=\()|\bstd::|(?<=\d)[uUlLfF]+\b|(?<=\bceil)f\b""", re.VERBOSE)  # fmt: skip
SHIFT = re.compile(r"\b(\d{1,9})\s*<<\s*(\d{1,2})\b")
INNERMOST = re.compile(r"\(([^()]*)\)")
QUOTIENT = re.compile(r"(?<!/)/(?!/)")
NEGATIVE = re.compile(r"(?:^|[-+*/%(,])\s*-")
OF_FLOAT = re.compile(r"\bsizeof\s*\(\s*(?:float|int)\s*\)")
ROWS = re.compile(r"h|height|(?:n|num)?rows?")
SIDES = {"A": ("M", "K"), "B": ("K", "N"), "C": ("M", "N")}
SIZES = {  # how the names of sizes read without underscores, in the order in which they are tried
    "M": r"m|(num)?[acmn]?rows?|rows?[ac1]|[hm][ac]|h|height[ac1]?",
    "K": r"k|(num)?(acol(umn)?s?|brows?)|wa|hb|cols?[a1]|inner|common|width[a1]|height[b2]|rows?[b2]",
    "N": r"n|(num)?[bcn]?col(umn)?s?|w[bc]?|cols?[bc2]|width[bc2]?|(matrix|mat)?(size|dim)|dimension|length|order|d",
}
OWN = frozenset({"M", "N", "K", "ceil", "min", "max"})
LONGEST_SIDE = 32  # of a square block
MOST_STEPS = 4  # from a variable to what it is computed from
MOST_NAMES = 8  # in an expression: a chain of long ones would be as long as a power of that
LONGEST_EXPRESSION = 1000  # characters
LONGEST = 1 << 16  # characters that are read; a file may be hostile


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
    table = launch_table(_roles(site, interface), replace(read, names=site.names), site.how)
    return possible_launch(table, shapes)


def launch_table(names: Mapping[str, str], read: SourceProgram, how: Sequence[str]) -> Table:
    """Return the blocks, threads and bytes of a launch as a rubric has them, each empty where it is no expression."""
    written = (_written(read, text) for text in (*how, *("", "", "0")[len(how) :])[:3])
    grid, block, shared = ([expression(names, read, each) for each in sides] for sides in written)
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


def size_of(name: str) -> str:
    """Return the size that a variable of this name usually has; empty for other names."""
    return next((size for size, names in SIZES.items() if re.fullmatch(names, _plain(name))), "")


def side(matrix: str, field: str) -> str:
    """Return the size that a field of a matrix has, such as its width."""
    return SIDES[matrix.upper()][not ROWS.fullmatch(_plain(field))]


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def expression(
    names: Mapping[str, str], read: SourceProgram, text: str, steps: int = MOST_STEPS, *, real: bool = False
) -> str:
    """Return C++ arithmetic over what `names` says of host variables, or its value; empty for what is none.

    A fraction is rounded down, unless it comes to ceil first, or the value is that of a `real` variable which does.
    """
    text = OF_FLOAT.sub("4", _with_calls(read, text))
    exact = real or "ceil" in text
    text = LEFT_OUT.sub("", _with_whole_quotients(read, text) if exact else QUOTIENT.sub("//", text))
    text = SHIFT.sub(lambda found: str(int(found[1]) << int(found[2])), text)
    text = re.sub(r"(\w+)\.([xyz])\b", lambda found: _extent(read, *found.groups()), text)
    text = FIELD.sub("_", re.sub(r"\b([ABCabc])\w*\.(\w+)", lambda found: side(*found.groups()), text))

    def replaced(found: re.Match[str]) -> str:
        value, size = read.names.get(found[0], ""), size_of(found[0])
        # A variable that is named like a size has the one that the program happens to have; a macro is a constant, and
        # so is what may be a side of a block, where the kernel is given that size by another name.
        is_size = value.isdigit() and (int(value) > LONGEST_SIDE or size not in names.values())
        if names and size and is_size and found[0] not in read.macros:
            value = size
        value = names.get(found[0]) or value or size
        if not value or not steps or value in OWN:
            return value if value in OWN else found[0]
        inner = expression(names, read, value, steps - 1, real=exact and found[0] in read.reals)
        return inner if re.fullmatch(r"\w*", inner) else f"({inner})"

    if len(NAME.findall(text)) > MOST_NAMES or ("//" in text and NEGATIVE.search(text)):  # C++ rounds to zero
        return ""
    text = NAME.sub(replaced, text)
    try:
        number = expressions.value(text, dict.fromkeys("MNK", 64))
        return text if expressions.names_in(text) or number.denominator > 1 else str(number)
    except expressions.ExpressionError:
        return ""


def _with_whole_quotients(read: SourceProgram, text: str) -> str:
    """Return arithmetic in which quotients are rounded down where the parentheses around them have no real number."""

    def rounded(part: str) -> str:
        is_real = REAL.search(part) or not read.reals.isdisjoint(NAME.findall(part))
        return part if is_real else QUOTIENT.sub("//", part)

    while INNERMOST.search(text):
        text = INNERMOST.sub(lambda found: f"[{rounded(found[1])}]", text)
    return rounded(text).replace("[", "(").replace("]", ")")


def _with_calls(read: SourceProgram, text: str) -> str:
    """Return arithmetic with what the program's functions return in place of their calls; empty if that is long."""

    def returned(call: re.Match[str]) -> str:
        if not (function := read.functions.get(call[1])):
            return call[0]
        given = dict(zip(function.parameters, split(call[2]), strict=False))
        return NAME.sub(lambda name: given.get(name[0], name[0]), function.value)

    for _ in range(MOST_STEPS):
        text = CALL.sub(returned, text) if len(text) <= LONGEST_EXPRESSION else ""
    return text


def _written(read: SourceProgram, text: str) -> tuple[str, ...]:
    """Return the extents of a grid or a block as they are written; an empty dim3 is one."""
    found = DIM3.fullmatch(read.names.get(text, text))
    return split(found[1]) or ("1",) if found else (text,)


def _extent(read: SourceProgram, name: str, axis: str) -> str:
    """Return what a dim3 has along an axis, as it is written."""
    return f"({(*_written(read, name), '1', '1')['xyz'.index(axis)]})" if name in read.names else f"{name}_{axis}"
