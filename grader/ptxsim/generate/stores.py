"""st (PTX ISA, "Data Movement and Conversion Instructions: st")."""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.analysis.call_stack import saves
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate import patterns
from grader.ptxsim.generate.addresses import Access, access_of, address_value, alignment_check, range_check
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import constants, element_of, vector
from grader.ptxsim.generate.loads import is_local_row, local_row, scattered
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.values import Value, spread
from grader.ptxsim.syntax.records import Instruction, items_of


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
