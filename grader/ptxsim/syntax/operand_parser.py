"""Operands of instructions (PTX ISA, "Instruction Operands")."""

from __future__ import annotations

import struct

from grader.ptxsim.syntax import records
from grader.ptxsim.syntax.lexer import Cursor
from grader.ptxsim.syntax.scopes import Scopes

AXES = frozenset({".x", ".y", ".z", ".w"})
REAL_DIGITS = {"0f": 32, "0d": 64}


def operand(cursor: Cursor, scopes: Scopes) -> records.Operand:
    """Read one operand."""
    if cursor.accept("{"):
        return records.Vector(_list(cursor, scopes, "}"))
    if cursor.accept("("):
        return records.Vector(_list(cursor, scopes, ")"))
    if cursor.accept("["):
        return _address(cursor, scopes)
    if cursor.accept("!"):
        return records.Negated(_register(cursor, scopes))
    if cursor.word.kind == "name":
        return _named(cursor, scopes)
    return _number(cursor)


def _list(cursor: Cursor, scopes: Scopes, end: str) -> tuple[records.Operand, ...]:
    items: list[records.Operand] = []
    while not cursor.accept(end):
        items.append(operand(cursor, scopes))
        cursor.accept(",")
    return tuple(items)


def _address(cursor: Cursor, scopes: Scopes) -> records.Operand:
    base: records.Register | records.Symbol | None = None
    if cursor.word.kind == "name":
        name = cursor.name()
        base = scopes.find(name) or records.Symbol(name)
    offset = 0 if base is not None else cursor.integer()
    while cursor.word.text in {"+", "-"}:
        negative = cursor.take().text == "-"
        number = cursor.integer()
        offset += -number if negative else number
    if cursor.word.text == ",":  # texture coordinates and the like, which no supported instruction has
        raise cursor.wrong()
    cursor.expect("]")
    return records.Address(base, offset)


def _named(cursor: Cursor, scopes: Scopes) -> records.Operand:
    name = cursor.name()
    register = scopes.find(name)
    if name == "_":
        first: records.Register | None = None
    elif register is None:
        return _special_or_symbol(cursor, name)
    else:
        first = register
    if cursor.accept("|"):
        second = None if cursor.accept("_") else _register(cursor, scopes)
        return records.Pair(first, second)
    return first or records.Sink()


def _special_or_symbol(cursor: Cursor, name: str) -> records.Operand:
    if name.startswith("%"):
        axis = cursor.take().text if cursor.word.text in AXES else ""
        return records.Special(name[1:] + axis)
    if name == "WARP_SZ":
        return records.Integer(32)
    offset = 0
    while cursor.word.text in {"+", "-"}:
        negative = cursor.take().text == "-"
        offset += -cursor.integer() if negative else cursor.integer()
    return records.Symbol(name, offset)


def _register(cursor: Cursor, scopes: Scopes) -> records.Register:
    register = scopes.find(cursor.name())
    if register is None:
        raise cursor.wrong()
    return register


def _number(cursor: Cursor) -> records.Operand:
    if cursor.word.kind == "real":
        text = cursor.take().text
        return records.Real(int(text[2:], 16), REAL_DIGITS[text[:2].lower()])  # noqa: FURB166 - 0f and 0d are no prefixes of Python
    negative = cursor.word.text == "-" and cursor.ahead(1).kind in {"decimal", "real"}
    if negative:
        cursor.take()
    if cursor.word.kind == "decimal":
        value = float(cursor.take().text)
        return records.Real(int.from_bytes(struct.pack("<d", -value if negative else value), "little"), 64)
    return records.Integer(cursor.integer())
