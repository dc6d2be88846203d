"""The operands of one instruction: what reads and writes them, and where values come from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from grader.ptxsim.syntax.records import (
    Function,
    Instruction,
    Integer,
    Negated,
    Operand,
    Real,
    Register,
    Sink,
    Special,
    Symbol,
)
from grader.worker.replay.arithmetic import Kind, Values
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.origins import OTHER
from grader.worker.replay.program import GivesUpError
from grader.worker.replay.threads import RegisterCell, Who

Reader: TypeAlias = Callable[[Who], Values]


class Operands:
    """The operands of one instruction, ready to be read and written."""

    def __init__(self, machine: LockstepMachine, number: int) -> None:
        self.machine, self.number = machine, number
        self.instruction: Instruction = machine.code.instructions[number]
        self.function: Function = machine.code.owners[number]
        self.all: Sequence[Operand] = self.instruction.operands

    def cell(self, operand: Operand) -> RegisterCell | None:
        """Return the register; None for other operands."""
        if isinstance(operand, Negated):
            operand = operand.register
        return self.machine.cell(self.function, operand.name) if isinstance(operand, Register) else None

    def reader(self, operand: Operand, kind: Kind) -> Reader:
        """Return what reads the operand for some threads, as values of a type; a constant as one value."""
        machine = self.machine
        match operand:
            case Register(name):
                values = machine.cell(self.function, name).as_type(kind)
                return values.__getitem__
            case Negated(Register(name)):
                negated = machine.cell(self.function, name).data
                return lambda who: np.logical_not(negated[who])
            case Integer(value):
                return _constant(_integer(value, kind))
            case Real(bits, width):
                real = (
                    np.array([bits], f"u{width // 8}")
                    .view(f"f{width // 8}")
                    .astype(kind if kind.kind == "f" else f"f{width // 8}")
                )
                return _constant(real[0] if kind.kind == "f" else real.view(kind)[0])
            case Special(name) if name in machine.specials:
                special = machine.specials[name].astype(kind)
                return special.__getitem__
            case Symbol(name, offset):
                return _constant(_integer(self.address(name) + offset, kind))
        raise GivesUpError(f"the operand {operand}")

    def every(self, operand: Operand, kind: Kind) -> Reader:
        """Return what reads a value for each of some threads."""
        read = self.reader(operand, kind)
        if isinstance(operand, Register):
            return read
        return lambda who: np.broadcast_to(np.asarray(read(who), kind), who.shape)

    def address(self, name: str) -> int:
        """Return the address of a variable in its own space, or of a parameter."""
        if name in self.machine.memory.symbols:
            return self.machine.memory.symbols[name]
        if region := self.machine.calls.parameter(self.function, name):
            return region.base
        raise GivesUpError(f"the symbol {name}")

    def writer(self, operand: Operand) -> Callable[[Who, Values, Values], None]:
        """Return what writes values, and the nodes that they come from, to a register."""
        if isinstance(operand, Sink):
            return lambda _who, _values, _nodes: None
        cell = self.cell(operand)
        if cell is None:
            raise GivesUpError("a result")
        data, size = cell.data, cell.data.dtype.itemsize
        signed = data if data.dtype == np.bool_ else data.view(f"i{size}")

        def write(who: Who, values: Values, nodes: Values) -> None:
            kind = values.dtype
            if data.dtype in {np.dtype(np.bool_), kind}:
                data[who] = values
            elif kind.itemsize == size:
                data[who] = values.view(data.dtype)
            elif kind.kind == "f":
                data[who] = values.view(f"u{kind.itemsize}")
            else:
                (signed if kind.kind == "i" else data)[who] = values
            cell.mark(who, nodes)

        return write

    def tracer(self, kind: str, operands: Sequence[Operand]) -> Callable[[Who, Values], Values]:
        """Return what gives the nodes of results, from those of the operands; 0 where none has any.

        A `kind` of nothing passes on the node of the first operand that has one.
        """
        cells = [self.cell(operand) for operand in operands]
        machine, number = self.machine, self.number

        def trace(who: Who, values: Values) -> Values:
            if all(cell is None or cell.origins is None for cell in cells):
                return 0
            known = [cell.origins[who] if cell is not None and cell.origins is not None else None for cell in cells]
            traced = [each for each in known if each is not None]
            for each in traced:
                machine.with_unset(number, who, each)
            if not traced or not any(each.any() for each in traced):
                return 0
            if not kind:
                nodes = traced[0]
                for each in traced[1:]:
                    nodes = np.where(nodes, nodes, each)
                return nodes
            none = np.zeros(len(who), np.int64)
            sources = [none if each is None else each for each in known]
            is_traced = np.logical_or.reduce([each != 0 for each in sources])
            are_bits = values.dtype.kind in "iu" and any(
                cell is not None and self._are_bits(cell, who, each) for cell, each in zip(cells, sources, strict=True)
            )
            return np.where(is_traced, machine.add(OTHER if are_bits else kind, number, who, values, sources), 0)

        return trace

    def _are_bits(self, cell: RegisterCell, who: Who, nodes: Values) -> bool:
        """Whether a register has the bits of numbers, and not as integers the values of their nodes."""
        held, values = cell.data[who], self.machine.origins.values(np.maximum(nodes, 0))
        return bool(((nodes > 0) & (held != values) & (held.view(f"i{held.itemsize}") != values)).any())


def _integer(value: int, kind: Kind) -> Values:
    if kind == np.bool_:
        return np.bool_(value != 0)
    bits = 8 * kind.itemsize
    return np.array([value & ((1 << bits) - 1)], f"u{kind.itemsize}").view(kind)[0]


def _constant(value: Values) -> Reader:
    return lambda _: value
