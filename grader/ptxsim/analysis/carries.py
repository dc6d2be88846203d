"""Lower arithmetic with a carry flag to plain arithmetic.

PTX ISA, "Extended-Precision Integer Arithmetic Instructions". The carry becomes a register that is 0 or 1. A device
subtracts by adding the complement, so the carry after a subtraction is 1 if there was no borrow: nvcc's division of
128-bit numbers relies on that with `addc`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from grader.ptxsim.syntax.records import Function, Instruction, Integer, Operand, Register
from grader.ptxsim.syntax.types import WIDTHS, types_of

CARRY = Register("carry flag")  # no name of PTX has a space
_OPCODES = {"add": "add", "addc": "add", "sub": "sub", "subc": "sub", "mad": "add", "madc": "add"}


def without_carries(function: Function) -> Function:
    """Return the function without instructions that read or write the carry."""
    if not any(isinstance(s, Instruction) and _has_carry(s) for s in function.body):
        return function
    made = _Expansion(dict(function.registers) | {CARRY.name: "b64"})
    body = tuple(
        new
        for statement in function.body
        for new in (
            made.expanded(statement) if isinstance(statement, Instruction) and _has_carry(statement) else (statement,)
        )
    )
    return replace(function, registers=made.registers, body=body)


def _has_carry(instruction: Instruction) -> bool:
    return instruction.opcode in _OPCODES and ("cc" in instruction.modifiers or instruction.opcode[-1] == "c")


@dataclass(slots=True)
class _Expansion:
    registers: dict[str, str]
    count: int = 0

    def expanded(self, instruction: Instruction) -> Iterator[Instruction]:
        """Return equivalent instructions without a carry, each with the guard of the original."""
        target, first, second, *third = instruction.operands
        kind = f"u{WIDTHS[types_of(instruction)[-1]]}"
        if instruction.opcode in {"mad", "madc"}:
            half = "hi" if "hi" in instruction.modifiers else "lo"
            product = self._register(kind)
            signed = types_of(instruction)[-1]
            yield self._part(instruction, "mul", (half, signed), (product, first, second))
            first, second = product, third[0]
        how = _OPCODES[instruction.opcode]
        total, over = self._register(kind), self._register("pred")
        yield self._part(instruction, how, (kind,), (total, first, second))
        yield self._part(instruction, "setp", ("lt", kind), (over, *self._smaller(how, total, first, second)))
        carries = [over]
        if instruction.opcode[-1] == "c":
            before, again = total, self._register("pred")
            total, carry = self._register(kind), self._register(kind)
            yield self._part(instruction, "cvt", (kind, "u64"), (carry, CARRY))
            if how == "sub":
                yield self._part(instruction, "xor", (f"b{kind[1:]}",), (carry, carry, Integer(1)))
            yield self._part(instruction, how, (kind,), (total, before, carry))
            yield self._part(instruction, "setp", ("lt", kind), (again, *self._smaller(how, total, before, carry)))
            carries.append(again)
        yield self._part(instruction, "mov", (f"b{kind[1:]}",), (target, total))
        if "cc" in instruction.modifiers:
            yield from self._carried(instruction, carries, (0, 1) if how == "sub" else (1, 0))

    def _carried(
        self, instruction: Instruction, carries: list[Register], values: tuple[int, int]
    ) -> Iterator[Instruction]:
        any_ = carries[0]
        if len(carries) > 1:
            any_ = self._register("pred")
            yield self._part(instruction, "or", ("pred",), (any_, *carries))
        yield self._part(instruction, "selp", ("b64",), (CARRY, *map(Integer, values), any_))

    def _smaller(self, how: str, total: Operand, first: Operand, second: Operand) -> tuple[Operand, Operand]:
        """Return two operands; the first is smaller exactly if the sum wraps around or the difference borrows."""
        return (total, first) if how == "add" else (first, second)

    def _register(self, kind: str) -> Register:
        self.count += 1
        register = Register(f"carry {self.count}")
        self.registers[register.name] = kind if kind == "pred" else f"b{kind[1:]}"
        return register

    def _part(
        self, instruction: Instruction, opcode: str, modifiers: tuple[str, ...], operands: tuple[Operand, ...]
    ) -> Instruction:
        return Instruction(opcode, modifiers, operands, instruction.guard, instruction.line)
