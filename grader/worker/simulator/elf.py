"""The symbol table of a 64-bit little-endian ELF object: what a submission defines and what it calls."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from grader.errors import InfrastructureError

SYMBOL_TABLE = 2  # sh_type SHT_SYMTAB; these numbers are in elf.h
FUNCTION, THREAD_LOCAL = 2, 6  # the low four bits of st_info
LOCAL = 0  # the high four bits of st_info
DEFAULT = 0  # the low two bits of st_other: visible outside


@dataclass(frozen=True, slots=True)
class Symbol:
    """One line of the table. An undefined symbol is one that the linker has to find elsewhere."""

    name: str
    kind: int
    local: bool
    visible: bool
    undefined: bool


def read_symbols(path: Path) -> tuple[Symbol, ...]:
    """All named symbols of the object.

    Raises:
        InfrastructureError: the compiler made something else than ELF, as on macOS.

    """
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        raise InfrastructureError(
            "The simulator needs a compiler for Linux on x86-64 or aarch64", "Run the grader in its container image."
        )
    sections = _sections(data)
    tables = [section for section in sections if section[0] == SYMBOL_TABLE]
    return tuple(symbol for table in tables for symbol in _symbols(data, table, sections[table[3]]))


def _sections(data: bytes) -> list[tuple[int, int, int, int]]:
    """Type, offset, size and link of each section header."""
    (start,) = struct.unpack_from("<Q", data, 40)
    (size, count) = struct.unpack_from("<HH", data, 58)
    headers = [struct.unpack_from("<IIQQQQII", data, start + i * size) for i in range(count)]
    return [(header[1], header[4], header[5], header[6]) for header in headers]


def _symbols(data: bytes, table: tuple[int, int, int, int], strings: tuple[int, int, int, int]) -> list[Symbol]:
    _, offset, size, _ = table
    found = []
    for at in range(offset, offset + size, 24):
        (name_at, info, other, section) = struct.unpack_from("<IBBH", data, at)
        begin = strings[1] + name_at
        name = data[begin : data.index(b"\0", begin)].decode("utf-8", "replace")
        if name:
            found.append(Symbol(name, info & 15, info >> 4 == LOCAL, other & 3 == DEFAULT, section == 0))
    return found
