"""The name that a variable has in the source (Itanium C++ ABI, "Mangling")."""

from __future__ import annotations

import re

_LITERAL = r"L[a-z]n?\d{1,20}E"  # an argument of a template, whose digits are a value
_PIECE = re.compile(rf"{_LITERAL}|(\d{{1,4}})(?=[A-Za-z_])")  # the length of a name; hostile symbols may be long
_NAME = re.compile(r"\w*")
LONGEST = 200  # characters of a name that is shown


def source_name(symbol: str) -> str:
    """Return the last name within a mangled symbol, or an identifier itself; empty for any other symbol."""
    symbol = symbol.partition("@")[0]  # a suffix by which the parser distinguishes variables of one name
    if not symbol.startswith("_Z"):
        return symbol[:LONGEST] if re.fullmatch(r"[A-Za-z_]\w*", symbol) else ""
    name, place = None, 0
    while match := _PIECE.search(symbol, place):
        start, place = match.end(), match.end() + int(match[1] or 0)
        name = _NAME.match(symbol, start, place) if match[1] else name
    return name[0][:LONGEST] if name else ""
