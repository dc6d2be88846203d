"""The lines of functions of headers, which are those of their calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.ptxsim.syntax.records import Function, Instruction, Symbol

ADDS = re.compile(r"__[fd](?:add|sub)_r[nzud]$")
MOST_CALLS = 16  # of functions by each other


def one_for_each_line(functions: Sequence[Function]) -> Iterator[Function]:
    """Yield functions; additions of headers, such as __fadd_rn(), once for each line that calls them."""
    plain = {
        each.name for each in functions if ADDS.match(each.name) and not any(own.line for own in each.instructions)
    }
    called = dict.fromkeys(
        (operand.name, own.line)
        for each in functions
        for own in each.instructions
        for operand in (own.operands if own.opcode == "call" and own.line else ())
        if isinstance(operand, Symbol) and operand.name in plain
    )

    def with_own(call: Instruction) -> Iterator[Instruction]:
        operands = (replace(each, name=f"{each.name}@{call.line}")
                    if isinstance(each, Symbol) and (each.name, call.line) in called else each
                    for each in call.operands)  # fmt: skip
        yield replace(call, operands=tuple(operands)) if call.opcode == "call" else call

    for function in functions:
        yield function.rewritten(with_own)
        lines = (line for name, line in called if name == function.name)
        yield from (replace(function, name=f"{function.name}@{line}") for line in lines)


def with_lines(instructions: list[Instruction], owners: list[Function]) -> tuple[Instruction, ...]:
    """Return the instructions; those of a function of a header have the line of its call, if there is one only."""
    calls: dict[str, set[int]] = {}
    callers: dict[str, set[str]] = {}
    for instruction, owner in zip(instructions, owners, strict=True):
        for operand in instruction.operands if instruction.opcode == "call" else ():
            if isinstance(operand, Symbol):
                calls.setdefault(operand.name, set()).add(instruction.line)
                callers.setdefault(operand.name, set()).add(owner.name)

    def line(name: str, depth: int = 0) -> int:
        lines = calls.get(name, set()) - {0}
        if not lines and depth < MOST_CALLS:
            lines = {line(caller, depth + 1) for caller in callers.get(name, set())}
        return lines.pop() if len(lines) == 1 else 0

    of_calls = {name: line(name) for name in {owner.name for owner in owners}}
    return tuple(
        instruction if instruction.line else replace(instruction, line=of_calls[owner.name])
        for instruction, owner in zip(instructions, owners, strict=True)
    )
