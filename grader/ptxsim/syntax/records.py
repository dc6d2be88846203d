"""The records that the parser makes for all later steps (PTX ISA, "Instruction Operands", "Fundamental Types")."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from grader.ptxsim.records.fields import LocalArray

# Bits of each type.
WIDTHS = {f"{kind}{bits}": bits for kind in "bsu" for bits in (8, 16, 32, 64)} | {
    "b1": 1, "pred": 1, "b128": 128, "u16x2": 32, "s16x2": 32, "e4m3x2": 16, "e5m2x2": 16,
    "f16": 16, "f16x2": 32, "bf16": 16, "bf16x2": 32, "tf32": 32, "f32": 32, "f64": 64,
}  # fmt: skip
REALS = frozenset({"f16", "f16x2", "bf16", "bf16x2", "tf32", "f32", "f64"})


@dataclass(frozen=True, slots=True)
class Register:
    """A register by its name, unique within the function."""

    name: str


@dataclass(frozen=True, slots=True)
class Special:
    """A predefined register such as tid.x, without its percent sign."""

    name: str


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer, with its sign."""

    value: int


@dataclass(frozen=True, slots=True)
class Real:
    """A floating-point number by its pattern of 32 or 64 bits."""

    bits: int
    width: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """A variable, a label or a function, and an offset in bytes."""

    name: str
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Address:
    """The text in brackets: a register, a symbol or nothing, plus an offset in bytes."""

    base: Register | Symbol | None
    offset: int


@dataclass(frozen=True, slots=True)
class Negated:
    """A predicate with an exclamation mark."""

    register: Register


@dataclass(frozen=True, slots=True)
class Vector:
    """The operands in braces, or in the parentheses of a call."""

    items: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two results with a bar between them; None where one is the sink `_`."""

    first: Register | None
    second: Register | None


@dataclass(frozen=True, slots=True)
class Sink:
    """A result that is discarded: `_`."""


Operand = Register | Special | Integer | Real | Symbol | Address | Negated | Vector | Pair | Sink


@dataclass(frozen=True, slots=True)
class Guard:
    """The predicate that guards an instruction."""

    register: Register
    negated: bool

    @property
    def opposite(self) -> Guard:
        return Guard(self.register, not self.negated)


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction. `line` is the student's line that it comes from, 0 where none is known."""

    opcode: str
    modifiers: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: Guard | None
    line: int

    @property
    def name(self) -> str:
        return ".".join((self.opcode, *self.modifiers))


@dataclass(frozen=True, slots=True)
class Label:
    """A place that branches name."""

    name: str


@dataclass(frozen=True, slots=True)
class Targets:
    """A table of labels (.branchtargets) that brx.idx chooses from."""

    name: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a state space: its size in bytes, its alignment, and its initial contents.

    `addresses` are (offset, symbol, addend) of words that hold the address of another variable. A scalar is declared
    with its type (.u32); nvcc declares all else as an array, of bytes (.b8 tile[1024]).
    """

    name: str
    space: str
    size: int
    alignment: int
    initial: bytes = b""
    addresses: tuple[tuple[int, str, int], ...] = ()
    dynamic: bool = False
    is_scalar: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function: its type (b8 for an array) and its size in bytes."""

    name: str
    type: str
    size: int
    alignment: int


@dataclass(frozen=True, slots=True)
class Function:
    """An entry or a device function. `registers` maps the name of each register that is used to its type.

    `cluster` is the number of blocks in each of its clusters, 0 where it does not ask for clusters.
    """

    name: str
    is_entry: bool
    parameters: tuple[Parameter, ...]
    results: tuple[Parameter, ...]
    registers: Mapping[str, str]
    variables: tuple[Variable, ...]
    locals: tuple[Parameter, ...]
    body: tuple[Instruction | Label, ...]
    targets: tuple[Targets, ...] = ()
    cluster: int = 0

    @property
    def instructions(self) -> list[Instruction]:
        """The instructions of the body."""
        return [statement for statement in self.body if isinstance(statement, Instruction)]

    def rewritten(self, rewrite: Callable[[Instruction], Iterable[Instruction]]) -> Function:
        """Return the function with what `rewrite` makes of each instruction in its place."""
        body: list[Instruction | Label] = []
        for statement in self.body:
            body += [statement] if isinstance(statement, Label) else rewrite(statement)
        return replace(self, body=tuple(body))


@dataclass(frozen=True, slots=True)
class Module:
    """A file of PTX: its variables, the functions that have a body, and what local memory consists of."""

    variables: tuple[Variable, ...]
    functions: tuple[Function, ...]
    local_arrays: tuple[LocalArray, ...] = ()
    target: str = ""


def simple(opcode: str, type_: str, *operands: Operand) -> Instruction:
    """Return an instruction of one type, without a guard and without a line of the file."""
    return Instruction(opcode, (type_,), operands, None, 0)


def branch(label: str, line: int, guard: Guard | None = None) -> Instruction:
    """Return a branch to a label."""
    return Instruction("bra", (), (Symbol(label),), guard, line)


def items_of(operand: Operand) -> tuple[Operand, ...]:
    """Return the operands in a vector, or the operand itself."""
    return operand.items if isinstance(operand, Vector) else (operand,)


def address_of(instruction: Instruction) -> Address | None:
    """Return the first address among the operands."""
    return next((operand for operand in instruction.operands if isinstance(operand, Address)), None)


def types_of(instruction: Instruction) -> tuple[str, ...]:
    """Return the types among the modifiers, in order."""
    return _types_among(instruction.modifiers)


@lru_cache(maxsize=4096)
def _types_among(modifiers: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(modifier for modifier in modifiers if modifier in WIDTHS)


def is_integer(type_: str) -> bool:
    """Whether registers of the type take part in addresses: integers and untyped bits."""
    return type_[0] in "bsu" and type_[:2] != "bf"


def is_signed(type_: str) -> bool:
    """Whether a type is that of a signed integer."""
    return type_[0] == "s"
