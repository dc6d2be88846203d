"""The bytes of debugging information in PTX (DWARF 2, section 7): numbers, and the forms of attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice


class DwarfReader:
    """Reads numbers from bytes; past their end there are zeros."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def number(self, size: int) -> int:
        self.at += size
        return int.from_bytes(self.data[self.at - size : self.at], "little")

    def leb(self) -> int:
        value = shift = 0
        while self.at < len(self.data) and shift <= 448:  # noqa: PLR2004 - bits of the longest name of a register
            byte = self.data[self.at]
            self.at, value, shift = self.at + 1, value | (byte & 127) << shift, shift + 7
            if byte < 128:  # noqa: PLR2004 - the last byte
                break
        return value

    def text(self) -> bytes:
        end = self.data.find(b"\0", self.at)
        start, self.at = self.at, (end if end >= 0 else len(self.data)) + 1
        return self.data[start : self.at - 1]

    def bytes(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]


# The forms of attributes (DWARF 2, section 7.5.4): numbers and blocks by their bytes, those of the block's length.
REFERENCE_4 = 0x13


NUMBERS = {0x01: 8, 0x05: 2, 0x06: 4, 0x07: 8, 0x0B: 1, 0x0C: 1, 0x0E: 4, 0x17: 4}


BLOCKS = {0x03: 2, 0x04: 4, 0x0A: 1}


OTHERS: Mapping[int, Callable[[DwarfReader], int | bytes]] = {
    0x08: DwarfReader.text, 0x09: lambda reader: reader.bytes(reader.leb()), 0x0D: DwarfReader.leb,
    0x0F: DwarfReader.leb,    0x18: lambda reader: reader.bytes(reader.leb()), 0x19: lambda _: 1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A kind of entries: its tag, whether it has children, and attributes with their forms."""

    tag: int
    has_children: bool
    attributes: tuple[tuple[int, int], ...]


def forms_of(reader: DwarfReader) -> dict[int, Abbreviation]:
    """Return the kinds of entries by their numbers."""
    forms: dict[int, Abbreviation] = {}
    while reader.at < len(reader.data) and (code := reader.leb()):
        tag, has_children = reader.leb(), bool(reader.number(1))
        pairs = iter(lambda: (reader.leb(), reader.leb()), (0, 0))
        forms[code] = Abbreviation(tag, has_children, tuple(islice(pairs, 64)))
    return forms


def attribute(reader: DwarfReader, form: int, start: int) -> int | bytes:
    """Return the value of an attribute; a reference as the place of its entry."""
    if form == REFERENCE_4:
        return start + reader.number(4)
    if form in NUMBERS:
        return reader.number(NUMBERS[form])
    if form in BLOCKS:
        return reader.bytes(reader.number(BLOCKS[form]))
    if form in OTHERS:
        return OTHERS[form](reader)
    reader.at = len(reader.data)  # what follows cannot be read
    return 0
