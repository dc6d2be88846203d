"""The places in memory of the addresses of a function."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from grader.ptxsim.analysis.registers import results
from grader.ptxsim.syntax.records import Address, Instruction, Integer, Operand, Register, Symbol

Root: TypeAlias = tuple[object, ...]  # a register, a variable, or an opcode with the places of its operands
Place: TypeAlias = tuple[Root, int]  # and an offset in bytes
DEEPEST = 6  # nested instructions that are followed
WIDEST = 64  # bits of an address
_SAME = frozenset({"mov", "cvta", "cvt"})  # they keep the value, or convert the address
_PURE = frozenset({"add", "sub", "mul", "mad", "shl", "and", "or"})


class Places:
    """The places of the addresses of a function."""

    def __init__(self, instructions: Iterable[Instruction]) -> None:
        self._writers: dict[str, list[Instruction]] = {}
        for instruction in instructions:
            for register in results(instruction):
                self._writers.setdefault(register.name, []).append(instruction)

    def of(self, address: Address) -> Place:
        """Return the place of an address. Equal places are the same memory; different ones may be too."""
        root, offset = self._operand(address.base, DEEPEST) if address.base else ((), 0)
        return root, offset + address.offset

    def _operand(self, operand: Operand, depth: int) -> Place:
        match operand:
            case Integer(value):
                return (), value
            case Symbol(name, offset):
                return ("symbol", name), offset
            case Register(name):
                return self._register(name, depth)
            case _:
                return ("operand", operand), 0

    def _register(self, name: str, depth: int) -> Place:
        writers = self._writers.get(name, [])
        if len(writers) != 1 or writers[0].guard or depth == 0:
            return ("register", name), 0
        opcode, read = writers[0].opcode, writers[0].operands[1:]
        if opcode in _SAME and len(read) == 1:
            return self._operand(read[0], depth - 1)
        if opcode == "add" and len(read) == 2 and isinstance(read[1], Integer):
            root, offset = self._operand(read[0], depth - 1)
            return root, offset + read[1].value
        match opcode, read:
            case "shl", (shifted, Integer(bits)) if 0 <= bits < WIDEST:  # NVRTC writes one address in both ways
                opcode, read = "mul", (shifted, Integer(1 << bits))
        if opcode in _PURE:
            return (opcode, *(self._operand(operand, depth - 1) for operand in read)), 0
        return ("register", name), 0
