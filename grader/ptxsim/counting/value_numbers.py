"""Registers that hold the same value in code without jumps: local value numbering.

The compiler computes an address again where that is cheaper than keeping it in a register. See Aho, Lam, Sethi, Ullman:
Compilers, section 8.5.1.
"""

from __future__ import annotations

from typing import TypeAlias

from grader.ptxsim.analysis.registers import results
from grader.ptxsim.syntax.records import Address, Instruction, Integer, Operand

Value: TypeAlias = tuple[int, int]  # the number of a value, and a constant that is added to it

_FUNCTIONS = frozenset(
    {"add", "sub", "mul", "mad", "shl", "shr", "and", "or", "xor", "not", "neg", "min", "max", "cvt", "cvta", "mov"}
)


class ValueNumbers:
    """The values of registers after the instructions so far."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self._values: dict[Operand | None, Value] = {}

    def address(self, address: Address) -> Value:
        """Return the value of an address."""
        number, offset = self._of(address.base)
        return number, offset + address.offset

    def follow(self, instruction: Instruction, *, is_conditional: bool) -> None:
        """Execute an instruction; nothing is known about the results of one that not all lanes execute."""
        written = results(instruction)
        is_known = len(written) == 1 and instruction.opcode in _FUNCTIONS
        is_known = is_known and instruction.guard is None and not is_conditional
        for register in written:
            self._values[register] = self._result(instruction) if is_known else self._new(object())

    def _result(self, instruction: Instruction) -> Value:
        _, first, *others = instruction.operands
        if instruction.opcode == "mov":
            return self._of(first)
        if instruction.opcode == "add" and len(others) == 1 and isinstance(others[0], Integer):
            number, offset = self._of(first)
            return number, offset + others[0].value
        return self._new((instruction.name, *map(self._of, instruction.operands[1:])))

    def _of(self, operand: Operand | None) -> Value:
        if operand not in self._values:
            self._values[operand] = self._new(operand)
        return self._values[operand]

    def _new(self, key: object) -> Value:
        return self._numbers.setdefault(key, len(self._numbers)), 0
