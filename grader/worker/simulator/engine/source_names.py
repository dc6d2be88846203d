"""The name that a variable has in the source (Itanium C++ ABI, "Mangling")."""

from __future__ import annotations

import re

_PIECE = re.compile(r"(\d+)([A-Za-z_]\w*)")


def source_name(symbol: str) -> str:
    """Return the last name within a mangled symbol, or an identifier itself; empty for any other symbol."""
    if not symbol.startswith("_Z"):
        return symbol if re.fullmatch(r"[A-Za-z_]\w*", symbol) else ""
    name, place = "", 0
    while match := _PIECE.search(symbol, place):
        length = int(match[1][:4])
        name, place = match[2][:length], match.start(2) + length
    return name
