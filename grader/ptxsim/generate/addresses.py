"""Where an instruction accesses memory, and addresses as values (PTX ISA, "State Spaces", "Addresses as Operands")."""

from __future__ import annotations

from dataclasses import dataclass

from grader.ptxsim.analysis.shape import LaneShape
from grader.ptxsim.analysis.shapes import operand_shape
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import vector
from grader.ptxsim.generate.layout import LOCAL, SHARED, window
from grader.ptxsim.generate.values import Base, Value, spread
from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.records import Address, Instruction, Register, Symbol, Vector
from grader.ptxsim.syntax.types import WIDTHS, types_of

_SHARED = ("shared", "shared::cta", "shared::cluster")  # a cluster is one block
SPACES = {"global": "global", **dict.fromkeys(_SHARED, "shared"), "local": "local", "const": "global"}
WIDEST = 16  # bytes of one lane's access
COUNTS = {"v2": 2, "v4": 4, "v8": 8}
WINDOWS = {"shared": window(SHARED), "local": window(LOCAL)}


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
    place = 1 if instruction.opcode == "ld" else 0
    address = instruction.operands[place]
    if not isinstance(address, Address):
        raise code.unsupported()
    access = access_at(address, instruction)
    value = instruction.operands[1 - place]
    if access.total > WIDEST or (len(value.items) if isinstance(value, Vector) else 1) != access.count:
        raise code.unsupported()
    return access


def access_at(address: Address, instruction: Instruction) -> Access:
    """Return what an instruction accesses at an address, as its modifiers say."""
    space = next((SPACES[modifier] for modifier in instruction.modifiers if modifier in SPACES), "generic")
    count = next((COUNTS[modifier] for modifier in instruction.modifiers if modifier in COUNTS), 1)
    return Access(space, address, types_of(instruction)[-1], count)


def address_shape(code: Code, address: Address) -> LaneShape:
    """Return the shape of the lanes' addresses."""
    return operand_shape(address, code.facts.shapes, code.facts.geometry, 64)


def address_value(code: Code, address: Address) -> Value:
    """Return the address within its state space, with 32 bits if the program keeps it in a register of 32 bits."""
    base = address.base
    if isinstance(base, Register):
        value = code.register(base.name)
        if value.vector:
            if address.offset:
                type_ = vector(value.element)
                moved = f"add {type_} {value.vector}, splat ({value.element} {address.offset})"
                return Value(value.element, vector=code.emitter.pure(moved))
            return value
        bases = tuple(Base(part.root, part.added + address.offset) for part in value.bases)
        return Value(value.element, bases, value.offsets)
    number = address.offset
    if isinstance(base, Symbol):
        if base.name not in code.symbols:
            raise code.unsupported(Lack.ADDRESS)
        number += code.symbols[base.name] + base.offset
    return Value("i64", (Base("", number),))


def generic_addresses(code: Code, access: Access) -> str:
    """Return the vector of the lanes' generic addresses, 64 bits each."""
    value = address_value(code, access.address)
    name = spread(code.emitter, value)
    if value.element != "i64":
        name = code.emitter.pure(f"zext {vector(value.element)} {name} to {vector('i64')}")
    start = WINDOWS.get(access.space, 0)
    return code.emitter.pure(f"add {vector('i64')} {name}, splat (i64 {start})") if start else name
