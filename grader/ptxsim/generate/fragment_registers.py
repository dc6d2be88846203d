"""The registers of a fragment: stored to memory, loaded from it, and their elements put into another order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate import fragments
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import vector
from grader.ptxsim.generate.exits import fail, require
from grader.ptxsim.generate.fragments import Fragment
from grader.ptxsim.generate.layout import FaultKind
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.tiles import element_mover
from grader.ptxsim.generate.values import lanes, spread
from grader.ptxsim.syntax.records import Instruction, Operand, Register, Vector

MOST_REGISTERS = 16  # of a fragment: no instruction has more
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")


def items(code: Code, operand: Operand) -> tuple[Operand, ...]:
    """Return the registers of an operand."""
    if not isinstance(operand, Vector):
        if isinstance(operand, Register):
            return (operand,)
        raise code.unsupported()
    if len(operand.items) > MOST_REGISTERS:
        raise code.unsupported()
    return operand.items


def shape(instruction: Instruction) -> tuple[int, int, int]:
    """Return M, N and K of an instruction."""
    match = next(m for m in map(_SHAPE.fullmatch, instruction.modifiers) if m)
    return int(match[1]), int(match[2]), int(match[3])


def element_types(instruction: Instruction) -> list[str]:
    """Return the types of its matrices, in the instruction's order."""
    return [modifier for modifier in instruction.modifiers if modifier in fragments.SIZES]


def whole_warp(code: Code) -> None:
    """Require all 32 lanes: an incomplete warp is a fault; if lanes are elsewhere, the general code takes over."""
    emitter = code.emitter
    alive = emitter.op(f"load i32, ptr {code.alive}")  # neither beyond the block's last thread nor returned
    whole = emitter.op(f"icmp eq i32 {alive}, -1")
    good, bad = emitter.new_label("full"), emitter.new_label("partial")
    known = emitter.keep()
    emitter.do(f"br i1 {whole}, label %{good}, label %{bad}, !prof !0")
    emitter.inner_label(bad)
    fail(code, FaultKind.WARP_PARTIAL, code.active)
    emitter.inner_label(good)
    emitter.restore(known)
    require(code, emitter.op(f"icmp eq i32 {code.active}, -1"))


def save(code: Code, name: str, items: Sequence[Operand], fragment: Fragment) -> str:
    """Store the registers of a fragment, and return where."""
    element, type_ = ("double", "f64") if fragment.type == "f64" else ("i32", "b32")
    word = max(4, fragment.size)
    memory = code.temporary(name, 2 * LANES * word * max(8, len(items)))
    for number, item in enumerate(items):
        value = spread(code.emitter, read(code, item, type_))
        code.emitter.store(vector(element), value, memory, number * LANES * word, 64)
    return memory


def restore(code: Code, memory: str, items: Sequence[Operand], fragment: Fragment) -> None:
    """Write the registers of a fragment from memory with the layout of `save`."""
    element = "double" if fragment.type == "f64" else "i32"
    word = max(4, fragment.size)
    for number, item in enumerate(items):
        if isinstance(item, Register):
            code.write(item, lanes(element, code.emitter.load(vector(element), memory, number * LANES * word, 64)))


def move(code: Code, size: int, to: str, places: str, source: str, order: str, count: int) -> None:
    """Write a call that copies elements from the places in one table to those in another."""
    code.globals.functions[f"move{size}"] = element_mover(size)
    code.emitter.do(f"call void @move_{size}(ptr {to}, ptr {places}, ptr {source}, ptr {order}, i32 {count})")
