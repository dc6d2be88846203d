"""Reads the sources of instructions as values, predefined registers (PTX ISA, "Special Registers") among them."""

from __future__ import annotations

import struct

from grader.ptxsim.analysis.shape import LANES, LaneShape, special_shape
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import constants, element_of, vector
from grader.ptxsim.generate.layout import PLACES, ProcessorState, offset
from grader.ptxsim.generate.values import Base, Value, as_element, integer, lanes, negated, real, scalar
from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.records import Integer, Negated, Operand, Real, Register, Special, Symbol

# A cluster is one block, so that clusters have the numbers of blocks.
_OF_BLOCKS = {"ctaid": "block", "nctaid": "grid", "clusterid": "block", "nclusterid": "grid"}
_PROCESSOR = {f"{name}.{axis}": f"{field}_{axis}" for name, field in _OF_BLOCKS.items() for axis in "xyz"}
_MASKS = {
    "lanemask_eq": lambda lane: 1 << lane,
    "lanemask_le": lambda lane: (2 << lane) - 1,
    "lanemask_lt": lambda lane: (1 << lane) - 1,
    "lanemask_ge": lambda lane: -1 << lane,
    "lanemask_gt": lambda lane: -2 << lane,
}
WORKSPACE_NAME = "workspace of the grid"  # of a variable; the spaces keep it apart from every name in PTX
# A launch is that of no CUDA graph, and each block is a cluster of its own.
_ZERO = frozenset({
    *("gridid", "cluster_ctarank", "current_graph_exec"),
    *(f"cluster_ctaid.{axis}" for axis in "xyz"),
})  # fmt: skip
_ONE = frozenset({"cluster_nctarank"} | {f"cluster_nctaid.{axis}" for axis in "xyz"})


def read(code: Code, operand: Operand, type_: str) -> Value:
    """Return a source as a value of a PTX type."""
    element = element_of(type_)
    match operand:
        case Register(name):
            return as_element(code.emitter, code.register(name), element)
        case Integer(value):
            return integer(element, value)
        case Real(bits, width):
            return _real(bits, width, type_)
        case Negated(register):
            return negated(code.emitter, code.register(register.name))
        case Symbol(name, added) if name in code.kernel.symbols:
            return integer(element, code.kernel.symbols[name] + added)
        case Special(name):
            return as_element(code.emitter, special(code, name), element)
        case _:
            raise code.unsupported(Lack.OPERAND)


def _real(bits: int, width: int, type_: str) -> Value:
    if type_ == "f32" and width == 64:
        value = struct.unpack("<d", bits.to_bytes(8, "little"))[0]
        bits, width = int.from_bytes(struct.pack("<f", value), "little"), 32
    element = "float" if width == 32 else "double"
    if element_of(type_) == element:
        return scalar(element, real(bits, width))
    return integer(element_of(type_), bits)


def special(code: Code, name: str) -> Value:
    """Return the value of a predefined register."""
    if name in _PROCESSOR:
        return scalar("i32", code.processor(_PROCESSOR[name], "i32"))
    if name in _MASKS:
        return lanes("i32", constants("i32", [_MASKS[name](lane) for lane in range(LANES)]))
    if name.startswith("tid."):
        return _coordinate(code, "xyz".index(name[4]) if name[4] in "xyz" else 3)
    if name.startswith("ntid."):
        return integer("i32", code.kernel.facts.geometry.block["xyz".index(name[5])])
    return _other(code, name)


def _other(code: Code, name: str) -> Value:
    if name == "laneid":
        return Value("i32", (Base("", 0),), tuple(range(LANES)))
    if name in {"warpid", "smid"}:
        return _number_of_place(code, name)
    if name in {"nwarpid", "nsmid"}:
        return integer("i32", PLACES[name[1:]])
    if name in {"clock", "clock_hi", "clock64", "globaltimer", "globaltimer_lo", "globaltimer_hi"}:
        return _clock(code, name)
    if name in {"envreg1", "envreg2"}:
        address = code.kernel.symbols.get(WORKSPACE_NAME, 0)
        return integer("i32", address >> 32 if name == "envreg1" else (address & 0x7FFFFFFF))
    if name in _ZERO or name in _ONE:
        return integer("i32", int(name in _ONE))
    raise code.unsupported(Lack.SPECIAL_REGISTER, name)


def _number_of_place(code: Code, name: str) -> Value:
    """Return the number of a warp's place, or of its multiprocessor.

    A block comes to where there is room on a GPU, so that these numbers say nothing about threads and blocks.
    """
    emitter, number = code.emitter, code.warp("number", "i32") if name == "warpid" else "0"
    for axis in "xyz":
        number = emitter.pure(f"add i32 {number}, {code.processor(f'block_{axis}', 'i32')}")
    return scalar("i32", emitter.pure(f"urem i32 {number}, {PLACES[name]}"))


def _coordinate(code: Code, axis: int) -> Value:
    if axis == 3:
        return integer("i32", 0)
    shape: LaneShape = special_shape(f"tid.{'xyz'[axis]}", code.kernel.facts.geometry)
    if shape.constant is not None:
        return integer("i32", shape.constant)
    emitter = code.emitter
    place = emitter.at(code.warp("coordinates", "ptr"), axis * 4 * LANES)
    if shape.is_varying:
        return lanes("i32", emitter.pure(f"load {vector('i32')}, ptr {place}, align 4"))
    first = emitter.pure(f"load i32, ptr {place}, align 4")
    return Value("i32", (Base(first),), shape.offsets)


def _clock(code: Code, name: str) -> Value:
    """Return a counter that grows with every reading, so that readings differ, but are the same in every run."""
    emitter = code.emitter
    old = emitter.load("i64", "%m", offset(ProcessorState, "clock"), 8)
    new = emitter.op(f"add i64 {old}, 64")
    emitter.store("i64", new, "%m", offset(ProcessorState, "clock"), 8)
    if name in {"clock64", "globaltimer"}:
        return scalar("i64", new)
    if name in {"clock_hi", "globaltimer_hi"}:
        new = emitter.op(f"lshr i64 {new}, 32")
    return scalar("i32", emitter.op(f"trunc i64 {new} to i32"))
