"""Instructions of PTX as steps of a machine. What is not here is not replayed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from grader.ptxsim.syntax.records import Pair, Real, Sink
from grader.worker.replay import arithmetic
from grader.worker.replay.accesses import load, store
from grader.worker.replay.arithmetic import BINARY, COMPARISONS, LOGICAL, UNARY, WIDER, Kind, Values, converted, type_of
from grader.worker.replay.atomics import atomic, copy_beside, exchange_lanes
from grader.worker.replay.machine import LockstepMachine
from grader.worker.replay.memory import WINDOW_BITS
from grader.worker.replay.operands import Operands, Reader
from grader.worker.replay.origins import CONVERTED, OTHER
from grader.worker.replay.program import GivesUpError
from grader.worker.replay.threads import Step, Who

NOTHING = frozenset({"membar", "fence", "nanosleep", "prefetch", "prefetchu", "pragma"})
ADDED = {"add", "sub", "mul", "mad", "fma"}  # of which an origin keeps its kind


def step(machine: LockstepMachine, number: int) -> Step:
    """Return the step of an instruction. Raises GivesUpError for one that is not replayed."""
    operands = Operands(machine, number)
    instruction = operands.instruction
    opcode = instruction.opcode
    if opcode in NOTHING or (opcode in {"bar", "barrier"} and instruction.modifiers[:1] == ("warp",)):
        return lambda _who: None
    if maker := MAKERS.get(opcode):
        return maker(operands)
    if opcode in BINARY:
        return _binary(operands)
    if opcode in UNARY:
        return _unary(operands)
    raise GivesUpError(f"the instruction {instruction.name}")


def _kind(operands: Operands) -> Kind:
    return type_of(operands.instruction.modifiers[-1])


def _computed(operands: Operands, function: Callable[..., Values], kinds: Sequence[Kind], origin: str) -> Step:
    """Return the step that applies a function to all operands but the first, which it sets."""
    result, *sources = operands.all
    readers = [operands.reader(source, kind) for source, kind in zip(sources, kinds, strict=True)]
    write, trace = operands.writer(result), operands.tracer(origin, sources)
    read, *others = readers
    if not others:
        values_of: Reader = lambda who: function(read(who))  # noqa: E731 - one of three, which are quicker than a loop
    elif len(others) == 1:
        values_of = lambda who: function(read(who), others[0](who))  # noqa: E731
    else:
        values_of = lambda who: function(read(who), others[0](who), others[1](who))  # noqa: E731

    def compute(who: Who) -> None:
        values = values_of(who)
        write(who, values, trace(who, values))

    return compute


def _binary(operands: Operands) -> Step:
    opcode, kind = operands.instruction.opcode, _kind(operands)
    modifiers = operands.instruction.modifiers
    if len(operands.all) != 3 or {"cc", "sat", "hi"} & set(modifiers):  # noqa: PLR2004 - a result and two sources
        raise GivesUpError(operands.instruction.name)
    second = np.dtype(np.uint32) if opcode in {"shl", "shr"} else kind
    if opcode == "mul" and "wide" in modifiers:
        wide = type_of(WIDER[modifiers[-1]])
        return _computed(operands, lambda a, b: a.astype(wide) * b.astype(wide), (kind, kind), "mul")
    return _computed(operands, BINARY[opcode], (kind, second), opcode if opcode in ADDED else OTHER)


def _unary(operands: Operands) -> Step:
    opcode = operands.instruction.opcode
    if opcode == "not" and operands.instruction.modifiers == ("pred",):
        return _computed(operands, np.logical_not, (np.dtype(np.bool_),), "")
    if opcode == "mov" and isinstance(operands.all[1], Real):
        return _constant(operands)
    origin = {"mov": "", "neg": "neg" if _kind(operands).kind == "f" else ""}.get(opcode, OTHER)
    return _computed(operands, UNARY[opcode], (_kind(operands),), origin)


def _constant(operands: Operands) -> Step:
    """Set a register to a number of a floating-point type, where a sum may begin."""
    result, source = operands.all
    read, write, machine = operands.every(source, _kind(operands)), operands.writer(result), operands.machine

    def assign(who: Who) -> None:
        values, nodes = read(who), np.zeros(len(who), np.int64)
        if machine.traces:
            nodes = machine.constant(operands.number, who, values)
        write(who, values, nodes)

    return assign


def _fused(operands: Operands) -> Step:
    kind, modifiers = _kind(operands), operands.instruction.modifiers
    if "cc" in modifiers or "sat" in modifiers or "hi" in modifiers:
        raise GivesUpError(operands.instruction.name)
    if kind.kind == "f":
        return _computed(operands, arithmetic.FUSED, (kind, kind, kind), "fma")
    wide = type_of(WIDER[modifiers[-1]]) if "wide" in modifiers else kind
    return _computed(operands, lambda a, b, c: a.astype(wide) * b.astype(wide) + c, (kind, kind, wide), "fma")


def _set_predicate(operands: Operands) -> Step:
    modifiers, kind = operands.instruction.modifiers, _kind(operands)
    compare = COMPARISONS[modifiers[0]]
    combine = next((LOGICAL[name] for name in modifiers[1:-1] if name in LOGICAL), None)
    result, *sources = operands.all
    first, second = (result.first, result.second) if isinstance(result, Pair) else (result, None)
    readers = [operands.reader(each, kind) for each in sources[:2]]
    third = operands.reader(sources[2], np.dtype(np.bool_)) if combine and len(sources) > 2 else None  # noqa: PLR2004
    write = operands.writer(first or Sink())
    write_other = operands.writer(second) if second else None

    def compare_values(who: Who) -> None:
        holds = compare(readers[0](who), readers[1](who))
        other = ~holds
        if combine and third:
            holds, other = combine(holds, third(who)), combine(other, third(who))
        write(who, holds, 0)
        if write_other:
            write_other(who, other, 0)

    return compare_values


def _select(operands: Operands) -> Step:
    kind = _kind(operands)
    result, one, other, predicate = operands.all
    readers = operands.every(one, kind), operands.every(other, kind), operands.every(predicate, np.dtype(np.bool_))
    write, traces = operands.writer(result), (operands.tracer("", (one,)), operands.tracer("", (other,)))

    def select(who: Who) -> None:
        first, second, chosen = (read(who) for read in readers)
        write(who, np.where(chosen, first, second), np.where(chosen, traces[0](who, first), traces[1](who, second)))

    return select


def _convert(operands: Operands) -> Step:
    """Convert a number (PTX ISA, "cvt")."""
    *modifiers, to, source_type = operands.instruction.modifiers
    kind, given, roundings = type_of(to), type_of(source_type), tuple(modifiers)
    is_rounded = given == kind  # to a whole number
    is_shorter = given.kind != kind.kind or kind.itemsize < given.itemsize or is_rounded
    is_shorter &= "f" in {given.kind, kind.kind}  # other integers are indices, or wrap around as they should
    result, source = operands.all
    read, write, trace = operands.every(source, given), operands.writer(result), operands.tracer("", (source,))
    machine, number = operands.machine, operands.number

    def step(who: Who) -> None:
        before = read(who)
        values, nodes = converted(before, kind, roundings), trace(who, before)
        changed = (values != before) & (np.asarray(nodes) != 0) if is_shorter else np.False_
        if (changed & ~np.isnan(before)).any():
            machine.origins.shorter[machine.place_of(number, who)] = kind.name
            way = OTHER if is_rounded else CONVERTED
            nodes = np.where(changed, machine.add(way, number, who, values, [np.asarray(nodes)]), nodes)
        write(who, values, nodes)

    return step


def _convert_address(operands: Operands) -> Step:
    """Between a space's own addresses and generic ones."""
    modifiers = operands.instruction.modifiers
    space = modifiers[1] if modifiers[0] == "to" else modifiers[0]
    base = operands.machine.memory.bases.get(space)
    if base is None:
        raise GivesUpError(operands.instruction.name)
    offset, kind = np.uint64(base), _kind(operands)
    if kind.itemsize != 8:  # noqa: PLR2004 - bytes of an address
        raise GivesUpError("short addresses")
    to_own = modifiers[0] == "to"
    return _computed(operands, lambda a: a - offset if to_own else a + offset, (kind,), "")


def _in_space(operands: Operands) -> Step:
    space, bases = operands.instruction.modifiers[0], operands.machine.memory.bases
    own = [bases[name] >> WINDOW_BITS for name in ("shared", "local")]
    if space == "global":
        return _computed(operands, lambda a: ~np.isin(a >> np.uint64(WINDOW_BITS), own), (np.dtype(np.uint64),), "")
    if space not in {"shared", "local"}:
        raise GivesUpError(operands.instruction.name)
    window = np.uint64(bases[space] >> WINDOW_BITS)
    return _computed(operands, lambda a: a >> np.uint64(WINDOW_BITS) == window, (np.dtype(np.uint64),), "")


MAKERS: Mapping[str, Callable[[Operands], Step]] = {
    "mad": _fused, "fma": _fused, "setp": _set_predicate, "selp": _select, "cvt": _convert, "cvta": _convert_address,
    "shfl": exchange_lanes, "isspacep": _in_space,
    "ld": load, "ldu": load, "st": store, "atom": atomic, "red": atomic, "cp": copy_beside,
}  # fmt: skip
