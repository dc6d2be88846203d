"""The name that a variable has in the source (Itanium C++ ABI, "Mangling")."""

from __future__ import annotations

import re

_PIECE = re.compile(r"(\d+)([A-Za-z_]\w*)")


def source_name(symbol: str) -> str:
    """Return the last name within a mangled one, the symbol itself where it is not mangled, or nothing."""
    if not symbol.startswith("_Z"):
        return symbol if re.fullmatch(r"[A-Za-z_]\w*", symbol) else ""
    name, place = "", 0
    while found := _PIECE.search(symbol, place):
        length = int(found[1][:4])
        name, place = found[2][:length], found.start(2) + length
    return name
