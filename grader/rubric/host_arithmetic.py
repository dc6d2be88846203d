"""The arithmetic of a program's host code as a rubric writes it. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from grader.model import expressions
from grader.rubric.source_calls import SourceProgram, split

DIM3 = re.compile(r"dim3\s*[({](.*)[)}]", re.DOTALL)
LEFT_OUT = re.compile(r"\((?:int|float|double|unsigned|size_t)\)|\bstd::|(?<=\d)[uUlLfF]+\b|(?<=\bceil)f\b")
SHIFT = re.compile(r"\b(\d{1,9})\s*<<\s*(\d{1,2})\b")
OF_FLOAT = re.compile(r"\bsizeof\s*\(\s*(?:float|int)\s*\)")
ROWS = re.compile(r"h|height|(?:n|num)?rows?")
SIDES = {"A": ("M", "K"), "B": ("K", "N"), "C": ("M", "N")}
SIZES = {  # how the names of sizes read without underscores, in the order in which they are tried
    "M": r"m|(num)?[acmn]?rows?|rows?[ac]|[hm][ac]|h|height[ac]?",
    "K": r"k|(num)?(acol(umn)?s?|brows?)|wa|hb|colsa|inner|common|widtha|heightb|rowsb",
    "N": r"n|(num)?[bcn]?col(umn)?s?|w[bc]?|cols?[bc]|width[bc]?|(matrix|mat)?(size|dim)|dimension|length|order|d",
}
OWN = frozenset({"M", "N", "K", "ceil", "min", "max"})
MOST_STEPS = 4  # from a variable to what it is computed from


def size_of(name: str) -> str:
    """Return the size that a variable of this name usually has; empty for other names."""
    return next((size for size, names in SIZES.items() if re.fullmatch(names, _plain(name))), "")


def side(matrix: str, field: str) -> str:
    """Return the size that a field of a matrix has, such as its width."""
    return SIDES[matrix.upper()][not ROWS.fullmatch(_plain(field))]


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def expression(names: Mapping[str, str], read: SourceProgram, text: str, steps: int = MOST_STEPS) -> str:
    """Return C++ arithmetic over what `names` says of host variables, or its value; empty for what is none."""
    text = LEFT_OUT.sub("", OF_FLOAT.sub("4", text))
    text = SHIFT.sub(lambda found: str(int(found[1]) << int(found[2])), text)
    text = re.sub(r"(\w+)\.([xyz])\b", lambda found: _extent(read, *found.groups()), text)
    text = re.sub(r"\b([ABCabc])\w*\.(\w+)", lambda found: side(*found.groups()), text)
    text = text if "ceil" in text else re.sub(r"(?<!/)/(?!/)", "//", text)

    def replaced(found: re.Match[str]) -> str:
        value, size = read.names.get(found[0], ""), size_of(found[0])
        # A variable that is named like a size has the one that the program happens to have; a macro is a constant.
        if names and size and value.isdigit() and found[0] not in read.macros:
            value = size
        value = names.get(found[0]) or value or size
        if not value or not steps or value in OWN:
            return value if value in OWN else found[0]
        inner = expression(names, read, value, steps - 1)
        return inner if re.fullmatch(r"\w*", inner) else f"({inner})"

    text = re.sub(r"\b[A-Za-z_]\w*", replaced, text)
    try:
        number = expressions.value(text, dict.fromkeys("MNK", 64))
        return text if expressions.names_in(text) or number.denominator > 1 else str(number)
    except expressions.ExpressionError:
        return ""


def sides(names: Mapping[str, str], read: SourceProgram, text: str) -> list[str]:
    """Return the extents of a grid or a block as expressions, each empty where it is none."""
    return [expression(names, read, each) for each in _written(read, text)]


def _written(read: SourceProgram, text: str) -> tuple[str, ...]:
    found = DIM3.fullmatch(read.names.get(text, text))
    return split(found[1]) if found else (text,)


def _extent(read: SourceProgram, name: str, axis: str) -> str:
    """Return what a dim3 has along an axis, as it is written."""
    return f"({(*_written(read, name), '1', '1')['xyz'.index(axis)]})" if name in read.names else f"{name}_{axis}"
