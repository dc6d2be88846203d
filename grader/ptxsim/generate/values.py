"""What a register holds while code is generated: a scalar for each group of lanes, or a vector of lanes.

A predicate that varies is a mask: an i32 with one bit for each lane.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, replace

from grader.ptxsim.analysis.shape import LANES, ZEROS, LaneShape, as_signed, leader
from grader.ptxsim.generate.emitter import BITS, Emitter, constants, vector

LETTERS = {"half": "f16", "float": "f32", "double": "f64"}


@dataclass(frozen=True, slots=True)
class Base:
    """The value of a group's first lane: the computed value `root` plus a constant; without a root, the constant."""

    root: str
    added: int = 0


@dataclass(frozen=True, slots=True)
class Value:
    """Either a base for each group of lanes and the `offsets` of the lanes, or a `vector` (a predicate's mask)."""

    element: str
    bases: tuple[Base, ...] = ()
    offsets: tuple[int, ...] = ZEROS
    vector: str = ""

    @property
    def groups(self) -> int:
        return len(self.bases)

    @property
    def varies(self) -> bool:
        """Whether lanes may have different values."""
        return bool(self.vector) or self.groups > 1 or self.offsets != ZEROS


@dataclass(frozen=True, slots=True)
class LaneType:
    """The LLVM type that an operation works on: one scalar, or all lanes at once."""

    element: str
    is_vector: bool

    def __str__(self) -> str:
        return vector(self.element) if self.is_vector else self.element

    @property
    def suffix(self) -> str:
        """The type as names of intrinsics spell it."""
        name = LETTERS.get(self.element, self.element)
        return f"v{LANES}{name}" if self.is_vector else name

    def of(self, element: str) -> LaneType:
        """Return the type with another element and the same number of lanes."""
        return replace(self, element=element)

    def number(self, text: float | str) -> str:
        """Return a constant of this type."""
        return f"splat ({self.element} {text})" if self.is_vector else str(text)


def integer(element: str, value: int) -> Value:
    """Return a constant, the same in all lanes."""
    return Value(element, (Base("", value),))


def scalar(element: str, name: str) -> Value:
    """Return a value that all lanes share."""
    return Value(element, (Base(name),))


def lanes(element: str, name: str) -> Value:
    """Return a value that can differ in every lane."""
    return Value(element, vector=name)


def real(bits: int, width: int) -> str:
    """Return a floating-point constant as LLVM writes it: by the pattern of the double of equal value."""
    if width == 64:
        return f"0x{bits:016X}"
    value = struct.unpack("<f", bits.to_bytes(4, "little"))[0]
    if math.isnan(value):  # widening may change the bits of a NaN
        return f"bitcast (i32 {bits} to float)"
    return f"0x{int.from_bytes(struct.pack('<d', value), 'little'):016X}"


def first_lane(emitter: Emitter, value: Value, group: int = 0) -> str:
    """Return the scalar of a group's first lane."""
    base = value.bases[group]
    if not base.root:
        return str(_signed(value.element, base.added))
    if base.added == 0:
        return base.root
    return emitter.pure(f"add {value.element} {base.root}, {_signed(value.element, base.added)}")


def plus(emitter: Emitter, value: Value, number: int) -> Value:
    """Return a value plus a number, kept apart from its roots: addresses with a common root are checked together."""
    if value.vector:
        added = f"add {vector(value.element)} {value.vector}, splat ({value.element} {number})"
        return lanes(value.element, emitter.pure(added)) if number else value
    bases = tuple(Base(base.root, base.added + number) for base in value.bases)
    return Value(value.element, bases, value.offsets)


def _signed(element: str, number: int) -> int | str:
    if element == "i1":
        return "true" if number & 1 else "false"
    return as_signed(number, BITS[element])


def split(value: Value, groups: int) -> Value:
    """Return the same value with its lanes divided into more groups."""
    if value.groups == groups:
        return value
    length = LANES // groups
    bases = []
    for group in range(groups):
        first = group * length
        base = value.bases[first // (LANES // value.groups)]
        bases.append(replace(base, added=base.added + value.offsets[first]))
    offsets = tuple(value.offsets[lane] - value.offsets[leader(lane, groups)] for lane in range(LANES))
    return Value(value.element, tuple(bases), offsets)


def spread(emitter: Emitter, value: Value) -> str:
    """Return the vector of all lanes."""
    if value.vector:
        return value.vector
    type_ = vector(value.element)
    if value.groups == 1 and not value.bases[0].root:
        first = value.bases[0].added
        return constants(value.element, [first + offset for offset in value.offsets])
    result = _leaders(emitter, value)
    if value.offsets != ZEROS:
        result = emitter.pure(f"add {type_} {result}, {constants(value.element, value.offsets)}")
    return result


def _leaders(emitter: Emitter, value: Value) -> str:
    """Return the vector in which each lane has the value of its group's first lane."""
    count = max(value.groups, 2)
    narrow = vector(value.element, count)
    name = "poison"
    for group in range(value.groups):
        single = first_lane(emitter, value, group)
        name = emitter.pure(f"insertelement {narrow} {name}, {value.element} {single}, i32 {group}")
    chosen = constants("i32", [lane * value.groups // LANES for lane in range(LANES)])
    return emitter.pure(f"shufflevector {narrow} {name}, {narrow} poison, <{LANES} x i32> {chosen}")


def mask(emitter: Emitter, value: Value) -> str:
    """Return a predicate as a mask."""
    if value.vector:
        return value.vector
    base = value.bases[0]
    if not base.root:
        return "-1" if base.added & 1 else "0"
    return emitter.pure(f"sext i1 {base.root} to i32")


def bits(emitter: Emitter, name: str) -> str:
    """Return a mask as a vector of truth values."""
    return emitter.pure(f"bitcast i32 {name} to <{LANES} x i1>")


def as_element(emitter: Emitter, value: Value, element: str, *, signed: bool = False) -> Value:
    """Return the same bits as another type, cut off or extended where the widths differ: by zeros, or by the sign."""
    if value.element == element:
        return value
    if value.groups and value.offsets != ZEROS:
        value = lanes(value.element, spread(emitter, value))
    if value.groups and all(not base.root for base in value.bases) and element[0] == "i" and value.element[0] == "i":
        return replace(value, element=element)
    text = _cast(value.element, element, signed=signed)
    if value.vector:
        return lanes(element, emitter.pure(f"{text} {vector(value.element)} {value.vector} to {vector(element)}"))
    bases = []
    for group in range(value.groups):
        single = first_lane(emitter, value, group)
        bases.append(Base(emitter.pure(f"{text} {value.element} {single} to {element}")))
    return Value(element, tuple(bases))


def _cast(source: str, target: str, *, signed: bool) -> str:
    wide, narrow = BITS[source], BITS[target]
    if wide == narrow:
        return "bitcast"
    return "trunc" if wide > narrow else "sext" if signed else "zext"


def shaped(emitter: Emitter, value: Value, shape: LaneShape) -> Value:
    """Return the value in the form of a register of that shape."""
    if shape.is_varying:
        name = mask(emitter, value) if value.element == "i1" else spread(emitter, value)
        return lanes(value.element, name)
    if value.vector and value.element != "i1":
        return _gathered(emitter, value, shape)
    return split(value, shape.groups)


def _gathered(emitter: Emitter, value: Value, shape: LaneShape) -> Value:
    """Return the first lanes of a vector's groups: a register may be read as fewer bits than it has."""
    length = LANES // shape.groups
    names = [
        emitter.pure(f"extractelement {vector(value.element)} {value.vector}, i32 {group * length}")
        for group in range(shape.groups)
    ]
    return Value(value.element, tuple(Base(name) for name in names), shape.offsets)


def chosen(emitter: Emitter, by: Value, yes: Value, no: Value) -> Value:
    """Return `yes` where a predicate holds and `no` where it does not; both have the same form."""
    element = yes.element
    if element == "i1" and (by.vector or yes.vector):
        which, if_true, if_false = (mask(emitter, item) for item in (by, yes, no))
        kept = emitter.op(f"and i32 {if_true}, {which}")
        rest = emitter.op(f"and i32 {if_false}, {emitter.op(f'xor i32 {which}, -1')}")
        return lanes("i1", emitter.op(f"or i32 {kept}, {rest}"))
    condition = f"<{LANES} x i1> {bits(emitter, by.vector)}" if by.vector else f"i1 {first_lane(emitter, by)}"
    if by.vector or yes.vector:
        type_, names = vector(element), (spread(emitter, yes), spread(emitter, no))
        return lanes(element, emitter.op(f"select {condition}, {type_} {names[0]}, {type_} {names[1]}"))
    bases = []
    for group in range(yes.groups):
        names = first_lane(emitter, yes, group), first_lane(emitter, no, group)
        bases.append(Base(emitter.op(f"select {condition}, {element} {names[0]}, {element} {names[1]}")))
    return Value(element, tuple(bases), yes.offsets)


def negated(emitter: Emitter, value: Value) -> Value:
    """Return the opposite of a predicate."""
    if value.vector:
        return lanes("i1", emitter.pure(f"xor i32 {value.vector}, -1"))
    if not value.bases[0].root:
        return integer("i1", 1 - (value.bases[0].added & 1))
    return scalar("i1", emitter.pure(f"xor i1 {value.bases[0].root}, true"))
