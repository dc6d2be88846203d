"""ld and st (PTX ISA, "Data Movement and Conversion Instructions")."""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.analysis.call_stack import saves
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate import patterns
from grader.ptxsim.generate.addresses import (
    Access,
    access_of,
    address_value,
    alignment_check,
    generic_addresses,
    range_check,
)
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import BITS, constants, element_of, vector
from grader.ptxsim.generate.exits import fail_at, succeed
from grader.ptxsim.generate.ir_text import Kind
from grader.ptxsim.generate.layout import FIRST_LOCAL, LOCAL, FaultKind, window
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.plans import Plan, Reading
from grader.ptxsim.generate.values import Value, as_element, first_lane, lanes, scalar, spread
from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.records import Instruction, Register, Symbol, is_signed, items_of


def load(code: Code, instruction: Instruction) -> None:
    """Translate ld without a plan. A parameter at an address in a register lies in constant memory."""
    access = access_of(code, instruction)
    if "param" in instruction.modifiers and not isinstance(access.address.base, Register):
        _parameter(code, instruction, access)
        return
    address = address_value(code, access.address)
    if access.space == "local" and is_local_row(access, address):
        values = local_values(code, local_row(code, access, address, write=False), access)
    else:
        values = gathered(code, access)
    write_loaded(code, instruction, access, values)


def planned(code: Code, instruction: Instruction, plan: Plan, number: int) -> None:
    """Load a planned reading, from the pointers that the plan's check has set."""
    reading = plan.readings[number]
    access, element = reading.access, element_of(reading.access.type)
    if not reading.value.varies:
        root = plan.roots[reading.roots[0]]
        place = reading.value.bases[0].added - root.low
        names = [code.emitter.load(element, root.pointer, place + access.size * part) for part in range(access.count)]
        write_loaded(code, instruction, access, [scalar(element, name) for name in names])
        return
    names = _by_groups(code, plan, reading, element)
    write_loaded(code, instruction, access, [lanes(element, name) for name in names])


def _by_groups(code: Code, plan: Plan, reading: Reading, element: str) -> list[str]:
    value, access = reading.value, reading.access
    length = LANES // value.groups
    parts: list[list[str]] = []
    for group, key in enumerate(reading.roots):
        root = plan.roots[key]
        first = value.bases[group].added - root.low
        places = [first + offset for offset in value.offsets[group * length : (group + 1) * length]]
        parts.append(patterns.load(code.emitter, root.pointer, places, element, access.count))
    while len(parts) > 1:
        half = LANES // len(parts)
        parts = [
            [
                patterns.concatenated(code.emitter, a, b, element, half)
                for a, b in zip(parts[i], parts[i + 1], strict=True)
            ]
            for i in range(0, len(parts), 2)
        ]
    return parts[0]


def gathered(code: Code, access: Access) -> list[Value]:
    """Load lane by lane, each address checked for itself."""
    values = code.temporary("values", 16 * LANES)
    _lane_by_lane(code, "gather", access, values)
    element = element_of(access.type)
    return [
        lanes(element, code.emitter.load(vector(element), values, part * LANES * access.size, access.size))
        for part in range(access.count)
    ]


def _lane_by_lane(code: Code, name: Kind, access: Access, values: str) -> None:
    addresses = code.in_memory("addresses", "i64", generic_addresses(code, access))
    function = code.globals.mover(access.size, access.count, name)
    given = f"ptr {addresses}, i32 {code.executing_lanes()}, ptr {values}, i32 {code.place()}"
    succeed(code, f"@{function}(ptr %m, ptr %w, {given})")


def scattered(code: Code, access: Access, names: Sequence[str]) -> None:
    """Store lane by lane, each address checked for itself."""
    values = code.temporary("values", 16 * LANES)
    for part, name in enumerate(names):
        code.emitter.store(vector(element_of(access.type)), name, values, part * LANES * access.size, access.size)
    _lane_by_lane(code, "scatter", access, values)


def is_local_row(access: Access, address: Value) -> bool:
    """Whether all lanes access the same words of their own local memory."""
    return access.size in {4, 8} and not address.varies


def local_row(code: Code, access: Access, address: Value, *, write: bool) -> str:
    """Return the checked host pointer to words of local memory; those of the 32 lanes are contiguous.

    If no lane executes the instruction, its address need not be valid, and the pointer is that of the first words.
    """
    emitter = code.emitter
    wide = emitter.wide(address.element, first_lane(emitter, address))
    place = emitter.pure(f"sub i64 {wide}, {FIRST_LOCAL}")
    limit = emitter.pure("load i64, ptr @local_bytes")
    room = emitter.pure(f"sub i64 {limit}, {access.total}")
    fits = emitter.pure(f"icmp sle i64 {place}, {room}")
    positive = emitter.pure(f"icmp sge i64 {place}, 0")
    aligned = alignment_check(code, address, access.total, (0,))
    condition = emitter.pure(f"and i1 {fits}, {emitter.pure(f'and i1 {positive}, {aligned}')}")
    if code.instruction and code.instruction.guard:
        place = emitter.pure(f"select i1 {condition}, i64 {place}, i64 0")
        nobody = emitter.op(f"icmp eq i32 {code.executing_lanes()}, 0")
        condition = emitter.op(f"or i1 {condition}, {nobody}")
    with emitter.unless(condition):
        generic = emitter.op(f"add i64 {wide}, {window(LOCAL)}")
        kind = emitter.op(f"select i1 {aligned}, i32 {int(FaultKind.MEMORY)}, i32 {int(FaultKind.MISALIGNED)}")
        fail_at(code, kind, emitter.first(code.executing_lanes()), generic, access.total, write=write)
    return emitter.at(code.warp("local", "ptr"), emitter.pure(f"mul i64 {place}, {LANES}"))


def local_values(code: Code, pointer: str, access: Access) -> list[Value]:
    """Return the words of all lanes; those of 64 bits lie in two rows."""
    emitter, element = code.emitter, element_of(access.type)
    values = []
    for part in range(access.count):
        place = part * access.size * LANES
        if access.size == 4:
            values.append(lanes(element, emitter.load(vector(element), pointer, place, 4)))
            continue
        rows = [emitter.load(vector("i32"), pointer, place + row * 4 * LANES, 4) for row in range(2)]
        order = [lane + LANES * row for lane in range(LANES) for row in range(2)]
        mixed = f"{vector('i32')} {rows[0]}, {vector('i32')} {rows[1]}"
        both = emitter.op(f"shufflevector {mixed}, <{2 * LANES} x i32> {constants('i32', order)}")
        values.append(lanes(element, emitter.op(f"bitcast {vector('i32', 2 * LANES)} {both} to {vector(element)}")))
    return values


def _parameter(code: Code, instruction: Instruction, access: Access) -> None:
    """Load an argument of the launch: the same for all threads."""
    address = access.address
    if not isinstance(address.base, Symbol) or address.base.name not in code.kernel.parameters:
        raise code.unsupported()
    place = code.kernel.parameters[address.base.name] + address.offset + address.base.offset
    if not 0 <= place <= code.kernel.parameters[""] - access.total:
        raise code.unsupported(Lack.ADDRESS_OF_PARAMETER)
    pointer, element = code.processor("parameters", "ptr"), element_of(access.type)
    names = [code.emitter.load(element, pointer, place + access.size * part) for part in range(access.count)]
    write_loaded(code, instruction, access, [scalar(element, name) for name in names])


def write_loaded(code: Code, instruction: Instruction, access: Access, values: Sequence[Value]) -> None:
    """Write loaded values to the registers of ld: signed ones keep their sign in wider registers."""
    for item, value in zip(items_of(instruction.operands[0]), values, strict=True):
        if isinstance(item, Register):
            element = element_of(code.kernel.function.registers[item.name])
            element = element if BITS[value.element] >= BITS[element] else f"i{BITS[element]}"
            code.write(item, as_element(code.emitter, value, element, signed=is_signed(access.type)))


def store(code: Code, instruction: Instruction) -> None:
    """st: one store if all lanes execute it and are in bounds, otherwise lane by lane."""
    access = access_of(code, instruction)
    values = [read(code, item, access.type) for item in items_of(instruction.operands[1])]
    names = [spread(code.emitter, value) for value in values]
    address = address_value(code, access.address)
    if access.space == "local" and is_local_row(access, address):
        _to_local(code, access, address, names)
    elif address.vector or access.space not in {"global", "shared"} or address.groups > 4:
        scattered(code, access, names)
    else:
        _checked(code, access, address, names)


def _checked(code: Code, access: Access, address: Value, names: Sequence[str]) -> None:
    """Write the fast store, the store lane by lane, and the condition that chooses between them."""
    emitter = code.emitter
    length = LANES // address.groups
    condition = emitter.op(f"icmp eq i32 {code.executing_lanes()}, -1")
    pointers, array = [], code.array_of(access.address.base)
    for group in range(address.groups):
        base = Value(address.element, (address.bases[group],))
        offsets = address.offsets[group * length : (group + 1) * length]
        low, extent = min(offsets), max(offsets) - min(offsets) + access.total
        pointer, inside = range_check(code, access.space, base, low, extent, array, write=True)
        pointers.append((pointer, low))
        condition = emitter.pure(f"and i1 {condition}, {inside}")
        condition = emitter.pure(f"and i1 {condition}, {alignment_check(code, base, access.total, offsets)}")

    def together() -> list[str]:
        element = element_of(access.type)
        for group, (pointer, low) in enumerate(pointers):
            places = [offset - low for offset in address.offsets[group * length : (group + 1) * length]]
            parts = [patterns.part_of(emitter, name, element, LANES, group * length, length) for name in names]
            patterns.store(emitter, pointer, places, element, parts)
        return []

    def each() -> list[str]:
        scattered(code, access, names)
        return []

    emitter.either(condition, together, each)


def _to_local(code: Code, access: Access, address: Value, names: Sequence[str]) -> None:
    """Store words of all lanes in rows; the words of lanes that do not execute the store stay the same.

    A saved register has a value in every lane; the other lanes have no call under way, if all have the same depth.
    """
    pointer = local_row(code, access, address, write=True)
    emitter, element = code.emitter, element_of(access.type)
    lanes_ = "-1" if code.instruction and saves(code.instruction) else code.executing_lanes()
    executing = emitter.op(f"bitcast i32 {lanes_} to <{LANES} x i1>")
    for part, name in enumerate(names):
        rows = [name] if access.size == 4 else _halves(code, name, element)
        type_ = vector(element if access.size == 4 else "i32")
        for row, word in enumerate(rows):
            place = (part * access.size + row * 4) * LANES
            old = emitter.load(type_, pointer, place, 4)
            new = emitter.op(f"select <{LANES} x i1> {executing}, {type_} {word}, {type_} {old}")
            emitter.store(type_, new, pointer, place, 4)


def _halves(code: Code, name: str, element: str) -> list[str]:
    emitter, type_ = code.emitter, vector("i32", 2 * LANES)
    both = emitter.op(f"bitcast {vector(element)} {name} to {type_}")
    return [
        emitter.op(
            f"shufflevector {type_} {both}, {type_} poison, <{LANES} x i32> "
            + constants("i32", [2 * lane + half for lane in range(LANES)])
        )
        for half in range(2)
    ]
