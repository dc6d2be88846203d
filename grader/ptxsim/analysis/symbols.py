"""Where a function mentions a variable."""

from __future__ import annotations

from grader.ptxsim.syntax.records import Address, Function, Instruction, Operand, Symbol


def first_mention(function: Function, name: str) -> int | None:
    """Return the line of the first instruction that mentions a variable, 0 for an unknown line; None without any."""
    lines = (item.line for item in function.body if isinstance(item, Instruction) and _mentions(item.operands, name))
    return next(lines, None)


def _mentions(operands: tuple[Operand, ...], name: str) -> bool:
    bases = (operand.base if isinstance(operand, Address) else operand for operand in operands)
    return any(isinstance(base, Symbol) and base.name == name for base in bases)
