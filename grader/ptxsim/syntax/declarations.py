"""Declarations of variables and parameters (PTX ISA, "Variables"), and their names in the source (Itanium C++ ABI)."""

from __future__ import annotations

import re
import struct

from grader.ptxsim.records.lacks import Lack, MalformedError, UnsupportedError
from grader.ptxsim.syntax.lexer import Cursor
from grader.ptxsim.syntax.records import Parameter, Variable

BYTES = {
    f".{kind}{bits}": max(1, bits // 8) for kind in "busf" for bits in (8, 16, 32, 64, 128) if kind != "f" or bits > 8
} | {".pred": 1, ".f16x2": 4, ".bf16": 2, ".bf16x2": 4}

SPACES = frozenset({".global", ".shared", ".local", ".const"})
QUALIFIERS = frozenset({".visible", ".extern", ".weak", ".common", ".managed", ".unified"})
_PICTURES = frozenset({".texref", ".samplerref", ".surfref"})
LARGEST = 1 << 30  # bytes of one variable
_LITERAL = r"L[a-z]n?\d{1,20}E"  # an argument of a template, whose digits are a value
_PIECE = re.compile(rf"{_LITERAL}|(\d{{1,4}})(?=[A-Za-z_])")  # the length of a name; hostile symbols may be long
_NAME = re.compile(r"\w*")
LONGEST = 200  # characters of a name that is shown


def parameter(cursor: Cursor) -> Parameter:
    """Read a parameter, from `.param` or `.reg` on."""
    cursor.take()
    alignment, type_, _ = _alignment_and_type(cursor)
    while cursor.word.text in {".ptr", ".global", ".shared", ".const", ".local", ".align"}:
        if cursor.take().text == ".align":
            cursor.integer()
    name = cursor.name()
    count = _extent(cursor)
    size = BYTES[type_] * (1 if count is None else count)
    return Parameter(name, type_[1:] if count is None else "b8", size, alignment or BYTES[type_])


def variables(cursor: Cursor, space: str) -> list[Variable]:
    """Read a declaration of variables after the word for their state space, semicolon included."""
    alignment, type_, lanes = _alignment_and_type(cursor)
    bytes_ = BYTES[type_] * lanes
    declared: list[Variable] = []
    while not cursor.accept(";"):
        name = cursor.name()
        count = _extent(cursor)
        initial, addresses = _initial(cursor, BYTES[type_]) if cursor.accept("=") else (b"", ())
        size = max(bytes_ * (1 if count is None else count), len(initial))
        if size > LARGEST:
            raise MalformedError(Lack.VARIABLE, number=size)
        is_scalar = count is None
        dynamic = not is_scalar and size == 0 and space == "shared"
        declared.append(Variable(name, space, size, alignment or bytes_, initial, addresses, dynamic, is_scalar))
        cursor.accept(",")
    return declared


def _alignment_and_type(cursor: Cursor) -> tuple[int, str, int]:
    """Read an alignment, 0 without one, a type, and how many values of the type a variable has."""
    alignment, lanes = 0, 1
    while cursor.word.text not in BYTES:
        word = cursor.take().text
        if word == ".align":
            alignment = cursor.integer()
        elif word in {".v2", ".v4"}:
            lanes = int(word[2])
        elif word in _PICTURES:
            raise UnsupportedError(Lack.TYPE_OF_VARIABLE, name=word)
        elif word != ".attribute":
            raise cursor.wrong()
        else:
            cursor.skip_past(")")
    return alignment, cursor.take().text, lanes


def _extent(cursor: Cursor) -> int | None:
    """Return how many elements an array has in all its dimensions, None for a scalar."""
    count: int | None = None
    while cursor.accept("["):
        side = 0 if cursor.word.text == "]" else cursor.integer()
        count = side if count is None else count * side
        cursor.expect("]")
    return count


def _initial(cursor: Cursor, size: int) -> tuple[bytes, tuple[tuple[int, str, int], ...]]:
    data = bytearray()
    addresses: list[tuple[int, str, int]] = []
    depth = 0
    while True:
        if cursor.accept("{"):
            depth += 1
        elif cursor.accept("}"):
            depth -= 1
        else:
            _element(cursor, size, data, addresses)
        cursor.accept(",")
        if depth == 0:
            return bytes(data), tuple(addresses)


def _element(cursor: Cursor, size: int, data: bytearray, addresses: list[tuple[int, str, int]]) -> None:
    if cursor.word.kind == "real":
        data += int(cursor.take().text[2:], 16).to_bytes(size, "little")  # noqa: FURB166 - 0f and 0d are no prefixes of Python
    elif "decimal" in {cursor.word.kind, cursor.ahead(1).kind if cursor.word.text == "-" else ""}:
        sign = -1 if cursor.accept("-") else 1
        data += struct.pack("<f" if size == 4 else "<d", sign * float(cursor.take().text))
    elif cursor.word.kind == "name":
        name = cursor.name()
        if cursor.accept("("):  # generic(symbol)
            name = cursor.name()
            cursor.expect(")")
        addend = cursor.integer() if cursor.accept("+") else 0
        addresses.append((len(data), name, addend))
        data += bytes(size)
    elif cursor.ahead(1).text == "(":  # mask(symbol)
        raise UnsupportedError(Lack.PART_OF_ADDRESS)
    else:
        data += (cursor.integer() & ((1 << 8 * size) - 1)).to_bytes(size, "little")


def source_name(symbol: str) -> str:
    """Return the last name within a mangled symbol, or an identifier itself; empty for any other symbol."""
    symbol = symbol.partition("@")[0]  # a suffix by which the parser distinguishes variables of one name
    if not symbol.startswith("_Z"):
        return symbol[:LONGEST] if re.fullmatch(r"[A-Za-z_]\w*", symbol) else ""
    name, place = None, 0
    while match := _PIECE.search(symbol, place):
        start, place = match.end(), match.end() + int(match[1] or 0)
        name = _NAME.match(symbol, start, place) if match[1] else name
    return name[0][:LONGEST] if name else ""
