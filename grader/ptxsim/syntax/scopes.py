"""Names of registers, variables and labels: a brace opens a scope (as inline PTX does).

A register may be declared again in it. A label that is declared there is known there only, also before its declaration.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from grader.ptxsim.records.lacks import Lack, MalformedError, UnsupportedError
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
