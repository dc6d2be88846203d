"""Types of fields: what a record may hold that comes from a process which is not trusted; and small records of them."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal, TypeAlias


@dataclass(frozen=True)
class Allowed:
    """What a type allows, as a keyword of JSON Schema: `minimum`, `maximum` or `pattern`."""

    name: str
    value: object


Line = Annotated[int, Allowed("minimum", 0), Allowed("maximum", 10**9)]  # of the source; 0 where none is known
Number = Annotated[int, Allowed("minimum", -(1 << 63)), Allowed("maximum", (1 << 64) - 1)]
Count = Annotated[int, Allowed("minimum", 0), Allowed("maximum", (1 << 64) - 1)]
Axes = tuple[Count, Count, Count]
Name = Annotated[str, Allowed("pattern", r"[\w.:>()\[\]*+&-]{0,200}\Z")]
"""A name of the program, as its source spells it; empty where the compiler has kept none."""

Space: TypeAlias = Literal["global", "shared", "local"]
AccessKind: TypeAlias = Literal["load", "store", "atomic", "copy"]


class Unsearched(StrEnum):
    """What of a launch was not searched, for want of room."""

    ROUNDS = "rounds"  # the last ones of loops
    WAITS = "waits"  # what follows after too many of them
    ATOMICS = "atomics"  # whether additions by two atomics are lost, beside too many others


@dataclass(frozen=True, slots=True)
class LocalArray:
    """An array, or another variable of a thread in memory: where it lies in a variable of the PTX, in bytes."""

    variable: Name
    """Name of the variable of the PTX."""
    start: Count
    """Its first byte there."""
    size: Count
    """Its bytes."""
    name: Name = ""
    """Its name in the source; empty where the compiler has kept none."""


@dataclass(frozen=True, slots=True)
class Site:
    """A place at which threads of a block wait: how many, and whether for a barrier of the block, and its number."""

    line: Line
    threads: Count
    barrier: bool
    number: Number = 0


def check_number(records: Sized, most: int) -> None:
    """Raise ValueError for more records than a launch is reported with."""
    if len(records) > most:
        raise ValueError(f"{len(records)} of at most {most}")


def check_length(numbers: Sized, *lengths: int) -> None:
    """Raise ValueError for some numbers, but not as many as belong together."""
    if len(numbers) not in {0, *lengths}:
        raise ValueError(f"{len(numbers)} of {lengths}")
