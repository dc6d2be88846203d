"""The values of a thread's variables, as C would write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice
from math import prod
from typing import get_args

import numpy as np

from grader.model.scenes import MOST_VARIABLES, NamedValue, Value, VariableName
from grader.ptxsim.syntax.declarations import source_name
from grader.worker.replay.debug_info import DebugEntry, DebugInfo, Named, VariablePlace, operations
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.memory import WINDOW_BITS
from grader.worker.replay.program import GivesUpError

NUMBERS = {0x02: "b", 0x04: "f", 0x05: "i", 0x06: "i", 0x07: "u", 0x08: "u"}  # encodings of DWARF
RECORDS = frozenset({"structure_type", "class_type"})
MOST_ELEMENTS, MOST_MEMBERS, DEEPEST = 4, 8, 3
MOST_BYTES = 1 << 23  # of a variable that is looked at
LAST_LINE = 10**9
FITS_NAME, FITS_VALUE = (re.compile(get_args(kind)[1].value) for kind in (VariableName, Value))


class Variables:
    """The variables of a launch that is replayed."""

    def __init__(self, machine: LockstepMachine, info: DebugInfo) -> None:
        self._machine, self._info = machine, info
        self._in_scope: dict[int, list[Named]] = {}

    def of(self, thread: int, number: int, most: int = MOST_VARIABLES) -> tuple[NamedValue, ...]:
        """Return the variables of a thread at an instruction, the innermost first, as far as they have values."""
        if number not in self._in_scope:
            self._in_scope[number] = list(self._info.in_scope(number))
        every = chain.from_iterable(self._parts(thread, number, each) for each in self._in_scope[number])
        fitting = (each for each in every if FITS_NAME.match(each.name) and FITS_VALUE.match(each.value))
        return tuple(islice(fitting, most))

    def _parts(self, thread: int, number: int, each: Named) -> Iterator[NamedValue]:
        """Yield a variable, or its members; of the object of a method, those that its source names alone."""
        size = bytes_of(self._info, each.type) if each.place.symbol else _size_of(each.type)
        content = self._content(thread, number, each.place, size) if 0 < size < MOST_BYTES else None
        if content is None:
            return
        for name, value in self._decoded(each.name, each.type, content, 0):
            yield NamedValue(name, value, min(each.line, LAST_LINE), _limit_of(each.type))
        if each.name == "this":
            yield from self._of_object(thread, self._info.type_of(each.type), int.from_bytes(content, "little"))

    def _of_object(self, thread: int, kind: DebugEntry | None, address: int) -> Iterator[NamedValue]:
        region = self._machine.memory.region(address)
        if kind is None or region is None or kind.tag not in RECORDS:
            return
        content = region.of_thread(thread)[address - region.base :]
        for member, inner, at in self._members(kind):
            if (value := self._shown(content[at:], inner)) is not None:
                yield NamedValue(member.name, value, min(member.number("decl_line"), LAST_LINE), _limit_of(inner))

    def _members(self, kind: DebugEntry) -> Iterator[tuple[DebugEntry, DebugEntry, int]]:
        """Yield the members of a type, each with its own type and its offset."""
        for member in [each for each in kind.children if each.tag == "member"][:MOST_MEMBERS]:
            inner, at = self._info.type_of(member), _member_offset(member)
            if inner and at >= 0:
                yield member, inner, at

    def _decoded(self, name: str, kind: DebugEntry, content: bytes, depth: int) -> Iterator[tuple[str, str]]:
        """Yield the values in the bytes of a variable, each with the name of the variable, member or array."""
        if kind.tag in RECORDS and depth < DEEPEST:
            for member, inner, at in self._members(kind):
                yield from self._decoded(f"{name}.{member.name}", inner, content[at:], depth + 1)
        elif kind.tag == "array_type":
            element, count = self._info.type_of(kind), prod(_sides_of(kind))
            places = [at * _size_of(element) for at in range(min(count, MOST_ELEMENTS))] if element else []
            shown = [self._shown(content[at:], element) for at in places if element]
            if shown and None not in shown:
                yield name, "{" + ", ".join(map(str, shown)) + (", …" if count > MOST_ELEMENTS else "") + "}"
        elif (value := self._shown(content, kind)) is not None:
            yield name, value

    def _shown(self, content: bytes, kind: DebugEntry) -> str | None:
        """Return the number, truth or pointer that the bytes begin with, as C writes it; None if they have another."""
        letter, size = _letter_of(kind), _size_of(kind)
        content = content[:size]
        if not size or len(content) < size:
            return None
        if letter == "p":
            return self._pointer(int.from_bytes(content, "little"), kind)
        if letter == "b":
            return "true" if content[0] else "false"
        value = np.frombuffer(content, f"{letter}{size}")[0]
        return _real(float(value)) if letter == "f" else str(int(value))

    def _pointer(self, address: int, kind: DebugEntry) -> str | None:
        """Return the element of a matrix or of a shared array that a pointer points to."""
        memory = self._machine.memory
        region, offset = memory.region(address), address & ((1 << WINDOW_BITS) - 1)
        if region is None:
            return None
        if region.base == memory.bases["shared"]:
            inner = self._info.type_of(kind)
            symbol, start = memory.symbol_at("shared", offset)
            name = source_name(symbol)
            size = _size_of(inner) if inner else 0
            return f"&{name}[{(offset - start) // size}]" if name and size else None
        if region.name not in {"A", "B", "C"} or region.kind is None:
            return None
        return region.name if offset == 0 else f"&{region.name}[{offset // region.kind.itemsize}]"

    def _content(self, thread: int, number: int, place: VariablePlace, size: int) -> bytes | None:
        function = self._machine.code.owners[number]
        if place.register:
            if place.register not in function.registers:
                return None
            data = self._machine.cell(function, place.register).data[thread : thread + 1]
            return data.tobytes()[:size] if data.dtype.itemsize >= size else None
        try:
            region, offset = self._memory_of(thread, number, place)
        except GivesUpError:
            return None
        return region[offset : offset + size] if 0 <= offset <= len(region) - size else None

    def _memory_of(self, thread: int, number: int, place: VariablePlace) -> tuple[bytes, int]:
        """Return the memory of a thread in which a symbol is, and where the place is in it."""
        machine, function = self._machine, self._machine.code.owners[number]
        if found := machine.calls.parameter(function, place.symbol):
            return found.of_thread(thread), place.offset
        own = [each for each in (*function.variables, *machine.code.module.variables) if each.name == place.symbol]
        if not own or place.symbol not in machine.memory.symbols:
            raise GivesUpError(place.symbol)
        address = machine.memory.symbols[place.symbol] + machine.memory.bases.get(own[0].space, 0)
        region = machine.memory.region(address)
        if region is None:
            raise GivesUpError(place.symbol)
        return region.of_thread(thread), (address - region.base) + place.offset


def part_of(info: DebugInfo, kind: DebugEntry, offset: int, depth: int = 0) -> str | None:
    """Return the member or element at an offset as C writes it behind the name; None where a variable has none."""
    is_deep = depth >= DEEPEST
    for member in kind.children[:MOST_VARIABLES] if kind.tag in RECORDS and not is_deep else ():
        inner = info.type_of(member) if member.tag == "member" else None
        part = part_of(info, inner, offset - _member_offset(member), depth + 1) if inner else None
        if part is not None:
            return f".{member.name}{part}"
    inner = info.type_of(kind) if kind.tag == "array_type" and not is_deep else None
    if inner is None:
        return "" if 0 <= offset < _size_of(kind) else None
    at, rest = divmod(offset, max(1, bytes_of(info, inner)))
    part = part_of(info, inner, rest, depth + 1) if 0 <= at < prod(_sides_of(kind)) else None
    for side in reversed(_sides_of(kind)) if part is not None else ():
        at, index = divmod(at, side)
        part = f"[{index}]{part}"
    return part


def bytes_of(info: DebugInfo, kind: DebugEntry) -> int:
    """Return how many bytes a type says that it has."""
    count = 1
    for _ in range(DEEPEST):
        inner = info.type_of(kind) if kind.tag == "array_type" else None
        count, kind = (count * prod(_sides_of(kind)), inner) if inner else (count, kind)
    return count * (_size_of(kind) or kind.number("byte_size"))


def _sides_of(kind: DebugEntry) -> list[int]:
    ranges = [each for each in kind.children if each.tag == "subrange_type"]
    return [each.number("count", each.number("upper_bound", -1) + 1) for each in ranges]


def _letter_of(kind: DebugEntry) -> str:
    number = NUMBERS.get(kind.number("encoding"), "")
    return {"base_type": number, "enumeration_type": "i", "pointer_type": "p"}.get(kind.tag, "")


def _size_of(kind: DebugEntry) -> int:
    """Return the bytes of a number or a pointer; 0 for other types."""
    size = kind.number("byte_size", 8 if kind.tag == "pointer_type" else 0)
    return size if _letter_of(kind) and size in {1, 2, 4, 8} and (_letter_of(kind), size) != ("f", 1) else 0


def _limit_of(kind: DebugEntry) -> int:
    """Return the largest number of a type of 8 or 16 bits; 0 for other types."""
    letter, size = _letter_of(kind), _size_of(kind)
    return (1 << 8 * size - (letter == "i")) - 1 if kind.tag == "base_type" and letter in "iu" and size in {1, 2} else 0


def _real(value: float) -> str:
    """Return a number as C writes one of a floating-point type."""
    text = f"{value:.7g}"
    return text if set(text) & set(".en") else f"{text}.0"


def _member_offset(member: DebugEntry) -> int:
    """Return where a member begins, which an expression may say."""
    where = member.values.get("data_member_location", 0)
    if isinstance(where, int):
        return where
    match [(each.op_name, each.args) for each in operations(where)]:
        case [("DW_OP_plus_uconst", [offset]), *_]:
            return int(offset)
    return 0
