"""Where an instruction accesses memory, addresses as values, and checks that they lie in one segment or array.

PTX ISA, "State Spaces", "Addresses as Operands".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grader.ptxsim.analysis.shape import LANES, LaneShape
from grader.ptxsim.analysis.shapes import operand_shape
from grader.ptxsim.generate import layout
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import vector
from grader.ptxsim.generate.exits import fail_first
from grader.ptxsim.generate.values import Value, first_lane, integer, plus, spread
from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.records import (
    WIDTHS,
    Address,
    Instruction,
    Integer,
    Register,
    Symbol,
    Vector,
    address_of,
    types_of,
)

OF_SHARED = ("shared", "shared::cta", "shared::cluster")  # a cluster is one block
_SPACES = {"global": "global", **dict.fromkeys(OF_SHARED, "shared"), "local": "local", "const": "global"}
WIDEST = 16  # bytes of one lane's access
_COUNTS = {"v2": 2, "v4": 4, "v8": 8}
WINDOWS = {"shared": layout.window(layout.SHARED), "local": layout.window(layout.LOCAL)}
_OUT_OF_BOUNDS = ("null", "false")
_RECORD = 8 * len(layout.Segment._fields_)


@dataclass(frozen=True, slots=True)
class Access:
    """`count` values of a type at an address; the space is global, shared, local or generic."""

    space: str
    address: Address
    type: str
    count: int

    @property
    def size(self) -> int:
        """Bytes of one value."""
        return max(8, WIDTHS[self.type]) // 8

    @property
    def total(self) -> int:
        return self.size * self.count


def access_of(code: Code, instruction: Instruction) -> Access:
    """Return where ld or st accesses memory."""
    access, value = accessed(code, instruction), instruction.operands[instruction.opcode == "st"]
    if access.total > WIDEST or (len(value.items) if isinstance(value, Vector) else 1) != access.count:
        raise code.unsupported()
    return access


def accessed(code: Code, instruction: Instruction) -> Access:
    """Return what an instruction accesses at the first address among its operands."""
    address = address_of(instruction)
    if address is None:
        raise code.unsupported()
    return access_at(address, instruction)


def access_at(address: Address, instruction: Instruction) -> Access:
    """Return what an instruction accesses at an address, as its modifiers say."""
    count = next((_COUNTS[modifier] for modifier in instruction.modifiers if modifier in _COUNTS), 1)
    return Access(space_of(instruction), address, types_of(instruction)[-1], count)


def space_of(instruction: Instruction) -> str:
    """Return the space that an instruction names; generic if it names none."""
    return next((_SPACES[modifier] for modifier in instruction.modifiers if modifier in _SPACES), "generic")


def address_shape(code: Code, address: Address) -> LaneShape:
    """Return the shape of the lanes' addresses."""
    return operand_shape(address, code.kernel.facts.shapes, code.kernel.facts.geometry, 64)


def address_value(code: Code, address: Address) -> Value:
    """Return the address within its state space, with 32 bits if the program keeps it in a register of 32 bits."""
    base = address.base
    if isinstance(base, Register):
        return plus(code.emitter, code.register(base.name), address.offset)
    number = address.offset
    if isinstance(base, Symbol):
        if base.name not in code.kernel.symbols:
            raise code.unsupported(Lack.ADDRESS)
        number += code.kernel.symbols[base.name] + base.offset
    return integer("i64", number)


def generic_addresses(code: Code, access: Access) -> str:
    """Return the vector of the lanes' generic addresses, 64 bits each."""
    value = address_value(code, access.address)
    name = spread(code.emitter, value)
    if value.element != "i64":
        name = code.emitter.pure(f"zext {vector(value.element)} {name} to {vector('i64')}")
    start = WINDOWS.get(access.space, 0)
    return code.emitter.pure(f"add {vector('i64')} {name}, splat (i64 {start})") if start else name


def within(code: Code, instruction: Instruction) -> None:
    """Leave a fault for the first lane that accesses bytes outside of the array."""
    place, first, size, _, stride = instruction.operands
    if not isinstance(place, Address) or not isinstance(first, Symbol) or not isinstance(size, Integer):
        raise code.unsupported()
    emitter, access = code.emitter, access_at(place, instruction)
    addresses = generic_addresses(code, access)
    away = _behind_start(code, addresses, first, stride.value if isinstance(stride, Integer) else 0)
    last = size.value - access.total
    outside = "splat (i1 true)" if last < 0 else emitter.pure(f"icmp ugt {vector('i64')} {away}, splat (i64 {last})")
    lanes = emitter.op(f"bitcast <{LANES} x i1> {outside} to i32")
    lanes = emitter.op(f"and i32 {lanes}, {code.executing_lanes()}")
    with emitter.unless(emitter.op(f"icmp eq i32 {lanes}, 0")):
        write = "st" in instruction.modifiers
        fail_first(code, layout.FaultKind.MEMORY, lanes, addresses, access.total, write=write)


def _behind_start(code: Code, addresses: str, first: Symbol, stride: int) -> str:
    """Return how many bytes after the array's first one addresses are: that of any call, if each call has an array."""
    emitter, wide = code.emitter, vector("i64")
    start = layout.window(layout.LOCAL) + code.kernel.symbols[first.name]
    if not stride:
        return emitter.pure(f"sub {wide} {addresses}, splat (i64 {start + first.offset})")
    in_variable = emitter.pure(f"sub {wide} {addresses}, splat (i64 {start})")
    of_call = emitter.pure(f"urem {wide} {in_variable}, splat (i64 {stride})")
    return emitter.pure(f"sub {wide} {of_call}, splat (i64 {first.offset})")


def range_check(
    code: Code, space: str, base: Value, low: int, length: int, array: layout.SharedArray | None, *, write: bool = False
) -> tuple[str, str]:
    """Return the host's pointer to the bytes from `low` behind a value's only base on, and whether they are in bounds.

    If the array of shared memory is known, they have to lie in it; otherwise in one segment or array.
    """
    emitter, element = code.emitter, base.element
    if space == "shared" and array is not None:
        if length > array.size:
            return _OUT_OF_BOUNDS
        place = first_lane(emitter, plus(emitter, base, low - array.address))
        inside = emitter.pure(f"icmp ule {element} {place}, {array.size - length}")
        memory = emitter.at(code.processor("shared", "ptr"), array.place)
        return emitter.pure(f"getelementptr i8, ptr {memory}, i64 {emitter.wide(element, place)}"), inside
    start = emitter.wide(element, first_lane(emitter, plus(emitter, base, low)))
    if space == "shared":
        number = emitter.pure(f"and i64 {emitter.pure(f'lshr i64 {start}, {layout.ARRAY_BITS}')}, {layout.ARRAYS - 1}")
        generic = emitter.pure(f"add i64 {start}, {layout.window(layout.SHARED)}")
        return _within(code, emitter.pure(f"add i64 {number}, {layout.SEGMENTS}"), generic, length, write=True)
    if length >> layout.SEGMENT_BITS:
        return _OUT_OF_BOUNDS
    number = emitter.pure(f"lshr i64 {start}, {layout.SEGMENT_BITS}")
    clamped = emitter.call("i64", "llvm.umin.i64", [("i64", number), ("i64", str(layout.SEGMENTS - 1))])
    return _within(code, clamped, start, length, write=write)


def _within(code: Code, number: str, address: str, length: int, *, write: bool) -> tuple[str, str]:
    """Return the same for an address in the segment with a `number` in the table of segments."""
    emitter = code.emitter
    segment = emitter.pure(f"getelementptr i8, ptr %m, i64 {emitter.pure(f'mul i64 {number}, {_RECORD}')}")
    start, end, delta = (emitter.load("i64", segment, 8 * field, 8) for field in range(3))
    room = emitter.pure(f"sub i64 {emitter.pure(f'sub i64 {end}, {start}')}, {length}")
    fits = emitter.pure(f"icmp sge i64 {room}, 0")
    inside = emitter.pure(f"icmp ule i64 {emitter.pure(f'sub i64 {address}, {start}')}, {room}")
    host = emitter.pure(f"add i64 {address}, {delta}")
    condition = emitter.pure(f"and i1 {fits}, {inside}")
    if write:
        writable = emitter.pure(f"icmp sgt i64 {emitter.load('i64', segment, 24, 8)}, 0")
        condition = emitter.pure(f"and i1 {condition}, {writable}")
    return emitter.pure(f"inttoptr i64 {host} to ptr"), condition


def alignment_check(code: Code, base: Value, size: int, distances: Iterable[int]) -> str:
    """Return whether all addresses at these distances from a value's only base are multiples of a power of two."""
    rests = {distance % size for distance in distances}
    if size == 1 or len(rests) > 1:
        return "true" if size == 1 else "false"
    first = first_lane(code.emitter, plus(code.emitter, base, rests.pop()))
    low = code.emitter.pure(f"and {base.element} {first}, {size - 1}")
    return code.emitter.pure(f"icmp eq {base.element} {low}, 0")
