"""Names of registers: a brace opens a scope, and a name may be declared again in it (as inline PTX does)."""

from __future__ import annotations

import re

from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.errors import MalformedError, UnsupportedError
from grader.ptxsim.syntax.records import Register

MOST_REGISTERS = 100_000

_NUMBERED = re.compile(r"(.*?)(?<!\d)(\d{1,9})")


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
            raise MalformedError(Lack.BRACE)
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
