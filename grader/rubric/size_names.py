"""The sizes that variables and fields of host code have by their names, and those in expressions. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

TILE = re.compile(r"(?i)tile|block|side|^[bt]s$")  # in the name of what is no size of a matrix
ROWS = re.compile(r"h|height|(?:n|num)?rows?")
SIDES = {"A": ("M", "K"), "B": ("K", "N"), "C": ("M", "N")}
SIZES = {  # how the names of sizes read without underscores, in the order in which they are tried
    "M": r"m|(num)?[acmn]?rows?|rows?[ac1]|[hm][ac]|h|height[ac1]?",
    "K": r"k|(num)?(acol(umn)?s?|brows?)|wa|hb|cols?[a1]|inner|common|width[a1]|height[b2]|rows?[b2]",
    "N": r"n|(num)?[bcn]?col(umn)?s?|w[bc]?|cols?[bc2]|width[bc2]?|(matrix|mat)?(size|dim)|dimension|length|order|d",
}


def size_of(name: str) -> str:
    """Return the size that a variable of this name usually has; empty for other names."""
    return next((size for size, names in SIZES.items() if re.fullmatch(names, _plain(name))), "")


def sizes_in(expressions: Iterable[str]) -> set[str]:
    """Return which of M, N and K expressions of a rubric use."""
    return set(re.findall(r"\b[MNK]\b", " ".join(expressions)))


def side(matrix: str, field: str) -> str:
    """Return the size that a field of a matrix has, such as its width."""
    return SIDES[matrix.upper()][not ROWS.fullmatch(_plain(field))]


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
