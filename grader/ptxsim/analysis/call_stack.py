"""The stack of recursive functions in the thread's local memory, and the instructions that use it.

A call stores its return address and the registers that are live after it, and branches to the start of the called
function. `ret` branches to the instruction after the call, where the registers are restored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from grader.ptxsim.analysis import parameters
from grader.ptxsim.analysis.parameters import NARROWEST
from grader.ptxsim.records.lacks import Lack, UnsupportedError
from grader.ptxsim.syntax.records import (
    WIDTHS,
    Address,
    Function,
    Guard,
    Instruction,
    Integer,
    Label,
    Operand,
    Register,
    Symbol,
    Targets,
    Variable,
    branch,
    simple,
)

# A thread's stack is 1 KiB unless the program sets cudaLimitStackSize, and a frame is a multiple of 16 bytes.
DEEPEST = 64
LOCAL_BYTES = 512 << 10  # of a thread (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability")
SLOT_BYTES = 8
DEPTH, FRAME = "depth of", "frame of"  # prefixes of register names; no name in PTX has a space

Statement: TypeAlias = Instruction | Label
Stored: TypeAlias = Mapping[str, set[parameters.Word]]  # the words that each variable of a call has
Names: TypeAlias = tuple[Sequence[str], Sequence[str]]  # a call's variables for results and for parameters


@dataclass(frozen=True, slots=True)
class RecursiveCall:
    """A call between the functions: its number, and the types of the registers to restore after it, by name."""

    number: int
    saved: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Member:
    """One of the functions that call each other, and the suffix of the names in the copy of its body."""

    function: Function
    suffix: str

    def own(self, name: str) -> str:
        """Return the name of a parameter or result in the copy."""
        return name + self.suffix

    @property
    def begin(self) -> str:
        """The label of the body."""
        return f"begin of{self.suffix}"

    @property
    def words(self) -> dict[str, set[parameters.Word]]:
        """The words of the parameters and results, by their names in the copy."""
        formals = (*self.function.parameters, *self.function.results)
        return {self.own(formal.name): parameters.words(self.function, formal.name) for formal in formals}


@dataclass(frozen=True, slots=True)
class CallStack:
    """The stack of a copy of functions that call each other, and the code of their calls and returns.

    `sites` has the calls by the identity of the instruction and the name of the called function. `arrays` has the bytes
    of each local array; every active call has its own.
    """

    suffix: str
    members: Mapping[str, Member]
    sites: Mapping[tuple[int, str], RecursiveCall]
    arrays: Mapping[str, int]

    @property
    def registers(self) -> dict[str, str]:
        """The registers that the instructions use besides the functions' own, with their types."""
        words = {"depth": "b32", "site": "b32", "bit": "b32", "stack": "b64", "frame": "b64", "full": "pred"}
        return {self._register(name).name: type_ for name, type_ in words.items()}

    @property
    def variable(self) -> Variable:
        """The local array of the stack."""
        return Variable(f"stack{self.suffix}", "local", self._frame_bytes * self._deepest, SLOT_BYTES)

    @property
    def returns_to(self) -> Targets:
        """The table of return addresses."""
        return Targets(f"sites{self.suffix}", tuple(self._after(site) for site in self.sites.values()))

    def enlarged(self, array: Variable) -> Variable:
        """Return a local array of the copy, enlarged for every active call."""
        return replace(array, size=self.arrays[array.name] * (self._deepest + 1))

    def opening(self, name: str, given: Sequence[str], stored: Stored) -> Iterator[Statement]:
        """Yield the code before the bodies: the first call of a function, with the variables `given`."""
        yield simple("mov", "u32", self._register("depth"), Integer(0))
        yield simple("mov", "u64", self._register("stack"), Symbol(self.variable.name))
        yield from self._entered(self.members[name], given, stored)

    def call(
        self, call: Instruction, site: RecursiveCall, name: str, names: Names, stored: Stored
    ) -> Iterator[Statement]:
        """Yield the code of a call between the functions; `names` are its variables for results and parameters."""
        results, given = names
        line, around = call.line, self._label(f"around {site.number}")
        if call.guard:
            yield branch(around, line, call.guard.opposite)
        yield from self._saving(site, line)
        yield from self._entered(self.members[name], given, stored)
        yield Label(self._after(site))
        yield from self._returned(self.members[name], results)
        yield from self._restoring(site, line)
        yield Label(around)

    @property
    def return_label(self) -> str:
        """The label to which a `ret` of a body branches."""
        return self._label("return")

    def closing(self, name: str, results: Sequence[str]) -> Iterator[Statement]:
        """Yield the code after the bodies: the return to a call, and the results of the first call."""
        depth, frame, site, full = map(self._register, ("depth", "frame", "site", "full"))
        end = self._label("end")
        yield Label(self.return_label)
        yield Instruction("setp", ("eq", "u32"), (full, depth, Integer(0)), None, 0)
        yield branch(end, 0, Guard(full, negated=False))
        yield simple("sub", "u32", depth, depth, Integer(1))
        yield self._at_depth(frame, self._frame_bytes, self._register("stack"))
        yield Instruction("ld", ("local", "u32"), (site, Address(frame, 0)), None, 0)
        yield Instruction("brx", ("idx",), (site, Symbol(self.returns_to.name)), None, 0)
        yield Label(end)
        yield from self._returned(self.members[name], results)

    def _entered(self, member: Member, given: Sequence[str], stored: Stored) -> Iterator[Statement]:
        """Yield the code that copies a call's variables to the function's parameters, and branches to its body."""
        for formal, name in zip(member.function.parameters, given, strict=True):
            for offset, width in sorted(member.words[member.own(formal.name)]):
                target, size = parameters.word(member.own(formal.name), offset, width), max(NARROWEST, width)
                yield from parameters.taken(target, size, name, (offset, width), stored.get(name, set()))
        yield branch(member.begin, 0)

    def _returned(self, member: Member, results: Sequence[str]) -> Iterator[Instruction]:
        """Yield the code that copies a function's results to the variables of a call."""
        for formal, name in zip(member.function.results, results, strict=True):
            for offset, width in sorted(member.words[member.own(formal.name)]):
                source = parameters.word(member.own(formal.name), offset, width)
                target = parameters.word(name, offset, width)
                yield simple("mov", f"b{max(NARROWEST, width)}", target, source)

    def uses_array(self, instruction: Instruction) -> bool:
        """Whether an instruction of the copy names one of its local arrays."""
        bases = [operand.base if isinstance(operand, Address) else operand for operand in instruction.operands]
        return any(isinstance(base, Symbol) and base.name in self.arrays for base in bases)

    def own_array(self, move: Instruction) -> Iterator[Instruction]:
        """Yield the code that computes the address of the current call's local array."""
        target, array = move.operands
        if move.opcode != "mov" or not isinstance(target, Register) or not isinstance(array, Symbol):
            raise UnsupportedError(Lack.RECURSIVE_ACCESS, move.line)
        yield move
        yield self._at_depth(target, self.arrays[array.name], target)

    def _saving(self, site: RecursiveCall, line: int) -> Iterator[Instruction]:
        depth, frame, number, bit, full = map(self._register, ("depth", "frame", "site", "bit", "full"))
        yield Instruction("setp", ("ge", "u32"), (full, depth, Integer(self._deepest)), None, line)
        yield Instruction("overflow", (), (), Guard(full, negated=False), line)
        yield self._at_depth(frame, self._frame_bytes, self._register("stack"))
        yield simple("mov", "u32", number, Integer(site.number))
        yield Instruction("st", ("local", "u32"), (Address(frame, 0), number), None, 0)
        for slot, (name, type_) in enumerate(site.saved.items(), 1):
            value, width = Register(name), WIDTHS[type_]
            if type_ == "pred":
                yield simple("selp", "b32", bit, Integer(1), Integer(0), value)
                value, width = bit, 32
            yield Instruction("st", ("local", f"b{width}"), (Address(frame, slot * SLOT_BYTES), value), None, 0)
        yield simple("add", "u32", depth, depth, Integer(1))

    def _restoring(self, site: RecursiveCall, line: int) -> Iterator[Instruction]:
        frame, bit = self._register("frame"), self._register("bit")
        for slot, (name, type_) in enumerate(site.saved.items(), 1):
            place = Address(frame, slot * SLOT_BYTES)
            if type_ == "pred":
                yield Instruction("ld", ("local", "b32"), (bit, place), None, line)
                yield Instruction("setp", ("ne", "u32"), (Register(name), bit, Integer(0)), None, line)
            else:
                yield Instruction("ld", ("local", f"b{WIDTHS[type_]}"), (Register(name), place), None, line)

    def _at_depth(self, target: Register, size: int, base: Register) -> Instruction:
        """Return the instruction for the address of an element of `size` bytes, one for each call."""
        return Instruction("mad", ("wide", "u32"), (target, self._register("depth"), Integer(size), base), None, 0)

    def _register(self, name: str) -> Register:
        return Register(f"{name} of{self.suffix}")  # no name of PTX has a space

    def _label(self, name: str) -> str:
        return f"{name} of{self.suffix}"

    def _after(self, site: RecursiveCall) -> str:
        return self._label(f"after {site.number}")

    @property
    def _frame_bytes(self) -> int:
        return SLOT_BYTES * (1 + max(len(site.saved) for site in self.sites.values()))

    @property
    def _deepest(self) -> int:
        return max(1, min(DEEPEST, LOCAL_BYTES // (self._frame_bytes + sum(self.arrays.values()))))


def bytes_of_a_call(instruction: Instruction) -> int:
    """Return the bytes of a local array per call if an instruction computes the address of a call's array; else 0."""
    if instruction.opcode == "mad" and instruction.modifiers == ("wide", "u32"):
        _, depth, size, _ = instruction.operands
        if isinstance(depth, Register) and depth.name.startswith(DEPTH) and isinstance(size, Integer):
            return size.value
    return 0


def restores(instruction: Instruction) -> bool:
    """Whether an instruction restores a register after a call."""
    return instruction.opcode == "ld" and _is_in_frame(instruction.operands[1])


def saves(instruction: Instruction) -> bool:
    """Whether an instruction saves a register before a call."""
    return instruction.opcode == "st" and _is_in_frame(instruction.operands[0])


def _is_in_frame(address: Operand) -> bool:
    return isinstance(address, Address) and isinstance(address.base, Register) and address.base.name.startswith(FRAME)
