"""The constant tables and the called functions of a generated module."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

Kind: TypeAlias = Literal["gather", "scatter", "neighbours"]
Mover: TypeAlias = tuple[int, int, Kind]  # bytes of a value, values of a lane, and what is done
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(slots=True)
class Globals:
    """Tables by what they contain, functions by their names; `movers` are the sizes that memory is accessed in."""

    tables: list[str] = field(default_factory=list)
    functions: dict[str, str] = field(default_factory=dict)
    movers: set[Mover] = field(default_factory=set)
    byte_tables: dict[tuple[int, ...], str] = field(default_factory=dict)
    offset_tables: dict[tuple[int, ...], str] = field(default_factory=dict)

    def mover(self, size: int, count: int, kind: Kind) -> str:
        """Return the name of the function that accesses memory lane by lane."""
        self.movers.add((size, count, kind))
        return f"{kind}_{size}_{count}"

    def offsets_table(self, offsets: Sequence[int]) -> str:
        """Return the name of a table of the lanes' offsets."""
        key = tuple(offsets)
        name = self.offset_tables.get(key)
        if name is None:
            name = self.offset_tables[key] = f"@offsets{len(self.offset_tables)}"
        return name

    def byte_table(self, places: Sequence[int]) -> str:
        """Return the name of a table of places, in bytes."""
        key = tuple(places)
        name = self.byte_tables.get(key)
        if name is None:
            name = self.byte_tables[key] = f"@places{len(self.byte_tables)}"
            listing = ", ".join(f"i16 {place}" for place in key)
            self.tables.append(f"{name} = internal constant [{len(key)} x i16] [{listing}]")
        return name
