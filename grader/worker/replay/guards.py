"""Which conditions decide whether a thread comes to an instruction: those that it is control dependent on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from grader.ptxsim.syntax.records import Symbol
from grader.worker.replay.program import FlatProgram

LEAVES = frozenset({"ret", "exit", "trap"})


class Guards:
    """The conditions of a program by what they guard."""

    def __init__(self, code: FlatProgram) -> None:
        self._code = code

    def governs(self, branch: int, number: int) -> bool:
        """Return whether one way of a branch leads to an instruction of its function, and the other need not."""
        before = self._before(self._code.owners[number].name)
        ways = self._ways(branch)
        reaching, leaving = _back([number], before, branch), _back(self._ends(number), before, number)
        if len({each in reaching or each == number for each in ways}) > 1:
            return True
        return len({each in leaving and each != number for each in ways}) > 1

    def _ways(self, number: int) -> tuple[int, ...]:
        instruction, owner = self._code.instructions[number], self._code.owners[number].name
        if instruction.opcode in LEAVES and instruction.guard is None:
            return ()
        target = instruction.operands[0] if instruction.opcode == "bra" else None
        place = self._code.labels.get((owner, target.name)) if isinstance(target, Symbol) else None
        following = () if place is not None and instruction.guard is None else (number + 1,)
        return following if place is None else (place, *following)

    def _ends(self, number: int) -> list[int]:
        return [each for each in self._of_function(self._code.owners[number].name) if not self._ways(each)]

    def _of_function(self, name: str) -> range:
        start = self._code.starts[name]
        end = start
        while end < len(self._code.owners) and self._code.owners[end].name == name:
            end += 1
        return range(start, end)

    @cache  # noqa: B019 - of one program
    def _before(self, function: str) -> Mapping[int, Sequence[int]]:
        before: dict[int, list[int]] = {}
        for number in self._of_function(function):
            for way in self._ways(number):
                before.setdefault(way, []).append(number)
        return before


def _back(ends: Iterable[int], before: Mapping[int, Sequence[int]], without: int) -> set[int]:
    """Return all instructions from which one of the ends is reached, not by way of one."""
    waiting = [each for each in ends if each != without]
    found = set(waiting)
    while waiting:
        for each in before.get(waiting.pop(), ()):
            if each not in found and each != without:
                found.add(each)
                waiting.append(each)
    return found
