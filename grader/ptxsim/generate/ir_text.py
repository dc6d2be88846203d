"""Functions whose LLVM IR is fixed, the files of `ir/` with constants of the layout; tables and calls of a module."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ctypes import Structure, sizeof
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from string import Template
from typing import Literal, TypeAlias, get_args

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate import layout

FOLDER = Path(__file__).parent / "ir"
Kind: TypeAlias = Literal["gather", "scatter", "neighbours"]
Mover: TypeAlias = tuple[int, int, Kind]  # bytes of a value, values of a lane, and what is done
_INCLUDED = re.compile(r"^include (.*)\n", re.MULTILINE)
_MOVED = re.compile(r"^(.*)ptr (%[\w.]+)\[(?:(\S+) )?([^] ]+)\](.*)$", re.MULTILINE)
KINDS: tuple[Kind, ...] = get_args(Kind)


def ir_text(file: str, /, **values: str | int) -> str:
    """Return the text of `ir/FILE.ll`; `values` are what it needs besides the constants of the layout.

    In it, `ptr %w[8]` is the pointer %w moved by 8 bytes, and `ptr %w[i64 %n]` by so many elements of a type. A line
    `include NAME of=%a` is replaced by the text of another file.
    """
    numbers = count()

    def moved(match: re.Match[str]) -> str:
        before, pointer, element, offset, behind = match.groups()
        place = f"%{file}.{next(numbers)}"
        return f"  {place} = getelementptr {element or 'i8'}, ptr {pointer}, i64 {offset}\n{before}ptr {place}{behind}"

    return _MOVED.sub(moved, _INCLUDED.sub(_included, _template(file).substitute(_CONSTANTS, **values)))


def _included(match: re.Match[str]) -> str:
    name, *values = match[1].split()
    return ir_text(name, **dict(value.split("=") for value in values))


@cache
def _template(name: str) -> Template:
    return Template((FOLDER / f"{name}.ll").read_text(encoding="ascii"))


def _offsets(prefix: str, record: type[Structure]) -> dict[str, int]:
    """Return `processor_block` and the like: how many bytes into a record a field lies."""
    names = [field[0] for field in record._fields_]
    return {f"{prefix}_{name}": layout.offset(record, name) for name in names}


_CONSTANTS: dict[str, int] = {
    **_offsets("processor", layout.ProcessorState),
    **_offsets("warp", layout.Warp),
    **_offsets("barrier", layout.Barrier),
    **{f"kind_{kind.name.lower()}": int(kind) for kind in layout.FaultKind},
    **{f"status_{status.name.lower()}": int(status) for status in layout.Status},
    "array_bits": layout.ARRAY_BITS,
    "last_array": layout.ARRAYS - 1,
    "first_array": layout.SEGMENTS,
    "shared_segment": layout.SHARED,
    "all_barriers_bytes": sizeof(layout.Barrier) * layout.BARRIERS,
    "barrier_bytes": sizeof(layout.Barrier),
    "barriers": layout.BARRIERS,
    "ended": layout.ENDED,
    "first_local": layout.FIRST_LOCAL,
    "last_segment": layout.SEGMENTS - 1,
    "local_segment": layout.LOCAL,
    "runnable": layout.RUNNABLE,
    "segment_bits": layout.SEGMENT_BITS,
    "segment_bytes": sizeof(layout.Segment),
    "segment_mask": (1 << layout.SEGMENT_BITS) - 1,
    "waiting": layout.WAITING,
    "word_of_lanes": 4 * LANES,
}


def mover_name(size: int, count: int, kind: Kind) -> str:
    """Return the name of the function that accesses memory lane by lane."""
    return f"{kind}_{size}_{count}"


@dataclass(slots=True)
class Globals:
    """Tables, those of numbers also by these, and functions; `movers` are the sizes that memory is accessed in."""

    tables: list[str] = field(default_factory=list)
    functions: dict[str, str] = field(default_factory=dict)
    movers: set[Mover] = field(default_factory=set)
    numbers: dict[tuple[str, tuple[int, ...]], str] = field(default_factory=dict)

    def mover(self, size: int, count: int, kind: Kind) -> str:
        """Return the name of the function that accesses memory lane by lane."""
        self.movers.add((size, count, kind))
        return mover_name(size, count, kind)

    def table(self, type_: str, values: Sequence[int]) -> str:
        """Return the name of a table of numbers, such as the lanes' offsets, or places in bytes."""
        key = type_, tuple(values)
        if key not in self.numbers:
            self.numbers[key] = f"@numbers{len(self.numbers)}"
            listing = ", ".join(f"{type_} {value}" for value in values)
            self.tables.append(f"{self.numbers[key]} = internal constant [{len(values)} x {type_}] [{listing}]")
        return self.numbers[key]
