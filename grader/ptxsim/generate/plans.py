"""Bounds of many loads checked at once.

Loads of one block whose addresses are computed without the values they load are planned together: their addresses have
few roots (registers), and around each root they reach from a lowest to a highest byte. If all of that lies in one
segment, and is aligned, the loads need no further check. If not, or where only few lanes have valid addresses,
`preload` makes the loads one by one for the active lanes, with all checks, and copies the values to a scratch area
at the same distances; the same code then reads it from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count

from grader.ptxsim.analysis.divergence import Facts
from grader.ptxsim.analysis.registers import results, sources
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.addresses import (
    Access,
    access_of,
    address_shape,
    address_value,
    alignment_check,
    range_check,
)
from grader.ptxsim.generate.code import Code, Translate
from grader.ptxsim.generate.emitter import BITS
from grader.ptxsim.generate.exits import succeed
from grader.ptxsim.generate.layout import SCRATCH, SHARED, SharedArray, window
from grader.ptxsim.generate.values import Base, Value
from grader.ptxsim.syntax.records import Instruction, is_integer

MOST = 512  # loads of one plan
MOST_OTHERS = 64  # loads among them that cannot be planned: every one begins a search of the rest of its block
FARTHEST = 8192  # bytes between the first and the last that are checked as one range

_HOISTED = frozenset({"mov", "add", "sub", "mul", "mad", "shl", "shr", "and", "or", "xor", "not", "cvt", "cvta"})
_FENCES = frozenset(
    {"bar", "barrier", "call", "mbarrier", "atom", "red", "cp", "wmma", "ldmatrix", "stmatrix", "malloc"}
)


@dataclass(slots=True)
class Root:
    """A register that addresses are computed from, and the range of bytes around it that loads read.

    `array` is the shared array that all of them are likely to lie in.
    """

    space: str
    element: str
    name: str
    low: int
    high: int
    array: SharedArray | None = None
    alignments: set[tuple[int, int]] = field(default_factory=set)
    pointer: str = ""
    scratch: int = 0

    @property
    def room(self) -> int:
        """Return the bytes of the scratch area that the range takes."""
        return -(-(self.high - self.low) // 64) * 64


@dataclass(frozen=True, slots=True)
class Reading:
    """A planned load: for each group of lanes its root and the distance of the first lane's address from it."""

    access: Access
    value: Value
    roots: tuple[int, ...]


@dataclass(slots=True)
class Plan:
    """Planned loads by their place in the block, and the roots that they share."""

    readings: dict[int, Reading] = field(default_factory=dict)
    roots: list[Root] = field(default_factory=list)
    keys: dict[tuple[str, str, str, SharedArray | None, int], int] = field(default_factory=dict)


def plan(code: Code, instructions: Sequence[Instruction], place: int, translate: Translate) -> Plan:
    """Return the plan of the loads from a place of a block on. Address arithmetic is translated along the way."""
    new_plan = Plan()
    before, saved = code.instruction, code.snapshot()
    spaces, unknown, others = {"global", "shared"}, set[str](), 0
    for number in range(place, len(instructions)):
        instruction = instructions[number]
        code.instruction = instruction
        if instruction.opcode in _FENCES or not spaces or len(new_plan.readings) >= MOST or others >= MOST_OTHERS:
            break
        if instruction.opcode == "st":
            space = access_of(code, instruction).space
            spaces -= {"global", "shared"} if space == "generic" else {space}
        if instruction.opcode == "ld" and not (set(_names(instruction)) & unknown):
            _plan_load(code, new_plan, instruction, number, spaces)
        others += instruction.opcode == "ld" and number not in new_plan.readings
        if not new_plan.readings:
            break  # the first load cannot be planned
        if number not in code.values.hoisted and _is_hoistable(code.kernel.facts, code, instruction, unknown):
            translate(code, instruction)
            code.hoist(number, instruction)
        if number in code.values.hoisted:
            code.recall(number)
            unknown -= set(code.values.hoisted[number])
        else:
            unknown |= {register.name for register in results(instruction)}
    code.restore(saved)
    code.instruction = before
    return new_plan


def _names(instruction: Instruction) -> list[str]:
    return [register.name for register in sources(instruction)]


def _is_hoistable(facts: Facts, code: Code, instruction: Instruction, unknown: set[str]) -> bool:
    """Whether an instruction only computes scalars, from what is known already."""
    if instruction.opcode not in _HOISTED or instruction.guard or set(_names(instruction)) & unknown:
        return False
    blended = facts.blended.get(code.block, frozenset())
    for register in results(instruction):
        if code.shape(register.name).is_varying or register.name in blended:
            return False
        if not is_integer(code.kernel.function.registers[register.name]):
            return False
    return not any(code.shape(name).is_varying for name in _names(instruction)) and len(results(instruction)) == 1


def _plan_load(code: Code, plan_: Plan, instruction: Instruction, number: int, spaces: set[str]) -> None:
    if "param" in instruction.modifiers or instruction.guard:
        return
    access = access_of(code, instruction)
    if access.space not in spaces or address_shape(code, access.address).is_varying:
        return
    value = address_value(code, access.address)
    if value.vector:
        return
    used = sum(root.room for root in plan_.roots)
    if max(value.offsets) - min(value.offsets) + access.total > FARTHEST or used + FARTHEST * value.groups > SCRATCH:
        return  # too far apart for the scratch area: lane by lane, or in the next plan
    array = code.array_of(access.address.base) if access.space == "shared" else None
    roots = [_root(plan_, access, value, group, array) for group in range(value.groups)]
    plan_.readings[number] = Reading(access, value, tuple(roots))


def _root(plan_: Plan, access: Access, value: Value, group: int, array: SharedArray | None) -> int:
    """Return the number of the root of a group's addresses, its range made large enough."""
    base, length = value.bases[group], LANES // value.groups
    offsets = value.offsets[group * length : (group + 1) * length]
    places = [base.added + offset for offset in offsets]
    low, high = min(places), max(places) + access.total
    for part in count():
        key = (access.space, value.element, base.root, array, part)
        number = plan_.keys.get(key)
        if number is None:
            number = plan_.keys[key] = len(plan_.roots)
            plan_.roots.append(Root(access.space, value.element, base.root, low, high, array))
        root = plan_.roots[number]
        if max(root.high, high) - min(root.low, low) <= FARTHEST:
            root.low, root.high = min(root.low, low), max(root.high, high)
            root.alignments |= {(access.total, place % access.total) for place in places}
            return number
    raise ValueError("unreachable")


def check(code: Code, plan: Plan) -> None:
    """Write the code that sets each root's pointer: to the host's memory, or to the scratch area."""
    emitter, place = code.emitter, 0
    pointers, conditions = [], []
    for root in plan.roots:
        root.scratch = place
        place += root.room
        base = Value(root.element, (Base(root.name),))
        pointer, inside = range_check(code, root.space, base, root.low, root.high - root.low, root.array)
        pointers.append(pointer)
        conditions.append(inside)
        for size in sorted({size for size, _ in root.alignments}):
            rests = (rest for other, rest in root.alignments if other == size)
            conditions.append(alignment_check(code, base, size, rests))
    whole = conditions[0]
    for condition in conditions[1:]:
        whole = emitter.pure(f"and i1 {whole}, {condition}")

    def preloaded() -> list[str]:
        _call_preload(code, plan)
        return [emitter.at(code.processor("scratch", "ptr"), root.scratch) for root in plan.roots]

    for root, pointer in zip(plan.roots, emitter.either(whole, lambda: pointers, preloaded), strict=True):
        root.pointer = pointer


def _call_preload(code: Code, plan: Plan) -> None:
    """Write the call, and the table of what it loads."""
    emitter = code.emitter
    roots = code.temporary("roots", 8 * len(plan.roots))
    for number, root in enumerate(plan.roots):
        emitter.store("i64", emitter.wide(root.element, root.name or "0"), roots, 8 * number, 8)
    rows = [row for number in sorted(plan.readings) for row in _rows(code, plan, number)]
    table = f"@table{len(code.globals.tables)}"
    type_ = "{ i32, i32, i32, i32, i64, i64, i64, i64, ptr }"
    code.globals.tables.append(f"{table} = internal constant [{len(rows)} x {type_}] [{', '.join(rows)}]")
    given = f"ptr {table}, i32 {len(rows)}, ptr {roots}, i32 {code.active}, ptr {code.processor('scratch', 'ptr')}"
    succeed(code, f"@preload(ptr %m, ptr %w, {given})")


def _rows(code: Code, plan: Plan, number: int) -> list[str]:
    reading = plan.readings[number]
    value, access = reading.value, reading.access
    length = LANES // value.groups
    where = code.place_of(number)
    offsets = code.globals.table("i32", value.offsets)
    wrap = -1 if BITS[value.element] == 64 else (1 << BITS[value.element]) - 1
    start = window(SHARED) if access.space == "shared" else 0
    rows = []
    for group, key in enumerate(reading.roots):
        root = plan.roots[key]
        own = ((1 << length) - 1) << group * length
        own -= (own >> 31) << 32
        added = value.bases[group].added
        rows.append(
            f"{{ i32, i32, i32, i32, i64, i64, i64, i64, ptr }} {{ i32 {key}, i32 {own}, i32 {access.total}, "
            f"i32 {where}, i64 {added}, i64 {wrap}, i64 {start}, i64 {root.scratch + added - root.low}, ptr {offsets} }}"
        )
    return rows
