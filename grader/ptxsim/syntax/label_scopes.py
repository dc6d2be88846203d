"""Names of labels: one that is declared in a brace is known there only, also before its declaration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.ptxsim.syntax.records import Instruction, Label, Operand, Symbol, Targets

BRANCHES = frozenset({"bra", "brx"})


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
