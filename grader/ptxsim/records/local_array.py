"""What a compiler knows of a program's local arrays, which PTX merges into one for each function."""

from __future__ import annotations

from dataclasses import dataclass

from grader.ptxsim.records.fields import Count, Name


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
