"""mov, cvta, isspacep (PTX ISA, "Data Movement and Conversion Instructions")."""

from __future__ import annotations

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import element_of
from grader.ptxsim.generate.layout import CONSTANTS, LOCAL, SEGMENT_BITS, SHARED, window
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import Writer, compute, result, result_shape, simple
from grader.ptxsim.generate.values import LaneType, Value, as_element, first_lane, integer, lanes, scalar, spread
from grader.ptxsim.syntax.records import WIDTHS, Instruction, Register, Vector, types_of

_SHARED = ("shared", "shared::cta", "shared::cluster")  # a cluster is one block
_WINDOWS = {**dict.fromkeys(_SHARED, window(SHARED)), "local": window(LOCAL)}
_SEGMENTS = {"const": CONSTANTS, **dict.fromkeys(_SHARED, SHARED), "local": LOCAL}


def move(code: Code, instruction: Instruction) -> None:
    """mov, and its forms that pack and unpack."""
    type_ = types_of(instruction)[-1]
    target, source = instruction.operands
    if isinstance(target, Vector):
        _unpack(code, target, read(code, source, type_), WIDTHS[type_])
    elif isinstance(source, Vector):
        result(code, instruction, _packed(code, source, type_))
    else:
        result(code, instruction, read(code, source, type_))


def cache_policy(code: Code, instruction: Instruction) -> None:
    """createpolicy: no cache is simulated, so that any number will do."""
    result(code, instruction, integer("i64", 0))


def _unpack(code: Code, target: Vector, value: Value, width: int) -> None:
    part = width // len(target.items)
    for place, item in enumerate(target.items):
        if not isinstance(item, Register):
            continue
        amount = integer(f"i{width}", place * part)
        shifted = compute(code, f"i{width}", (value, amount), simple("lshr")) if place else value
        code.write(item, as_element(code.emitter, shifted, f"i{part}"))


def _packed(code: Code, source: Vector, type_: str) -> Value:
    width = WIDTHS[type_]
    part = width // len(source.items)
    values = [read(code, item, f"b{part}") for item in source.items]

    def formula(w: Writer, *names: str) -> str:
        wide, word = w.of(f"i{width}"), ""
        for place, name in enumerate(names):
            extended = w.cast("zext", name, f"i{width}")
            moved = wide.op("shl", extended, place * part) if place else extended
            word = wide.op("or", word, moved) if word else moved
        return word

    return compute(code, f"i{part}", values, formula, to=element_of(f"b{width}"))


def convert_address(code: Code, instruction: Instruction) -> None:
    """cvta: generic addresses of shared and local memory lie in windows of their own."""
    type_ = types_of(instruction)[-1]
    space = next((modifier for modifier in instruction.modifiers if modifier in _WINDOWS), "")
    value = read(code, instruction.operands[1], type_)
    if space:
        start = integer(element_of(type_), _WINDOWS[space])
        text = "sub" if "to" in instruction.modifiers else "add"
        value = compute(code, element_of(type_), (value, start), simple(text))
    result(code, instruction, value)


def is_in_space(code: Code, instruction: Instruction) -> None:
    """isspacep: an address is in global memory if it is in none of the other spaces."""
    space = instruction.modifiers[0]
    emitter, address = code.emitter, read(code, instruction.operands[1], "u64")
    is_vector = not result_shape(code).is_uniform
    kind, truths = LaneType("i64", is_vector=is_vector), LaneType("i1", is_vector=is_vector)
    name = spread(emitter, address) if is_vector else first_lane(emitter, address)
    number = emitter.pure(f"lshr {kind} {name}, {kind.number(SEGMENT_BITS)}")
    truth = truths.number(int(space == "global"))
    for segment in {_SEGMENTS[space]} if space in _SEGMENTS else sorted(set(_SEGMENTS.values())):
        is_there = emitter.pure(f"icmp eq {kind} {number}, {kind.number(segment)}")
        truth = emitter.pure(f"xor {truths} {truth}, {is_there}")
    if is_vector:
        result(code, instruction, lanes("i1", emitter.pure(f"bitcast {truths} {truth} to i{LANES}")))
    else:
        result(code, instruction, scalar("i1", truth))
