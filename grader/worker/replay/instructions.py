"""Instructions of PTX as steps of a machine. What is not here is not replayed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.syntax.records import (
    Function,
    Instruction,
    Integer,
    Negated,
    Operand,
    Pair,
    Real,
    Register,
    Sink,
    Special,
    Symbol,
    Vector,
)
from grader.worker.replay import arithmetic
from grader.worker.replay.arithmetic import BINARY, COMPARISONS, LOGICAL, UNARY, WIDER, converted, type_of
from grader.worker.replay.machine import LockstepMachine, RegisterCell, Step, Who
from grader.worker.replay.memory import WINDOW_BITS
from grader.worker.replay.program import GivesUpError

Values: TypeAlias = NDArray[Any]
Kind: TypeAlias = "np.dtype[Any]"
Reader: TypeAlias = Callable[[Who], Any]
NOTHING = frozenset({"membar", "fence", "nanosleep", "prefetch", "prefetchu", "pragma"})
ADDED = {"add", "sub", "mul", "mad", "fma"}  # of which an origin keeps its kind


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
        if region := self.machine.parameter(self.function, name):
            return region.base
        raise GivesUpError(f"the symbol {name}")

    def writer(self, operand: Operand) -> Callable[[Who, Any, Any], None]:
        """Return what writes values, and the nodes that they come from, to a register."""
        if isinstance(operand, Sink):
            return lambda _who, _values, _nodes: None
        cell = self.cell(operand)
        if cell is None:
            raise GivesUpError("a result")
        data, size = cell.data, cell.data.dtype.itemsize
        signed = data if data.dtype == np.bool_ else data.view(f"i{size}")

        def write(who: Who, values: Any, nodes: Any) -> None:
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

    def tracer(self, kind: str, operands: Sequence[Operand]) -> Callable[[Who, Any], Any]:
        """Return what gives the nodes of results, from those of the operands; 0 where none has any.

        A `kind` of nothing passes on the node of the first operand that has one.
        """
        cells = [self.cell(operand) for operand in operands]
        machine, number = self.machine, self.number

        def trace(who: Who, values: Any) -> Any:
            if all(cell is None or cell.origins is None for cell in cells):
                return 0
            known = [cell.origins[who] if cell is not None and cell.origins is not None else None for cell in cells]
            traced = [each for each in known if each is not None]
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
            return np.where(
                is_traced, machine.origins.add(kind, machine.place_of(number, who), who, values, sources), 0
            )

        return trace


def _integer(value: int, kind: Kind) -> Any:
    if kind == np.bool_:
        return np.bool_(value != 0)
    bits = 8 * kind.itemsize
    return np.array([value & ((1 << bits) - 1)], f"u{kind.itemsize}").view(kind)[0]


def _constant(value: Any) -> Reader:
    return lambda _: value


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


def _computed(operands: Operands, function: Callable[..., Any], kinds: Sequence[Kind], origin: str) -> Step:
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
    if len(operands.all) != 3 or "cc" in modifiers or "sat" in modifiers:  # noqa: PLR2004 - a result and two sources
        raise GivesUpError(operands.instruction.name)
    second = np.dtype(np.uint32) if opcode in {"shl", "shr"} else kind
    if opcode == "mul" and "wide" in modifiers:
        wide = type_of(WIDER[modifiers[-1]])
        return _computed(operands, lambda a, b: a.astype(wide) * b.astype(wide), (kind, kind), "mul")
    function = arithmetic.HIGH if "hi" in modifiers else BINARY[opcode]
    return _computed(operands, function, (kind, second), opcode if opcode in ADDED else "other")


def _unary(operands: Operands) -> Step:
    opcode = operands.instruction.opcode
    if opcode == "mov" and any(isinstance(each, Vector) for each in operands.all):
        return _packed(operands)
    if opcode == "not" and operands.instruction.modifiers == ("pred",):
        return _computed(operands, np.logical_not, (np.dtype(np.bool_),), "")
    return _computed(operands, UNARY[opcode], (_kind(operands),), "" if opcode in {"mov", "neg"} else "other")


def _packed(operands: Operands) -> Step:
    """Split a register into parts, or join them."""
    result, source = operands.all
    kind = _kind(operands)
    parts = (result if isinstance(result, Vector) else source).items  # type: ignore[union-attr]
    part = np.dtype(f"u{kind.itemsize // len(parts)}")
    unsigned = np.dtype(f"u{kind.itemsize}")
    if isinstance(result, Vector):
        read, trace = operands.every(source, unsigned), operands.tracer("", (source,))
        writers = [operands.writer(each) for each in parts]

        def split(who: Who) -> None:
            values = read(who)
            for number, write in enumerate(writers):
                write(who, (values >> unsigned.type(8 * part.itemsize * number)).astype(part), trace(who, values))

        return split
    readers, write = [operands.every(each, part) for each in parts], operands.writer(result)
    trace_parts = operands.tracer("", parts)

    def join(who: Who) -> None:
        values = np.zeros(len(who), unsigned)
        for number, each in enumerate(readers):
            values |= each(who).astype(unsigned) << unsigned.type(8 * part.itemsize * number)
        write(who, values, trace_parts(who, values))

    return join


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
    *modifiers, to, source = operands.instruction.modifiers
    kind, given = type_of(to), type_of(source)
    return _computed(operands, lambda a: converted(a, kind, tuple(modifiers)), (given,), "")


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


def _exchange_lanes(operands: Operands) -> Step:
    """Move values between the lanes of a warp (PTX ISA, "shfl.sync")."""
    mode = operands.instruction.modifiers[1]
    result, source, lane, clamp, _ = operands.all
    first, second = (result.first, result.second) if isinstance(result, Pair) else (result, None)
    unsigned = np.dtype(np.uint32)
    read, read_lane, read_clamp = (operands.every(each, unsigned) for each in (source, lane, clamp))
    write, write_other = operands.writer(first or Sink()), operands.writer(second or Sink())
    cell, machine = operands.cell(source), operands.machine

    def exchange(who: Who) -> None:
        own = (who % machine.geometry.per_block) % 32
        b, c = read_lane(who).astype(np.int64), read_clamp(who).astype(np.int64)
        segment, limit = c >> 8 & 31, c & 31
        least = own & segment
        most = least | (limit & ~segment)
        target = {"up": own - b, "down": own + b, "bfly": own ^ b, "idx": least | (b & ~segment)}.get(mode)
        if target is None:
            raise GivesUpError(mode)
        inside = target >= most if mode == "up" else target <= most
        target = np.where(inside, target, own)
        place = np.searchsorted(who, who - own + target)
        if (place >= len(who)).any() or (who[place] != who - own + target).any():
            raise GivesUpError("a lane that does not take part")
        write(who, read(who)[place], cell.origins[who][place] if cell and cell.origins is not None else 0)
        write_other(who, inside, 0)

    return exchange


def _vote(operands: Operands) -> Step:
    mode = operands.instruction.modifiers[1]
    result, predicate, _ = operands.all
    read, write, machine = operands.every(predicate, np.dtype(np.bool_)), operands.writer(result), operands.machine

    def vote(who: Who) -> None:
        warps = who // machine.geometry.per_block * 64 + who % machine.geometry.per_block // 32
        holds, lanes = read(who), (who % machine.geometry.per_block % 32).astype(np.uint64)
        _, warp = np.unique(warps, return_inverse=True)
        number = int(warp.max()) + 1
        true, every = np.bincount(warp, holds, number), np.bincount(warp, minlength=number)
        masks = np.zeros(number, np.uint64)
        np.bitwise_or.at(masks, warp, holds.astype(np.uint64) << lanes)
        answers = {"any": true > 0, "all": true == every, "uni": (true == 0) | (true == every), "ballot": masks}
        write(who, answers[mode].astype(np.uint32 if mode == "ballot" else np.bool_)[warp], 0)

    return vote


def _field(operands: Operands) -> Step:
    """Extract a field of bits."""
    kind = _kind(operands)
    if kind.itemsize != 4:  # noqa: PLR2004 - bytes
        raise GivesUpError("a field of 64 bits")

    def extract(a: Values, start: Values, length: Values) -> Values:
        start, length = start & np.uint32(255), np.minimum(length & np.uint32(255), np.uint32(32))
        field = (a.astype(np.int64) >> np.minimum(start, np.uint32(63)).astype(np.int64)) & (
            (1 << length.astype(np.int64)) - 1
        )
        sign = np.int64(1) << np.maximum(length.astype(np.int64) - 1, 0)
        return np.asarray(((field ^ sign) - sign if kind.kind == "i" else field).astype(kind))

    return _computed(operands, extract, (kind, np.dtype(np.uint32), np.dtype(np.uint32)), "other")


def _in_space(operands: Operands) -> Step:
    space, bases = operands.instruction.modifiers[0], operands.machine.memory.bases
    own = [bases[name] >> WINDOW_BITS for name in ("shared", "local")]
    if space == "global":
        return _computed(operands, lambda a: ~np.isin(a >> np.uint64(WINDOW_BITS), own), (np.dtype(np.uint64),), "")
    if space not in {"shared", "local"}:
        raise GivesUpError(operands.instruction.name)
    window = np.uint64(bases[space] >> WINDOW_BITS)
    return _computed(operands, lambda a: a >> np.uint64(WINDOW_BITS) == window, (np.dtype(np.uint64),), "")


def _trap(operands: Operands) -> Step:
    return lambda who: operands.machine.stop_at(operands.number, who)


MAKERS: Mapping[str, Callable[[Operands], Step]] = {
    "mad": _fused, "fma": _fused, "setp": _set_predicate, "selp": _select, "cvt": _convert, "cvta": _convert_address,
    "shfl": _exchange_lanes, "vote": _vote, "bfe": _field, "isspacep": _in_space, "trap": _trap,
}  # fmt: skip
