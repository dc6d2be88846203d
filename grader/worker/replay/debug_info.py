"""The variables that are in scope at an instruction, from the debugging information in PTX (DWARF, version 2).

The file may come from anybody: what does not fit together is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from grader.worker.replay.dwarf_bytes import Abbreviation, DwarfReader, attribute, forms_of

SECTION = re.compile(r"^\s*\.section\s+\.(debug_\w+)\s*\{([^}]*)\}", re.MULTILINE)
WORD = re.compile(r"^\s*\.b(8|16|32|64)\s+(.*?)\s*$", re.MULTILINE)
LARGEST = 1 << 23  # characters
MOST_ENTRIES, MOST_DEPTH = 200_000, 40
MOST_IN_SCOPE, MOST_RANGES = 100, 1000
NAMES = 1 << 62  # from here on, an address is the number of a name
# Tags and attributes that are looked at (DWARF 2, section 7.5).
ARRAY, PARAMETER, BLOCK, MEMBER, POINTER, STRUCT = 0x01, 0x05, 0x0B, 0x0D, 0x0F, 0x13
CLASS, INLINED, SUBRANGE, BASE, ENUM, CONSTANT, VARIABLE = 0x02, 0x1D, 0x21, 0x24, 0x04, 0x26, 0x34
SUBPROGRAM, TYPEDEF, VOLATILE, RESTRICT = 0x2E, 0x16, 0x35, 0x37
ALIASES = frozenset({TYPEDEF, CONSTANT, VOLATILE, RESTRICT})
LOCATION, NAME, BYTES, LOW, HIGH, COUNT, UPPER, ORIGIN = 0x02, 0x03, 0x0B, 0x11, 0x12, 0x37, 0x2F, 0x31
MEMBER_AT, ENCODING, TYPE, LINE = 0x38, 0x3E, 0x49, 0x3B


@dataclass(slots=True)
class DebugEntry:
    """An entry of .debug_info: its tag, its attributes, and the entries in it."""

    tag: int
    values: Mapping[int, int | bytes]
    children: list[DebugEntry] = field(default_factory=list)

    def number(self, attribute: int, otherwise: int = 0) -> int:
        """Return an attribute that is a number."""
        value = self.values.get(attribute, otherwise)
        return value if isinstance(value, int) else otherwise

    def text(self, attribute: int) -> str:
        """Return an attribute that is a text."""
        value = self.values.get(attribute, b"")
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


@dataclass(frozen=True, slots=True)
class VariablePlace:
    """Where a variable is: in a register, or in memory at a symbol and an offset."""

    register: str = ""
    symbol: str = ""
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Named:
    """A variable: its name, its type, where it is, and the line of its declaration, or 0 for a parameter."""

    name: str
    type: DebugEntry
    place: VariablePlace
    line: int


class DebugInfo:
    """The entries of a file of PTX. `places` are the instructions at its labels."""

    def __init__(self, text: str, places: Mapping[str, int]) -> None:
        self._places, self._names = places, [""]
        self._entries: dict[int, DebugEntry] = {}
        self._sections = {match[1]: self._bytes(match[2]) for match in SECTION.finditer(text[:LARGEST])}
        self._top = list(self._units())

    def in_scope(self, instruction: int, register: str = "") -> Iterator[Named]:
        """Yield each variable at an instruction, the innermost first; all in a register, if it is given."""
        found: list[DebugEntry] = []
        for subprogram in self._top:
            if subprogram.tag == SUBPROGRAM and _holds(subprogram, instruction):
                self._collect(subprogram, instruction, found, 0)
        yield from self._named(reversed(found[-MOST_IN_SCOPE:]), instruction, register)

    def in_memory(self) -> Iterator[Named]:
        """Yield each variable that is in one place all the time."""
        fixed = (each for each in self._entries.values() if isinstance(each.values.get(LOCATION), bytes))
        return self._named(fixed, 0)

    def _named(self, entries: Iterable[DebugEntry], instruction: int, register: str = "") -> Iterator[Named]:
        for entry in entries:
            here = (self._decoded(where) for span, where in self._ranges(entry) if register or instruction in span)
            place = next((each for each in here if each and register in {"", each.register}), None)
            described = self._origin(entry)
            type_ = self.type_of(described)
            if place is not None and type_ is not None and (name := described.text(NAME)):
                line = described.number(LINE) if described.tag == VARIABLE else 0
                yield Named(name, type_, place, line)

    def type_of(self, entry: DebugEntry) -> DebugEntry | None:
        """Return the type of a variable, without its names and qualifiers."""
        for _ in range(MOST_DEPTH):
            found = self._entries.get(entry.number(TYPE, -1))
            if found is None or found.tag not in ALIASES:
                return found
            entry = found
        return None

    def _origin(self, entry: DebugEntry) -> DebugEntry:
        """Return the entry that describes a variable of an inlined function."""
        return self._entries.get(entry.number(ORIGIN, -1), entry)

    def _collect(self, scope: DebugEntry, instruction: int, found: list[DebugEntry], depth: int) -> None:
        inlined = False
        for entry in scope.children if depth < MOST_DEPTH else ():
            if entry.tag in {VARIABLE, PARAMETER}:
                found.append(entry)
            elif entry.tag in {BLOCK, INLINED} and _holds(entry, instruction):
                if entry.tag == INLINED and not inlined:
                    found.clear()  # the caller's variables are not in scope
                    inlined = True
                self._collect(entry, instruction, found, depth + 1)

    def _ranges(self, entry: DebugEntry) -> Iterator[tuple[range, bytes]]:
        """Yield where a variable is, each as an expression, and at which instructions."""
        where = entry.values.get(LOCATION)
        if isinstance(where, bytes):
            yield range(1 << 32), where
            return
        reader = DwarfReader(self._sections.get("debug_loc", b"") if where is not None else b"", where or 0)
        for _ in range(MOST_RANGES):
            low, high = reader.number(8), reader.number(8)
            if low == high == 0:
                break
            yield range(low, high), reader.bytes(reader.number(2))

    def _decoded(self, expression: bytes) -> VariablePlace | None:
        """Return the place that an expression of DWARF means: a register (regx) or an address (addr), plus a number."""
        reader = DwarfReader(expression)
        operation = reader.number(1)
        if operation == 0x90:  # noqa: PLR2004 - DW_OP_regx, whose number is the register's name
            packed = reader.leb()
            name = packed.to_bytes(max(1, (packed.bit_length() + 7) // 8), "big")
            return VariablePlace(register=name.decode("latin-1"))
        if operation == 0x03:  # noqa: PLR2004 - DW_OP_addr
            address = reader.number(8)
            offset = reader.leb() if reader.number(1) == 0x23 else 0  # noqa: PLR2004 - DW_OP_plus_uconst
            number = address >> 32 & 0x3FFFFFFF if address >= NAMES else 0
            if 0 < number < len(self._names):
                return VariablePlace(symbol=self._names[number], offset=offset + (address & 0xFFFFFFFF))
        return None

    def _bytes(self, body: str) -> bytes:
        parts = []
        for bits, words in WORD.findall(body):
            for word in words.split(","):
                value = self._value(word.strip()) & ((1 << int(bits)) - 1)
                parts.append(value.to_bytes(int(bits) // 8, "little"))
        return b"".join(parts)

    def _value(self, word: str) -> int:
        name, _, offset = word.partition("+")
        added = int(offset) if offset.strip().isdigit() else 0
        if name.isdigit():
            return int(name) + added if len(name) < 21 else 0  # noqa: PLR2004 - digits of 64 bits
        if name.startswith(".debug"):
            return added
        if name in self._places:
            return self._places[name] + added
        self._names.append(name)
        return NAMES | (len(self._names) - 1) << 32 | added

    def _units(self) -> Iterator[DebugEntry]:
        """Yield the entries at the top of each unit."""
        info, abbreviations = self._sections.get("debug_info", b""), self._sections.get("debug_abbrev", b"")
        start = 0
        while start + 11 <= len(info):
            reader = DwarfReader(info, start)
            length = reader.number(4)
            version, table, _ = reader.number(2), reader.number(4), reader.number(1)
            if version not in {2, 3, 4}:
                return
            end = min(len(info), start + 4 + length)
            yield from self._unit(reader, start, end, forms_of(DwarfReader(abbreviations, table)))
            start = max(end, start + 11)

    def _unit(self, reader: DwarfReader, start: int, end: int, forms: Mapping[int, Abbreviation]) -> list[DebugEntry]:
        top = DebugEntry(0, {})
        open_entries = [top]
        while reader.at < end and len(self._entries) < MOST_ENTRIES:
            at, code = reader.at, reader.leb()
            if code == 0:
                if len(open_entries) > 1:
                    open_entries.pop()
                continue
            if code not in forms:
                break
            abbreviation = forms[code]
            values = {name: attribute(reader, form, start) for name, form in abbreviation.attributes}
            entry = self._entries[at] = DebugEntry(abbreviation.tag, values)
            open_entries[-1].children.append(entry)
            if abbreviation.has_children:
                open_entries.append(entry)
        return [each for unit in top.children for each in unit.children]


def _holds(scope: DebugEntry, instruction: int) -> bool:
    """Whether an instruction is in a scope; one without bounds holds all of what is around it."""
    return scope.number(LOW, 0) <= instruction < scope.number(HIGH, 1 << 32)
