"""The shape of every register of a function: the join over all instructions that write it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from grader.ptxsim.analysis import lanes
from grader.ptxsim.analysis.call_stack import restores
from grader.ptxsim.analysis.graph import Graph
from grader.ptxsim.analysis.registers import results, sources
from grader.ptxsim.analysis.shape import (
    UNIFORM,
    VARYING,
    Geometry,
    LaneShape,
    as_signed,
    constant,
    joined,
    special_shape,
    step_of,
)
from grader.ptxsim.syntax.records import (
    WIDTHS,
    Address,
    Instruction,
    Integer,
    Negated,
    Operand,
    Register,
    Special,
    Symbol,
    Vector,
    is_integer,
    is_signed,
    types_of,
)

PATIENCE = 4  # times that bounds may grow before they are widened to infinity

# Instructions whose results vary from lane to lane for any sources.
_OF_EACH_LANE = frozenset({"atom", "shfl", "match", "wmma", "mma", "ldmatrix", "elect", "mbarrier", "malloc"})
# Instructions whose results are equal in all lanes that take part.
_OF_THE_WARP = frozenset({"vote", "redux", "bar", "barrier", "activemask"})


def shapes(
    graph: Graph, types: Mapping[str, str], geometry: Geometry, varying: Collection[str]
) -> dict[str, LaneShape]:
    """Return the shapes of all registers. Those in `varying` vary due to control flow."""
    lane_shapes: dict[str, LaneShape] = dict.fromkeys(varying, VARYING)
    writers = [instruction for instruction in graph.instructions if results(instruction)]
    readers = _readers(writers)
    grown: dict[str, int] = {}
    todo, waiting = list(reversed(writers)), {id(writer) for writer in writers}
    while todo:
        instruction = todo.pop()
        waiting.discard(id(instruction))
        for name, shape in _written(instruction, lane_shapes, types, geometry):
            old = lane_shapes.get(name)
            new = shape if old is None else _widened(old, joined(old, shape), name, grown)
            if new != old:
                lane_shapes[name] = new
                again = [reader for reader in readers.get(name, ()) if id(reader) not in waiting]
                todo += again
                waiting.update(map(id, again))
    return lane_shapes


def _readers(writers: Iterable[Instruction]) -> dict[str, list[Instruction]]:
    readers: dict[str, list[Instruction]] = {}
    for instruction in writers:
        for register in sources(instruction):
            readers.setdefault(register.name, []).append(instruction)
    return readers


def _widened(old: LaneShape, new: LaneShape, name: str, grown: dict[str, int]) -> LaneShape:
    if (old.low, old.high) == (new.low, new.high):
        return new
    grown[name] = grown.get(name, 0) + 1
    if grown[name] < PATIENCE:
        return new
    low = new.low if new.low == old.low else None
    return LaneShape(new.groups, new.offsets, new.step, low if low is not None and low >= 0 else None, None)


def _written(
    instruction: Instruction, lane_shapes: Mapping[str, LaneShape], types: Mapping[str, str], geometry: Geometry
) -> list[tuple[str, LaneShape]]:
    """Return name and shape of each result. Sources without a shape yet count as uniform until they have one."""
    guard = instruction.guard
    if guard is not None and lane_shapes.get(guard.register.name, UNIFORM).is_varying:
        return [(register.name, VARYING) for register in results(instruction)]
    if restores(instruction) and operand_shape(instruction.operands[1], lane_shapes, geometry, 64).is_uniform:
        return []  # all lanes get what they had at the call, when the register had its shape, too
    shape = result_shape(instruction, lane_shapes, geometry)
    return [(register.name, fitting(shape, types[register.name])) for register in results(instruction)]


def fitting(shape: LaneShape, type_: str) -> LaneShape:
    """Restrict a shape to the type of a register: only integers have groups and offsets."""
    if is_integer(type_) or shape.is_varying:
        return shape
    return UNIFORM if shape.is_uniform else VARYING


def operand_shape(operand: Operand, lane_shapes: Mapping[str, LaneShape], geometry: Geometry, width: int) -> LaneShape:
    """Return the shape of a source."""
    match operand:
        case Register(name):
            return lane_shapes.get(name, UNIFORM)
        case Negated(register):
            return lane_shapes.get(register.name, UNIFORM)
        case Integer(value):
            return constant(as_signed(value, width))
        case Special(name):
            return special_shape(name, geometry)
        case Address(base, offset):
            address = UNIFORM if base is None else operand_shape(base, lane_shapes, geometry, 64)
            return LaneShape(address.groups, address.offsets, min(address.step, step_of(offset)))
        case Vector(items):
            return lanes.elementwise([operand_shape(item, lane_shapes, geometry, width) for item in items])
        case Symbol():
            return LaneShape(1, step=1, low=0)
        case _:
            return UNIFORM


def result_shape(instruction: Instruction, lane_shapes: Mapping[str, LaneShape], geometry: Geometry) -> LaneShape:
    """Return the shape of an instruction's result, ignoring its guard."""
    opcode, modifiers = instruction.opcode, instruction.modifiers
    kinds = types_of(instruction)
    width = WIDTHS[kinds[-1]] if kinds else 32
    widths = [width, width, 2 * width if "wide" in modifiers else width] + [width] * len(instruction.operands)
    read = [
        operand_shape(operand, lane_shapes, geometry, bits)
        for operand, bits in zip(instruction.operands[1:], widths, strict=False)
    ]
    if opcode in _OF_EACH_LANE:
        return VARYING
    if opcode in _OF_THE_WARP:
        return UNIFORM if all(shape.is_uniform for shape in read[1:]) else VARYING
    if opcode == "ld":
        return _loaded(modifiers, read[0])
    if opcode in {"mov", "cvta"}:
        return _alike(read) if any(isinstance(each, Vector) for each in instruction.operands) else read[0]
    if opcode == "cvt":
        return _converted(kinds, read[0])
    if opcode == "selp":
        return joined(read[0], read[1]) if read[2].is_uniform else VARYING
    if kinds and not is_integer(kinds[-1]):
        return _alike(read)
    return _integer(opcode, modifiers, read, width, kinds[-1] if kinds else "b32")


def _alike(read: Sequence[LaneShape]) -> LaneShape:
    return UNIFORM if all(shape.is_uniform for shape in read) else VARYING


def _loaded(modifiers: tuple[str, ...], address: LaneShape) -> LaneShape:
    if "param" in modifiers:
        return UNIFORM
    # Not in local memory, in which each lane has its own data.
    is_common = any(space in modifiers for space in ("global", "shared", "const", "shared::cta"))
    return UNIFORM if address.is_uniform and is_common and "local" not in modifiers else VARYING


def _converted(kinds: tuple[str, ...], value: LaneShape) -> LaneShape:
    if len(kinds) != 2 or not all(is_integer(kind) for kind in kinds):
        return _alike([value])
    to, source = kinds
    if WIDTHS[to] > WIDTHS[source] and WIDTHS[source] < 32:
        return lanes.elementwise([value])
    if value.low is not None and value.low < 0 and not is_signed(source):
        return LaneShape(value.groups, value.offsets, value.step)
    return lanes.bounded(value, WIDTHS[to])


def _integer(opcode: str, modifiers: tuple[str, ...], read: Sequence[LaneShape], width: int, kind: str) -> LaneShape:
    if (opcode in {"mul", "mad"} and "hi" in modifiers) or "sat" in modifiers or kind.endswith("x2"):
        return lanes.elementwise(read)
    wide = 2 * width if "wide" in modifiers else width
    if wide > width and not is_signed(kind):
        read = [*(lanes.as_unsigned(shape, width) for shape in read[:2]), *read[2:]]
    if opcode == "mad":
        return lanes.add((lanes.multiply(read[:2], wide), read[2]), wide)
    if opcode in {"div", "rem"} and len(read) == 2:
        return _divided(opcode, read, width, kind)
    if opcode in {"setp", "set"}:
        return _alike(read)
    rule = lanes.RULES.get(opcode)
    if rule is None or len(read) != (1 if opcode in {"neg", "not"} else 2) or "cc" in modifiers:
        return lanes.elementwise(read)
    return rule(read, wide)


def _divided(opcode: str, read: Sequence[LaneShape], width: int, kind: str) -> LaneShape:
    """Division or remainder of a non-negative value by a power of two is a shift or a mask."""
    divisor = read[1].constant
    is_power = divisor is not None and divisor > 0 and divisor & (divisor - 1) == 0
    if divisor is not None and is_power and (not is_signed(kind) or read[0].is_not_negative):
        if opcode == "div":
            return lanes.shift_right((read[0], constant(divisor.bit_length() - 1)), width)
        return lanes.bitwise_and((read[0], constant(divisor - 1)), width)
    return lanes.elementwise(read)
