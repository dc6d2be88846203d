"""Names of registers and labels: a brace opens a scope (as inline PTX does).

A register may be declared again in it. A label that is declared there is known there only, also before its declaration.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.ptxsim.records.lacks import Lack, MalformedError, UnsupportedError
from grader.ptxsim.syntax.records import Instruction, Label, Operand, Register, Symbol, Targets

MOST_REGISTERS = 100_000

_NUMBERED = re.compile(r"(.*?)(?<!\d)(\d{1,9})")
BRANCHES = frozenset({"bra", "brx"})


class Scopes:
    """The registers that are declared at the parser's place, and those that were used, with their types."""

    def __init__(self) -> None:
        self.used: dict[str, str] = {}
        self._single: list[dict[str, tuple[str, str]]] = [{}]
        self._many: list[dict[str, tuple[int, str, str]]] = [{}]
        self._opened = 0
        self._found: dict[str, Register | None] = {}  # since the last declaration, brace or end of one

    def open(self) -> None:
        """Enter a brace."""
        self._opened += 1
        self._found.clear()
        self._single.append({})
        self._many.append({})

    def close(self) -> None:
        """Leave a brace."""
        if len(self._single) == 1:
            raise MalformedError(Lack.PART)
        self._single.pop()
        self._many.pop()
        self._found.clear()

    @property
    def depth(self) -> int:
        return len(self._single) - 1

    def declare(self, name: str, type_: str, count: int | None) -> None:
        """Declare one register, or `count` of them that are numbered from 0."""
        self._found.clear()
        suffix = f"@{self._opened}" if self.depth else ""
        if count is None:
            self._single[-1][name] = (name + suffix, type_)
        elif count > MOST_REGISTERS:
            raise UnsupportedError(Lack.REGISTERS, number=count)
        else:
            self._many[-1][name] = (count, type_, suffix)

    def find(self, name: str) -> Register | None:
        """Return the register of that name in the innermost scope that declares it."""
        if name not in self._found:
            self._found[name] = self._searched(name)
        return self._found[name]

    def _searched(self, name: str) -> Register | None:
        numbered = _NUMBERED.fullmatch(name)
        for single, many in zip(reversed(self._single), reversed(self._many), strict=True):
            if name in single:
                unique, type_ = single[name]
            elif numbered and numbered[1] in many and int(numbered[2]) < many[numbered[1]][0]:
                unique, type_ = name + many[numbered[1]][2], many[numbered[1]][1]
            else:
                continue
            self.used[unique] = type_
            return Register(unique)
        return None


class LabelScopes:
    """The braces that are open, and the labels that each declares. Branches are resolved when all are known."""

    def __init__(self) -> None:
        self._open: tuple[int, ...] = ()
        self._count = 0
        self._declared: dict[tuple[int, str], str] = {}
        self._branches: dict[int, tuple[int, ...]] = {}
        self._tables: dict[int, tuple[int, ...]] = {}

    def open(self) -> None:
        """Enter a brace."""
        self._count += 1
        self._open = (self._count, *self._open)

    def close(self) -> None:
        """Leave a brace."""
        self._open = self._open[1:]

    def declare(self, name: str) -> str:
        """Return the name, unique within the function, of a label or a table of labels that is declared here."""
        if not self._open:
            return name
        unique = f"{name}@{self._open[0]}"
        self._declared[self._open[0], name] = unique
        return unique

    def use(self, number: int) -> None:
        """Record that a branch, the statement with this number, is in the current scope."""
        if self._open:
            self._branches[number] = self._open

    def use_in_table(self, number: int) -> None:
        """Record that the table with this number is in the current scope."""
        if self._open:
            self._tables[number] = self._open

    def resolved(
        self, statements: Sequence[Instruction | Label], tables: Sequence[Targets]
    ) -> tuple[list[Instruction | Label], list[Targets]]:
        """Return statements and tables with the unique names of the labels that they mean."""
        if not self._declared:
            return list(statements), list(tables)
        return (
            [self._branch(statement, self._branches.get(number, ())) for number, statement in enumerate(statements)],
            [
                Targets(table.name, tuple(self._unique(name, self._tables.get(number, ())) for name in table.labels))
                for number, table in enumerate(tables)
            ],
        )

    def _branch(self, statement: Instruction | Label, scopes: tuple[int, ...]) -> Instruction | Label:
        if isinstance(statement, Label) or not scopes:
            return statement
        return replace(statement, operands=tuple(self._meant(operand, scopes) for operand in statement.operands))

    def _meant(self, operand: Operand, scopes: tuple[int, ...]) -> Operand:
        return Symbol(self._unique(operand.name, scopes), operand.offset) if isinstance(operand, Symbol) else operand

    def _unique(self, name: str, scopes: tuple[int, ...]) -> str:
        return next((self._declared[scope, name] for scope in scopes if (scope, name) in self._declared), name)
