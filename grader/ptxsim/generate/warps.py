"""Operations of a whole warp: shuffles, votes, matches, reductions (PTX ISA, "shfl.sync", "vote.sync", ...)."""

from __future__ import annotations

from grader.ptxsim.analysis.ordering import is_barrier
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import constants, fresh_value, vector
from grader.ptxsim.generate.exits import require
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import Writer, result, results
from grader.ptxsim.generate.values import LaneType, Value, as_element, first_lane, lanes, mask, scalar, spread
from grader.ptxsim.syntax.records import Instruction, Operand, is_signed, types_of

_V = vector("i32")
_MEMBERS = {"shfl": 4, "vote": 2, "match": 2, "redux": 2, "elect": 1}  # which operand
_WHOLE = frozenset({"wmma", "mma", "ldmatrix", "stmatrix"})


def lanes_meet(instruction: Instruction) -> bool:
    """Whether lanes wait for each other at an instruction."""
    return is_barrier(instruction) or instruction.opcode in _WHOLE or members(instruction) is not None


def members(instruction: Instruction) -> Operand | None:
    """Return the mask of the lanes that wait for each other at an instruction; None if it has no such mask."""
    if instruction.opcode in {"bar", "barrier"} and "warp" in instruction.modifiers:
        return instruction.operands[0]
    if instruction.opcode in _MEMBERS:
        return instruction.operands[_MEMBERS[instruction.opcode]]
    return None


def require_members(code: Code, operand: Operand) -> str:
    """Return the mask of lanes that take part; where any of them is missing, the general code takes over.

    A lane that has ended cannot arrive any more: the device does not wait for it.
    """
    emitter = code.emitter
    value = read(code, operand, "b32")
    if value.varies:  # each lane names its own group
        here = emitter.op(f"bitcast i32 {code.active} to <{LANES} x i1>")
        named = emitter.op(f"select <{LANES} x i1> {here}, {_V} {spread(emitter, value)}, {_V} zeroinitializer")
        members = emitter.call("i32", "llvm.vector.reduce.or.v32i32", [(_V, named)])
    else:
        members = first_lane(emitter, value)
    if not code.entry.alive:
        return members
    alive = emitter.op(f"load i32, ptr {code.entry.alive}")
    wanted = emitter.pure(f"and i32 {members}, {alive}")
    require(code, emitter.op(f"icmp eq i32 {emitter.without(wanted, code.active)}, 0"))
    return members


def of_all_active(code: Code, operand: Operand) -> str:
    """Return what all active lanes have, and leave if they have different numbers."""
    emitter = code.emitter
    value = read(code, operand, "u32")
    if not value.varies:
        return first_lane(emitter, value)
    every = spread(emitter, value)
    first = emitter.op(f"extractelement {_V} {every}, i32 {emitter.first(code.active)}")
    differs = emitter.op(f"icmp ne {_V} {every}, {emitter.broadcast('i32', first)}")
    other = emitter.op(f"bitcast <{LANES} x i1> {differs} to i32")
    require(code, emitter.op(f"icmp eq i32 {emitter.op(f'and i32 {other}, {code.active}')}, 0"))
    return first


def vote(code: Code, instruction: Instruction) -> None:
    """vote.sync: all, any, uni, ballot; of one group, or of a group that each lane names."""
    emitter = code.emitter
    named = instruction.operands[2]
    by_lane = read(code, named, "b32").varies
    w = Writer(emitter, LaneType("i32", is_vector=by_lane))
    holds = mask(emitter, read(code, instruction.operands[1], "pred"))
    if by_lane:
        grouped, holds = _of_groups(code, named), emitter.broadcast("i32", holds)
    else:
        grouped = w.op("and", require_members(code, named), code.active)
    holds = w.op("and", holds, grouped)
    if "ballot" in instruction.modifiers:
        result(code, instruction, (lanes if by_lane else scalar)("i32", holds))
        return
    every, none = w.op("icmp eq", holds, grouped), w.op("icmp eq", holds, 0)
    truths = w.of("i1")
    how = next(modifier for modifier in instruction.modifiers if modifier in {"all", "any", "uni"})
    truth = {"all": every, "any": truths.op("xor", none, -1)}.get(how) or truths.op("or", none, every)
    result(code, instruction, _lanes_of(code, truth) if by_lane else scalar("i1", truth))


def _lanes_of(code: Code, truths: str) -> Value:
    """Return a vector of truth values as a predicate."""
    return lanes("i1", code.emitter.op(f"bitcast <{LANES} x i1> {truths} to i32"))


def _of_groups(code: Code, operand: Operand) -> str:
    """Return for each lane the active lanes that its mask names, as a vector."""
    emitter = code.emitter
    require_members(code, operand)
    active = emitter.broadcast("i32", code.active)
    return emitter.op(f"and {_V} {spread(emitter, read(code, operand, 'b32'))}, {active}")


def active_mask(code: Code, instruction: Instruction) -> None:
    """Activemask."""
    result(code, instruction, scalar("i32", code.active))


def reduce(code: Code, instruction: Instruction) -> None:
    """redux.sync: one number of all lanes that take part."""
    emitter = code.emitter
    type_ = types_of(instruction)[-1]
    how = next(m for m in instruction.modifiers if m in {"add", "min", "max", "and", "or", "xor"})
    signed = is_signed(type_)
    neutral = {"add": 0, "or": 0, "xor": 0, "and": -1, "min": 0x7FFFFFFF if signed else -1}.get(
        how, -0x80000000 if signed else 0
    )
    value = spread(emitter, read(code, instruction.operands[1], "b32"))
    name = how if how not in {"min", "max"} else f"{'s' if signed else 'u'}{how}"

    def reduced(acting: str) -> str:
        bits = emitter.op(f"bitcast i32 {acting} to <{LANES} x i1>")
        kept = emitter.op(f"select <{LANES} x i1> {bits}, {_V} {value}, {_V} splat (i32 {neutral})")
        return emitter.call("i32", f"llvm.vector.reduce.{name}.v32i32", [(_V, kept)])

    if not read(code, instruction.operands[2], "b32").varies:
        members = require_members(code, instruction.operands[2])
        result(code, instruction, scalar("i32", reduced(emitter.op(f"and i32 {members}, {code.active}"))))
        return
    groups, found = _of_groups(code, instruction.operands[2]), "poison"
    for lane in range(LANES):
        own = reduced(emitter.op(f"extractelement {_V} {groups}, i32 {lane}"))
        found = emitter.op(f"insertelement {_V} {found}, i32 {own}, i32 {lane}")
    result(code, instruction, lanes("i32", found))


def match(code: Code, instruction: Instruction) -> None:
    """match.sync: which lanes hold the same value."""
    emitter = code.emitter
    acting = _of_groups(code, instruction.operands[2])
    type_ = types_of(instruction)[-1]
    element = "i64" if type_ == "b64" else "i32"
    value = spread(emitter, read(code, instruction.operands[1], type_))
    v, name = vector(element), "poison"
    for lane in range(LANES):
        single = emitter.op(f"extractelement {v} {value}, i32 {lane}")
        same = emitter.op(f"icmp eq {v} {value}, {emitter.broadcast(element, single)}")
        own = emitter.op(f"extractelement {_V} {acting}, i32 {lane}")
        found = emitter.op(f"and i32 {emitter.op(f'bitcast <{LANES} x i1> {same} to i32')}, {own}")
        name = emitter.op(f"insertelement {_V} {name}, i32 {found}, i32 {lane}")
    holds = None
    if "all" in instruction.modifiers:
        whole = emitter.op(f"icmp eq {_V} {name}, {acting}")
        holds = _lanes_of(code, whole)
        name = emitter.op(f"select <{LANES} x i1> {whole}, {_V} {name}, {_V} zeroinitializer")
    results(code, instruction, lanes("i32", name), holds)


def elect(code: Code, instruction: Instruction) -> None:
    """elect.sync: the lowest lane that takes part, in each group that a mask names."""
    emitter = code.emitter
    groups = _of_groups(code, instruction.operands[1])
    leader = emitter.call(_V, "llvm.cttz.v32i32", [(_V, groups), ("i1", "false")])
    own = emitter.op(f"icmp eq {_V} {leader}, {constants('i32', range(LANES))}")
    results(code, instruction, lanes("i32", leader), _lanes_of(code, own))


def synchronise(code: Code, instruction: Instruction) -> None:
    """bar.warp.sync: the lanes named have to be here."""
    require_members(code, instruction.operands[0])


def nothing(code: Code, instruction: Instruction) -> None:
    """Ordering and hints need no code, because all accesses already happen in order."""


def shuffle(code: Code, instruction: Instruction) -> None:
    """shfl.sync: each lane reads another's value, which is undefined if that lane does not take part."""
    emitter = code.emitter
    require_members(code, instruction.operands[4])
    value = spread(emitter, as_element(emitter, read(code, instruction.operands[1], "b32"), "i32"))
    inside, source = lanes_read(code, instruction)
    found = picked(code, value, source)
    unset = fresh_value(_V, traced=code.kernel.traced)
    found = emitter.op(f"select <{LANES} x i1> {_take_part(code, instruction, source)}, {_V} {found}, {_V} {unset}")
    results(code, instruction, lanes("i32", found), _lanes_of(code, inside))


def lanes_read(code: Code, instruction: Instruction) -> tuple[str, str]:
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
    active, named = emitter.broadcast("i32", code.active), read(code, instruction.operands[4], "b32")
    named_here = emitter.op(f"and {_V} {active}, {spread(emitter, named)}")
    bit = emitter.op(f"and {_V} {emitter.op(f'lshr {_V} {named_here}, {source}')}, splat (i32 1)")
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
