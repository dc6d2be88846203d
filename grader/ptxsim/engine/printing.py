"""Format the output of a kernel as the device's printf does.

CUDA C++ Programming Guide, "Formatted Output": an argument takes 4 bytes, or 8 if it is a pointer, a number of 64
bits or floating-point; 8-byte ones begin at a multiple of 8.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator

HEAD = 16
WIDEST = 9999  # characters; the largest field width and precision

_DIRECTIVE = re.compile(rb"%([-+ #0]*)(\*|\d{1,4})?(?:\.(\*|\d{1,4}))?(hh|h|ll|l|L|j|z|t)?([diouxXcsfFeEgGaApn%])")

ReadText = Callable[[int], bytes]


def printed(records: bytes, limit: int, text_at: ReadText) -> bytes:
    """Return at most `limit` bytes of the text of printf records. `text_at` reads a string at a simulated address."""
    result = bytearray()
    place = 0
    while place + HEAD <= len(records) and len(result) < limit:
        address, count = struct.unpack_from("<qq", records, place)
        arguments = records[place + HEAD : place + HEAD + count]
        result += _formatted(text_at(address), arguments, text_at)
        place += HEAD + count
    return bytes(result[:limit])


def _formatted(format_: bytes, arguments: bytes, text_at: ReadText) -> bytes:
    words = _Words(arguments)
    return _DIRECTIVE.sub(lambda match: b"".join(_printed_directive(match, words, text_at)), format_)


class _Words:
    """The arguments of a record, taken one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def take(self, size: int, code: str) -> int | float:
        self._place = -(-self._place // size) * size
        piece = self._data[self._place : self._place + size].ljust(size, b"\0")
        self._place += size
        value: int | float = struct.unpack(code, piece)[0]
        return value


def _width(words: _Words) -> bytes:
    """Return an argument that is a width or a precision, as text."""
    return str(max(-WIDEST, min(int(words.take(4, "<i")), WIDEST))).encode()


def _printed_directive(match: re.Match[bytes], words: _Words, text_at: ReadText) -> Iterator[bytes]:
    """Yield the text of a directive, such as %d, with the arguments that it takes."""
    flags, width, precision, length, kind = (part or b"" for part in match.groups())
    if kind == b"%":
        yield b"%"
        return
    sizes = [_width(words) if part == b"*" else part for part in (width, precision)]
    spec = (
        b"%" + flags + sizes[0] + (b"." + sizes[1] if precision and not sizes[1].startswith(b"-") else b"")
    ).decode()
    letter = kind.decode()
    wide = length in {b"ll", b"l", b"j", b"z", b"t"}
    if letter in "di":
        yield (spec + "d").encode() % int(words.take(8 if wide else 4, "<q" if wide else "<i"))
    elif letter in "ouxX":
        shown = "d" if letter == "u" else letter
        yield (spec + shown).encode() % int(words.take(8 if wide else 4, "<Q" if wide else "<I"))
    elif letter == "c":
        yield bytes([int(words.take(4, "<i")) & 0xFF])
    elif letter == "s":
        yield (spec + "s").encode() % text_at(int(words.take(8, "<q")))
    elif letter == "p":
        yield hex(int(words.take(8, "<Q"))).encode()
    elif letter == "n":  # the device stores nothing
        words.take(8, "<q")
    elif letter in "aA":
        yield float(words.take(8, "<d")).hex().encode()
    else:
        yield (spec + letter).encode() % float(words.take(8, "<d"))
