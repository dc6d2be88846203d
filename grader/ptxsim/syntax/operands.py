"""Names of registers, variables and labels, and operands of instructions (PTX ISA, "Instruction Operands").

A brace opens a scope (as inline PTX does). A register may be declared again in it. A label that is declared there is
known there only, also before its declaration.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from grader.ptxsim.records.lacks import Lack, MalformedError, UnsupportedError
from grader.ptxsim.syntax import records
from grader.ptxsim.syntax.lexer import Cursor
from grader.ptxsim.syntax.records import Instruction, Label, Operand, Register, Symbol, Targets

MOST_REGISTERS = 100_000

_NUMBERED = re.compile(r"(.*?)(?<!\d)(\d{1,9})")
BRANCHES = frozenset({"bra", "brx"})


@dataclass(slots=True)
class Brace:
    """What is declared in a brace, with the names that are unique within the function, and their `suffix`."""

    suffix: str = ""
    single: dict[str, str] = field(default_factory=dict)  # the types of registers
    many: dict[str, tuple[int, str]] = field(default_factory=dict)  # the number and the type of registers from 0 on
    variables: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)


class Scopes:
    """The braces that are open at the parser's place, and the registers that were used, with their types.

    Branches are resolved when all labels are known.
    """

    def __init__(self) -> None:
        self.used: dict[str, str] = {}
        self._open: tuple[Brace, ...] = (Brace(),)  # the innermost first
        self._opened = 0
        self._found: dict[str, Register | None] = {}  # since the last declaration, brace or end of one
        self._branches: dict[int, tuple[Brace, ...]] = {}
        self._tables: dict[int, tuple[Brace, ...]] = {}

    def open(self) -> None:
        """Enter a brace."""
        self._opened += 1
        self._found.clear()
        self._open = (Brace(f"@{self._opened}"), *self._open)

    def close(self) -> None:
        """Leave a brace."""
        if not self.depth:
            raise MalformedError(Lack.PART)
        self._open = self._open[1:]
        self._found.clear()

    @property
    def depth(self) -> int:
        return len(self._open) - 1

    def declare(self, name: str, type_: str, count: int | None) -> None:
        """Declare one register, or `count` of them that are numbered from 0."""
        self._found.clear()
        if count is None:
            self._open[0].single[name] = type_
        elif count > MOST_REGISTERS:
            raise UnsupportedError(Lack.REGISTERS, number=count)
        else:
            self._open[0].many[name] = (count, type_)

    def find(self, name: str) -> Register | None:
        """Return the register of that name in the innermost scope that declares it."""
        if name not in self._found:
            self._found[name] = self._searched(name)
        return self._found[name]

    def _searched(self, name: str) -> Register | None:
        numbered = _NUMBERED.fullmatch(name)
        for scope in self._open:
            count, type_ = scope.many.get(numbered[1], (0, "")) if numbered else (0, "")
            if name in scope.single or (numbered and int(numbered[2]) < count):
                unique = name + scope.suffix
                self.used[unique] = scope.single.get(name, type_)
                return Register(unique)
        return None

    def rename_variable(self, name: str, unique: str) -> None:
        """Declare a variable by its name and the one that is unique within the function."""
        self._open[0].variables[name] = unique

    def variable(self, name: str) -> str:
        """Return the unique name of a variable; of anything else, the name itself."""
        return next((scope.variables[name] for scope in self._open if name in scope.variables), name)

    def declare_label(self, name: str) -> str:
        """Return the name, unique within the function, of a label or a table of labels that is declared here."""
        unique = name + self._open[0].suffix
        self._open[0].labels[name] = unique
        return unique

    def use_label(self, number: int) -> None:
        """Record that a branch, the statement with this number, is in the current scope."""
        self._branches[number] = self._open

    def use_in_table(self, number: int) -> None:
        """Record that the table with this number is in the current scope."""
        self._tables[number] = self._open

    def resolve(self, statements: list[Instruction | Label], tables: list[Targets]) -> None:
        """Give branches and tables the unique names of the labels that they mean."""
        for number, scopes in self._branches.items() if self._opened else ():
            branch = statements[number]
            if isinstance(branch, Instruction):
                statements[number] = replace(branch, operands=tuple(_meant(item, scopes) for item in branch.operands))
        for number, scopes in self._tables.items():
            tables[number] = replace(tables[number], labels=tuple(_label(n, scopes) for n in tables[number].labels))


def _meant(operand: Operand, scopes: Sequence[Brace]) -> Operand:
    return Symbol(_label(operand.name, scopes), operand.offset) if isinstance(operand, Symbol) else operand


def _label(name: str, scopes: Sequence[Brace]) -> str:
    return next((scope.labels[name] for scope in scopes if name in scope.labels), name)


def mapped(operand: Operand, register: Callable[[Register], Register], symbol: Callable[[Symbol], Symbol]) -> Operand:
    """Return an operand with what two functions make of the registers and of the symbols in it."""
    match operand:
        case Register():
            return register(operand)
        case Symbol():
            return symbol(operand)
        case records.Negated(own):
            return records.Negated(register(own))
        case records.Address(Register() as base, offset):
            return records.Address(register(base), offset)
        case records.Address(Symbol() as base, offset):
            return records.Address(symbol(base), offset)
        case records.Vector(items):
            return records.Vector(tuple(mapped(item, register, symbol) for item in items))
        case records.Pair(first, second):
            return records.Pair(register(first) if first else None, register(second) if second else None)
    return operand


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
    offset += cursor.offset()
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
    return records.Symbol(name, cursor.offset())


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
