"""The calls in which the threads of a launch are, with the memory of parameters, arguments and results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.syntax.records import Function, Operand, Symbol, Vector
from grader.worker.replay.memory import LaunchMemory, MemoryRegion
from grader.worker.replay.program import FlatProgram, GivesUpError
from grader.worker.replay.threads import Who


@dataclass(frozen=True, slots=True)
class _Call:
    """A function, and the regions to copy from and to: at the call, and at the return."""

    callee: Function
    arguments: Sequence[tuple[MemoryRegion, MemoryRegion]]
    results: Sequence[tuple[MemoryRegion, MemoryRegion]]


class Calls:
    """The calls of a launch. Registers belong to functions, so a function that calls itself is not replayed."""

    def __init__(self, code: FlatProgram, memory: LaunchMemory) -> None:
        self._code, self._memory = code, memory
        self._parameters: dict[tuple[str, str], MemoryRegion] = {}
        self._returns: dict[str, NDArray[np.int64]] = {}
        self._known: dict[int, _Call] = {}

    def parameter(self, function: Function, name: str) -> MemoryRegion | None:
        """Return the memory of a parameter, of a result, or of an argument of a call."""
        key, threads = (function.name, name), self._memory.threads
        if key not in self._parameters:
            every = (*function.parameters, *function.results, *function.locals)
            found = next((each for each in every if each.name == name), None)
            if found is None:
                return None
            self._parameters[key] = self._memory.add(name, found.size, np.arange(threads), threads)
        return self._parameters[key]

    def begin(self, number: int, who: Who) -> int:
        """Call a function, and return its first instruction. Raises GivesUpError for what is not replayed."""
        if number not in self._known:
            self._known[number] = self._call_of(number)
        call = self._known[number]
        returns = self._returns.setdefault(call.callee.name, np.full(self._memory.threads, -1, np.int64))
        if (returns[who] >= 0).any():
            raise GivesUpError("a function that calls itself")
        for source, target in call.arguments:
            _copy(source, target, who)
        self._memory.begin(call.callee, who)
        returns[who] = number
        return self._code.starts[call.callee.name]

    def end(self, number: int, who: Who) -> Iterator[tuple[Who, int]]:
        """Return from the function of an instruction, and yield the threads of each call of it, with the call."""
        returns = self._returns[self._code.owners[number].name]
        calls = returns[who]
        returns[who] = -1
        for call in np.unique(calls).tolist():
            part = who[calls == call]
            for source, target in self._known[call].results:
                _copy(source, target, part)
            yield part, call

    def around(self, thread: int, number: int) -> list[int]:
        """Return the calls in which a thread is at an instruction, the innermost first."""
        calls, call = list[int](), self.innermost(thread, number)
        while call >= 0:
            calls.append(call)
            call = self.innermost(thread, call)
        return calls

    def innermost(self, thread: int, number: int) -> int:
        """Return the call of the function that a thread is in at an instruction; -1 for the kernel itself."""
        returns = self._returns.get(self._code.owners[number].name)
        return -1 if returns is None else int(returns[thread])

    def _call_of(self, number: int) -> _Call:
        """Return what an instruction calls. Raises GivesUpError for a pointer to a function."""
        operands = self._code.instructions[number].operands
        names = [each.name for each in operands if isinstance(each, Symbol)]
        lists = [each.items for each in operands if isinstance(each, Vector)]
        if len(names) != 1:
            raise GivesUpError("a call of a pointer")
        caller, callee = self._code.owners[number], self._code.function(names[0])
        has_result = isinstance(operands[0], Vector)
        results, (given, *_) = (lists[0], [*lists[1:], ()]) if has_result else ((), [*lists, ()])
        arguments = self._pairs(caller, given, callee, [each.name for each in callee.parameters])
        returned = self._pairs(caller, results, callee, [each.name for each in callee.results])
        return _Call(callee, arguments, [(source, target) for target, source in returned])

    def _pairs(
        self, caller: Function, given: Sequence[Operand], callee: Function, names: Sequence[str]
    ) -> Sequence[tuple[MemoryRegion, MemoryRegion]]:
        pairs = []
        for operand, name in zip(given, names, strict=False):
            own = self.parameter(caller, operand.name) if isinstance(operand, Symbol) else None
            other = self.parameter(callee, name)
            if own is None or other is None or own.size != other.size:
                raise GivesUpError("an argument of a call")
            pairs.append((own, other))
        return pairs


def _copy(source: MemoryRegion, target: MemoryRegion, who: Who) -> None:
    """Copy a parameter, with what its values come from."""
    rows = len(source.data) // source.size
    for one, other in ((source.data, target.data), (source.origins[:-1], target.origins[:-1])):
        other.reshape(rows, -1)[who] = one.reshape(rows, -1)[who]
