"""Calls of functions: which function, and the memory of arguments and results that is copied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from grader.ptxsim.syntax.records import Function, Operand, Symbol, Vector
from grader.worker.replay.memory import MemoryRegion
from grader.worker.replay.program import FlatProgram, GivesUpError
from grader.worker.replay.threads import Who

Parameters = Callable[[Function, str], MemoryRegion | None]
"""The memory of a parameter, a result or an argument of a function."""
Pairs = list[tuple[MemoryRegion, MemoryRegion]]


@dataclass(frozen=True, slots=True)
class Call:
    """A function, and the regions to copy from and to: at the call, and at the return."""

    callee: Function
    arguments: Pairs
    results: Pairs


def call_of(code: FlatProgram, parameters: Parameters, number: int) -> Call:
    """Return what an instruction calls. Raises GivesUpError for a pointer to a function."""
    instruction = code.instructions[number]
    names = [each.name for each in instruction.operands if isinstance(each, Symbol)]
    lists = [each.items for each in instruction.operands if isinstance(each, Vector)]
    if len(names) != 1:
        raise GivesUpError("a call of a pointer")
    caller, callee = code.owners[number], code.function(names[0])
    has_result = isinstance(instruction.operands[0], Vector)
    results, (given, *_) = (lists[0], [*lists[1:], ()]) if has_result else ((), [*lists, ()])
    arguments = _pairs(parameters, caller, given, callee, tuple(each.name for each in callee.parameters))
    returned = _pairs(parameters, caller, results, callee, tuple(each.name for each in callee.results))
    return Call(callee, arguments, [(source, target) for target, source in returned])


def _pairs(
    parameters: Parameters, caller: Function, given: tuple[Operand, ...], callee: Function, names: tuple[str, ...]
) -> Pairs:
    pairs = []
    for operand, name in zip(given, names, strict=False):
        own = parameters(caller, operand.name) if isinstance(operand, Symbol) else None
        other = parameters(callee, name)
        if own is None or other is None or own.size != other.size:
            raise GivesUpError("an argument of a call")
        pairs.append((own, other))
    return pairs


def copied(source: MemoryRegion, target: MemoryRegion, who: Who) -> None:
    """Copy a parameter, with what its values come from."""
    rows = len(source.data) // source.size
    for one, other in ((source.data, target.data), (source.origins[:-1], target.origins[:-1])):
        other.reshape(rows, -1)[who] = one.reshape(rows, -1)[who]
