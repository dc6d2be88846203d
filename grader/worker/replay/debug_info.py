"""The variables that are in scope at an instruction, from the debugging information in PTX (DWARF, version 2).

The file may come from anybody: what does not fit together is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from inspect import signature
from io import BytesIO

from elftools.common.exceptions import DWARFError, ELFError
from elftools.construct import ConstructError
from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.dwarf.dwarf_expr import DWARFExprOp, DWARFExprParser
from elftools.dwarf.dwarfinfo import DebugSectionDescriptor, DwarfConfig, DWARFInfo
from elftools.dwarf.locationlists import LocationEntry
from elftools.dwarf.structs import DWARFStructs

SECTION = re.compile(r"^\s*\.section\s+\.(debug_\w+)\s*\{([^}]{0,1000000})\}", re.MULTILINE)
WORD = re.compile(r"^\s*\.b(8|16|32|64)\s+(.*?)\s*$", re.MULTILINE)
LONG_NUMBER = re.compile(rb"[\x80-\xff]{1000}")  # which takes long to read, and no compiler has written
LARGEST = 1 << 23  # characters
MOST_ENTRIES, MOST_DEPTH, MOST_IN_SCOPE = 50_000, 40, 100
NAMES = 1 << 62  # from here on, an address is the number of a name
ALIASES = frozenset({"typedef", "const_type", "volatile_type", "restrict_type"})
# What pyelftools raises for sections that do not fit together, which a file's author may have written.
BROKEN = (DWARFError, ELFError, ConstructError, ArithmeticError, AssertionError, AttributeError, LookupError,
          NotImplementedError, RecursionError, TypeError, ValueError)  # fmt: skip


@dataclass(slots=True)
class DebugEntry:
    """An entry of .debug_info: its tag, its attributes, and the entries in it; names are without their prefixes."""

    tag: str
    values: Mapping[str, int | bytes]
    children: list[DebugEntry] = field(default_factory=list)

    def number(self, attribute: str, otherwise: int = 0) -> int:
        """Return an attribute that is a number."""
        value = self.values.get(attribute, otherwise)
        return value if isinstance(value, int) else otherwise

    @property
    def name(self) -> str:
        """The name of what is described."""
        value = self.values.get("name", b"")
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
        self._functions: list[DebugEntry] = []
        self._dwarf = _dwarf({match[1]: self._bytes(match[2]) for match in SECTION.finditer(text[:LARGEST])})
        with suppress(*BROKEN):
            for unit in self._dwarf.iter_CUs():
                self._read(unit)

    def in_scope(self, instruction: int, register: str = "") -> Iterator[Named]:
        """Yield each variable at an instruction, the innermost first; all in a register, if it is given."""
        found: list[DebugEntry] = []
        for function in self._functions:
            if _holds(function, instruction):
                self._collect(function, instruction, found, 0)
        yield from self._named(reversed(found[-MOST_IN_SCOPE:]), instruction, register)

    def in_memory(self) -> Iterator[Named]:
        """Yield each variable that is in one place all the time."""
        fixed = (each for each in self._entries.values() if isinstance(each.values.get("location"), bytes))
        return self._named(fixed, 0)

    def _named(self, entries: Iterable[DebugEntry], instruction: int, register: str = "") -> Iterator[Named]:
        for entry in entries:
            here = (self._decoded(where) for span, where in self._ranges(entry) if register or instruction in span)
            place = next((each for each in here if each and register in {"", each.register}), None)
            described = self._origin(entry)
            type_ = self.type_of(described)
            if place is not None and type_ is not None and (name := described.name):
                line = described.number("decl_line") if described.tag == "variable" else 0
                yield Named(name, type_, place, line)

    def type_of(self, entry: DebugEntry) -> DebugEntry | None:
        """Return the type of a variable, without its names and qualifiers."""
        for _ in range(MOST_DEPTH):
            found = self._entries.get(entry.number("type", -1))
            if found is None or found.tag not in ALIASES:
                return found
            entry = found
        return None

    def _origin(self, entry: DebugEntry) -> DebugEntry:
        """Return the entry that describes a variable of an inlined function."""
        return self._entries.get(entry.number("abstract_origin", -1), entry)

    def _collect(self, scope: DebugEntry, instruction: int, found: list[DebugEntry], depth: int) -> None:
        inlined = False
        for entry in scope.children if depth < MOST_DEPTH else ():
            if entry.tag in {"variable", "formal_parameter"}:
                found.append(entry)
            elif entry.tag in {"lexical_block", "inlined_subroutine"} and _holds(entry, instruction):
                if entry.tag == "inlined_subroutine" and not inlined:
                    found.clear()  # the caller's variables are not in scope
                    inlined = True
                self._collect(entry, instruction, found, depth + 1)

    def _ranges(self, entry: DebugEntry) -> Iterator[tuple[range, bytes]]:
        """Yield where a variable is, each as an expression, and at which instructions."""
        where, lists = entry.values.get("location"), self._dwarf.location_lists()
        if isinstance(where, bytes):
            yield range(1 << 32), where
        elif where is not None and lists is not None:
            with suppress(*BROKEN):
                for each in lists.get_location_list_at_offset(where):
                    if isinstance(each, LocationEntry):
                        yield range(each.begin_offset, each.end_offset), bytes(each.loc_expr)

    def _decoded(self, expression: bytes) -> VariablePlace | None:
        """Return the place that an expression of DWARF means: a register (regx) or an address (addr), plus a number."""
        match [(each.op_name, each.args) for each in operations(expression)]:
            case [("DW_OP_regx", [packed]), *_]:  # the number is the register's name
                name = packed.to_bytes(max(1, (packed.bit_length() + 7) // 8), "big")
                return VariablePlace(register=name.decode("latin-1"))
            case [("DW_OP_addr", [address]), *more]:
                offset = more[0][1][0] if more and more[0][0] == "DW_OP_plus_uconst" else 0
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
        content = b"".join(parts)
        return b"" if LONG_NUMBER.search(content) else content

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

    def _read(self, unit: CompileUnit) -> None:
        """Read the entries of a unit, and keep its functions."""
        top = unit.get_top_DIE()
        for die in unit.iter_DIEs():
            if len(self._entries) >= MOST_ENTRIES:
                break
            if die.is_null():
                continue
            entry, parent = self._entries.setdefault(die.offset, _entry(die)), die.get_parent()
            if parent is not None:
                self._entries[parent.offset].children.append(entry)
            if parent is top and entry.tag == "subprogram":
                self._functions.append(entry)


def _dwarf(sections: Mapping[str, bytes]) -> DWARFInfo:
    """Return what these sections hold; all others have to be named, too."""
    known = {
        f"{name}_sec": DebugSectionDescriptor(BytesIO(content), name, 0, len(content), 0)
        for name, content in sections.items()
    }
    config = DwarfConfig(little_endian=True, machine_arch="", default_address_size=8)
    return DWARFInfo(config, **{name: known.get(name) for name in [*signature(DWARFInfo).parameters][1:]})


def _entry(die: DIE) -> DebugEntry:
    """Return an entry; what it refers to by its place in the section."""
    values: dict[str, int | bytes] = {}
    for name, (_, form, value, *_) in die.attributes.items():
        placed = value + die.cu.cu_offset if form == "DW_FORM_ref4" else value
        values[str(name).removeprefix("DW_AT_")] = bytes(placed) if isinstance(placed, list) else placed
    return DebugEntry(str(die.tag).removeprefix("DW_TAG_"), values)


def operations(expression: bytes) -> Sequence[DWARFExprOp]:
    """Return the operations of an expression; none of a broken one."""
    with suppress(*BROKEN):
        return _parser().parse_expr(expression)
    return ()


@cache
def _parser() -> DWARFExprParser:
    return DWARFExprParser(DWARFStructs(little_endian=True, dwarf_format=32, address_size=8))


def _holds(scope: DebugEntry, instruction: int) -> bool:
    """Whether an instruction is in a scope; one without bounds holds all of what is around it."""
    return scope.number("low_pc", 0) <= instruction < scope.number("high_pc", 1 << 32)
