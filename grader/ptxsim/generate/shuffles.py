"""Shuffles: each lane reads a register of another lane (PTX ISA, "shfl.sync")."""

from __future__ import annotations

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import constants, fresh_value, vector
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import Writer, results
from grader.ptxsim.generate.values import LaneType, as_element, lanes, spread
from grader.ptxsim.generate.warps import require_members
from grader.ptxsim.syntax.records import Instruction

_V = vector("i32")


def shuffle(code: Code, instruction: Instruction) -> None:
    """shfl.sync: each lane reads another's value, which is undefined if that lane does not take part."""
    emitter = code.emitter
    if "sync" in instruction.modifiers:
        require_members(code, instruction.operands[4])
    value = spread(emitter, as_element(emitter, read(code, instruction.operands[1], "b32"), "i32"))
    inside, source = sources(code, instruction)
    found = picked(code, value, source)
    unset = fresh_value(_V, traced=code.kernel.traced)
    found = emitter.op(f"select <{LANES} x i1> {_take_part(code, instruction, source)}, {_V} {found}, {_V} {unset}")
    is_inside = emitter.op(f"bitcast <{LANES} x i1> {inside} to i32")
    results(code, instruction, lanes("i32", found), lanes("i1", is_inside))


def sources(code: Code, instruction: Instruction) -> tuple[str, str]:
    """Return whether each lane of a shuffle reads within its segment, and the lane that it reads, else itself."""
    emitter = code.emitter
    step, limits = (spread(emitter, read(code, operand, "b32")) for operand in instruction.operands[2:4])
    own = constants("i32", range(LANES))
    op = Writer(emitter, LaneType("i32", is_vector=True)).op
    step = op("and", step, 31)
    clamp = op("and", limits, 31)
    segment = op("and", op("lshr", limits, 8), 31)
    first = op("and", own, segment)
    last = op("or", first, op("and", clamp, op("xor", segment, -1)))
    mode = next(name for name in ("up", "down", "bfly", "idx") if name in instruction.modifiers)
    source = {
        "up": lambda: op("sub", own, step),
        "down": lambda: op("add", own, step),
        "bfly": lambda: op("xor", own, step),
        "idx": lambda: op("or", first, op("and", step, op("xor", segment, -1))),
    }[mode]()
    inside = op("icmp sge" if mode == "up" else "icmp sle", source, last)
    chosen = emitter.op(f"select <{LANES} x i1> {inside}, {_V} {source}, {_V} {own}")
    return inside, op("and", chosen, 31)


def _take_part(code: Code, instruction: Instruction, source: str) -> str:
    """Return for each lane whether the lane that it reads is active, and named by its mask."""
    emitter = code.emitter
    named = emitter.broadcast("i32", code.active)
    if "sync" in instruction.modifiers:
        named = emitter.op(f"and {_V} {named}, {spread(emitter, read(code, instruction.operands[4], 'b32'))}")
    bit = emitter.op(f"and {_V} {emitter.op(f'lshr {_V} {named}, {source}')}, splat (i32 1)")
    return emitter.op(f"icmp ne {_V} {bit}, zeroinitializer")


def picked(code: Code, values: str, places: str) -> str:
    """Return lanes of a vector by their numbers, through memory."""
    emitter = code.emitter
    memory = code.in_memory("picked", "i32", values)
    name = "poison"
    for lane in range(LANES):
        place = emitter.op(f"extractelement {_V} {places}, i32 {lane}")
        pointer = emitter.op(f"getelementptr i32, ptr {memory}, i32 {place}")
        single = emitter.op(f"load i32, ptr {pointer}")
        name = emitter.op(f"insertelement {_V} {name}, i32 {single}, i32 {lane}")
    return name
