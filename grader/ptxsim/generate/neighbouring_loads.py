"""Neighbouring values that each lane loads from its own address, by several instructions of one block.

An unrolled loop over a row loads [p], [p+4], [p+8] and [p+12], where p differs from lane to lane in a way that only
the launch knows. Where the first of these instructions is, the four values of every lane are checked and read at once.
If one of them is out of bounds or misaligned, or they lie in different segments, each instruction loads for itself,
with all checks: so a fault is that of the instruction that has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from grader.ptxsim.analysis.registers import results
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.addresses import Access, access_of, address_value, generic_addresses
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import element_of, vector
from grader.ptxsim.generate.loads_and_stores import gathered, write_loaded
from grader.ptxsim.generate.values import lanes
from grader.ptxsim.syntax.records import Instruction, Register

COUNT = 4  # values that are read at once: compilers unroll such loops by four
FARTHEST = 64  # instructions from the first load to the last
SIZES = frozenset({4, 8})  # bytes of a value
_ORDERED = frozenset(
    {"volatile", "relaxed", "acquire", "mmio"}
)  # loads that keep their place, and that of those behind
_CALCULATING = frozenset(
    {"ld", "fma", "mad", "add", "sub", "mul", "mov", "shl", "shr", "and", "or", "xor", "not", "cvt", "cvta", "setp"}
    | {"selp", "neg", "abs", "min", "max", "shf", "prmt", "bfe", "bfi", "lop3"}
)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Where the values are if `found` holds at run time: first those of one instruction for all lanes, and so on."""

    number: int
    found: str
    values: str


@dataclass(slots=True)
class NeighbouringLoads:
    """For each load that is still to come, the neighbours that were read already, and which of them it loads."""

    parts: dict[int, tuple[Neighbours, int]] = field(default_factory=dict)

    def begin(self, code: Code, instructions: Sequence[Instruction], place: int) -> bool:
        """Read the neighbours of a load's value, if it has enough; return whether it has."""
        instruction = instructions[place]
        if not _is_plain(instruction) or not _is_possible(code, instruction):
            return False
        numbers = _neighbours(access_of(code, instruction), dict(_alike(code, instructions, place)))
        if numbers:
            neighbours = _read(code, access_of(code, instructions[numbers[0]]), self._free())
            self.parts |= {number: (neighbours, part) for part, number in enumerate(numbers)}
        return bool(numbers)

    def _free(self) -> int:
        """Return a number that no neighbours have of which loads are still to come."""
        taken = {neighbours.number for neighbours, _ in self.parts.values()}
        return next(number for number in count() if number not in taken)

    def load(self, code: Code, instruction: Instruction, place: int) -> None:
        """Take the value that was read already, or load it alone."""
        emitter, access = code.emitter, access_of(code, instruction)
        (neighbours, part), type_ = self.parts.pop(place), vector(element_of(access.type))

        def taken() -> list[str]:
            return [emitter.load(type_, neighbours.values, part * LANES * access.size, access.size)]

        def alone() -> list[str]:
            return [value.vector for value in gathered(code, access)]

        (name,) = emitter.either(neighbours.found, taken, alone, type_)
        write_loaded(code, instruction, access, [lanes(element_of(access.type), name)])


def _is_plain(instruction: Instruction) -> bool:
    return (
        instruction.opcode == "ld" and not instruction.guard and not {*_ORDERED, "param"} & set(instruction.modifiers)
    )


def _is_possible(code: Code, instruction: Instruction) -> bool:
    """Whether the lanes' addresses are known at run time only."""
    access = access_of(code, instruction)
    is_one_value = access.count == 1 and access.size in SIZES
    is_elsewhere = access.space != "local" and isinstance(access.address.base, Register)
    return is_one_value and is_elsewhere and bool(address_value(code, access.address).vector)


def _alike(code: Code, instructions: Sequence[Instruction], place: int) -> Iterator[tuple[int, int]]:
    """Yield offset and place of loads from the same register, up to what may write it, or memory. First ones last."""
    first = access_of(code, instructions[place])
    base, found = first.address.base, []
    for number, instruction in enumerate(instructions[place : place + FARTHEST], place):
        if instruction.opcode not in _CALCULATING or _ORDERED & set(instruction.modifiers):
            break
        if _is_plain(instruction):
            access = access_of(code, instruction)
            if access.address.base == base and replace(access, address=first.address) == first:
                found.append((access.address.offset, number))
        if base in results(instruction):
            break
    return reversed(found)


def _neighbours(access: Access, alike: dict[int, int]) -> list[int]:
    """Return the places of the loads of neighbouring values, this one among them; empty if there are too few."""
    for before in range(COUNT):
        low = access.address.offset - before * access.size
        offsets = [low + part * access.size for part in range(COUNT)]
        if all(offset in alike for offset in offsets):
            return [alike[offset] for offset in offsets]
    return []


def _read(code: Code, lowest: Access, number: int) -> Neighbours:
    """Write the call that reads neighbouring values."""
    addresses = code.in_memory("addresses", "i64", generic_addresses(code, lowest))
    values = code.temporary(f"neighbours {number}", COUNT * lowest.size * LANES)
    function = code.globals.mover(lowest.size, COUNT, "neighbours")
    found = code.emitter.op(f"call i1 @{function}(ptr %m, ptr {addresses}, i32 {code.executing_lanes()}, ptr {values})")
    return Neighbours(number, found, values)
