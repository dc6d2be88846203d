"""The stack that a recursive function has in the thread's local memory, and the instructions that use it.

A call stores where it returns to, and the registers that are read after it, and branches to the beginning of the body.
`ret` branches to the instruction after the call, where they are loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from grader.worker.simulator.analysis import parameters
from grader.worker.simulator.syntax.errors import UnsupportedError
from grader.worker.simulator.syntax.records import (
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
)
from grader.worker.simulator.syntax.types import WIDTHS

# A thread's stack is 1 KiB unless the program sets cudaLimitStackSize, and a frame is a multiple of 16 bytes.
DEEPEST = 64
LOCAL_BYTES = 512 << 10  # of a thread (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability")
SLOT_BYTES = 8

Statement: TypeAlias = Instruction | Label
Word: TypeAlias = tuple[str, int, int]  # parameter or result, offset in bytes, width in bits


@dataclass(frozen=True, slots=True)
class RecursiveCall:
    """A call of the function by itself: its number, and the registers to restore after it, with their types."""

    number: int
    saved: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CallStack:
    """The stack of a copy of a recursive function, and what its calls of itself and its returns become.

    `arrays` has the size in bytes of each local array; every call that has not returned has one of its own.
    """

    function: Function
    suffix: str
    formals: Mapping[str, str]
    sites: Mapping[int, RecursiveCall]
    arrays: Mapping[str, int]

    @property
    def registers(self) -> dict[str, str]:
        """The registers that the instructions use besides the function's own, with their types."""
        words = {"depth": "b32", "site": "b32", "bit": "b32", "stack": "b64", "frame": "b64", "full": "pred"}
        results = {self._result(*word): f"b{word[2]}" for word in self._results()}
        return {self._register(name).name: type_ for name, type_ in words.items()} | {
            register.name: type_ for register, type_ in results.items()
        }

    @property
    def variable(self) -> Variable:
        """The local array of the stack."""
        return Variable(f"stack{self.suffix}", "local", self._frame_bytes * self._deepest, SLOT_BYTES)

    @property
    def returns_to(self) -> Targets:
        """The table of the places after the calls."""
        return Targets(f"sites{self.suffix}", tuple(self._label(f"after {site.number}") for site in self._sites()))

    def enlarged(self, array: Variable) -> Variable:
        """Return a local array of the copy with room for every call that has not returned."""
        return replace(array, size=self.arrays[array.name] * (self._deepest + 1))

    def opening(self) -> Iterator[Statement]:
        """Yield what comes before the body."""
        yield _instruction("mov", "u32", self._register("depth"), Integer(0))
        yield _instruction("mov", "u64", self._register("stack"), Symbol(self.variable.name))
        yield Label(self._label("begin"))

    def call(self, call: Instruction, original: Instruction, names: Sequence[str]) -> Iterator[Statement]:
        """Yield what a call of the function by itself becomes; `names` are its variables for results and parameters."""
        site = self.sites[id(original)]
        line, around = call.line, self._label(f"around {site.number}")
        results = [formal.name for formal in self.function.results]
        own = dict(zip((*results, *(formal.name for formal in self.function.parameters)), names, strict=True))
        if call.guard:
            guard = Guard(call.guard.register, not call.guard.negated)
            yield Instruction("bra", (), (Symbol(around),), guard, line)
        yield from self._saving(site, line)
        for formal, offset, width in self._words(formal.name for formal in self.function.parameters):
            yield self._copy(self._word(formal, offset, width), parameters.word(own[formal], offset, width), width)
        yield Instruction("bra", (), (Symbol(self._label("begin")),), None, line)
        yield Label(self._label(f"after {site.number}"))
        for word in self._results():
            yield self._copy(self._result(*word), self._word(*word), word[2])
        yield from self._restoring(site, line)
        for formal, offset, width in self._results():
            result = self._result(formal, offset, width)
            yield self._copy(parameters.word(own[formal], offset, width), result, width)
        yield Label(around)

    @property
    def return_label(self) -> str:
        """The place that a `ret` of the body branches to."""
        return self._label("return")

    def closing(self, end: str) -> Iterator[Statement]:
        """Yield what comes after the body: the return to a call, or to `end` from the first."""
        depth, frame, site, full = map(self._register, ("depth", "frame", "site", "full"))
        yield Label(self.return_label)
        yield Instruction("setp", ("eq", "u32"), (full, depth, Integer(0)), None, 0)
        yield Instruction("bra", (), (Symbol(end),), Guard(full, negated=False), 0)
        yield _instruction("sub", "u32", depth, depth, Integer(1))
        yield self._at_depth(frame, self._frame_bytes, self._register("stack"))
        yield Instruction("ld", ("local", "u32"), (site, Address(frame, 0)), None, 0)
        yield Instruction("brx", ("idx",), (site, Symbol(self.returns_to.name)), None, 0)

    def uses_array(self, instruction: Instruction) -> bool:
        """Whether an instruction of the copy names one of its local arrays."""
        bases = [operand.base if isinstance(operand, Address) else operand for operand in instruction.operands]
        return any(isinstance(base, Symbol) and base.name in self.arrays for base in bases)

    def own_array(self, move: Instruction) -> Iterator[Instruction]:
        """Yield what gives the address of the current call's local array."""
        target, array = move.operands
        if move.opcode != "mov" or not isinstance(target, Register) or not isinstance(array, Symbol):
            raise UnsupportedError("this access to a local array of a recursive function", move.line)
        yield move
        yield self._at_depth(target, self.arrays[array.name], target)

    def _saving(self, site: RecursiveCall, line: int) -> Iterator[Instruction]:
        depth, frame, number, bit, full = map(self._register, ("depth", "frame", "site", "bit", "full"))
        yield Instruction("setp", ("ge", "u32"), (full, depth, Integer(self._deepest)), None, line)
        yield Instruction("overflow", (), (), Guard(full, negated=False), line)
        yield self._at_depth(frame, self._frame_bytes, self._register("stack"))
        yield _instruction("mov", "u32", number, Integer(site.number))
        yield Instruction("st", ("local", "u32"), (Address(frame, 0), number), None, 0)
        for slot, (name, type_) in enumerate(site.saved.items(), 1):
            value, width = Register(name), WIDTHS[type_]
            if type_ == "pred":
                yield _instruction("selp", "b32", bit, Integer(1), Integer(0), value)
                value, width = bit, 32
            yield Instruction("st", ("local", f"b{width}"), (Address(frame, slot * SLOT_BYTES), value), None, 0)
        yield _instruction("add", "u32", depth, depth, Integer(1))

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

    def _copy(self, target: Register, source: Register, width: int) -> Instruction:
        return _instruction("mov", f"b{width}", target, source)

    def _words(self, formals: Iterable[str]) -> Iterator[Word]:
        for formal in formals:
            for offset, width in sorted(parameters.words(self.function, formal)):
                yield formal, offset, width

    def _results(self) -> Iterator[Word]:
        return self._words(result.name for result in self.function.results)

    def _word(self, formal: str, offset: int, width: int) -> Register:
        return parameters.word(self.formals[formal], offset, width)

    def _result(self, formal: str, offset: int, width: int) -> Register:
        return self._register(f"{formal}+{offset}.{width}")

    def _register(self, name: str) -> Register:
        return Register(f"{name} of{self.suffix}")  # no name of PTX has a space

    def _label(self, name: str) -> str:
        return f"{name} of{self.suffix}"

    def _sites(self) -> list[RecursiveCall]:
        return list(self.sites.values())

    @property
    def _frame_bytes(self) -> int:
        return SLOT_BYTES * (1 + max(len(site.saved) for site in self.sites.values()))

    @property
    def _deepest(self) -> int:
        return max(1, min(DEEPEST, LOCAL_BYTES // (self._frame_bytes + sum(self.arrays.values()))))


def _instruction(opcode: str, modifier: str, *operands: Operand) -> Instruction:
    return Instruction(opcode, (modifier,), operands, None, 0)
