"""The state of a function's translation: its registers, and the lanes that are active."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from grader.ptxsim.analysis.divergence import Facts
from grader.ptxsim.analysis.lowering import MEMORY
from grader.ptxsim.analysis.registers import results
from grader.ptxsim.analysis.shape import LANES, UNIFORM, LaneShape
from grader.ptxsim.generate.emitter import BITS, Emitter, element_of, fresh_value, vector
from grader.ptxsim.generate.ir_text import Globals
from grader.ptxsim.generate.layout import Frame, Place, ProcessorState, SharedArray, Warp, offset
from grader.ptxsim.generate.values import (
    Base,
    Value,
    as_element,
    chosen,
    first_lane,
    integer,
    lanes,
    mask,
    negated,
    shaped,
)
from grader.ptxsim.records.lacks import Lack, UnsupportedError
from grader.ptxsim.syntax.records import Function, Instruction, Register, Symbol

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class PlacedKernel:
    """A kernel without calls, what is known of its instructions, and where its variables lie.

    `symbols` has the simulated address of each variable, `parameters` offsets into the launch's arguments. `pointing`
    names the shared variable that a register is likely to point into. The code of a `traced` kernel appends its
    accesses to a trace.
    """

    function: Function
    facts: Facts
    symbols: Mapping[str, int]
    parameters: Mapping[str, int]
    arrays: tuple[SharedArray, ...]
    local_bytes: int
    pointing: Mapping[str, str]
    traced: bool = False

    @property
    def reserved_bytes(self) -> int:
        """How many bytes at the beginning of shared memory are zero when a block starts."""
        return MEMORY.size if any(array.name == MEMORY.name for array in self.arrays) else 0

    @property
    def shared_bytes(self) -> int:
        return max((array.place + array.size for array in self.arrays), default=0)


@dataclass(slots=True)
class Numbered(Generic[Item]):
    """What the code refers to by numbers, from `first` on."""

    first: int = 0
    made: list[Item] = field(default_factory=list)

    def add(self, item: Item) -> int:
        """Add an item, and return its number."""
        self.made.append(item)
        return self.first + len(self.made) - 1


@dataclass(slots=True)
class RegisterValues:
    """The values of registers at this point, those that are not stored, and results of instructions by their number."""

    known: dict[str, Value] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    hoisted: dict[int, dict[str, Value]] = field(default_factory=dict)


@dataclass(slots=True)
class EntryValues:
    """What the beginning of a function makes once: its own memory, and fields of records.

    `alive` points to the mask of lanes that have not ended. It is empty in the function of a warp operation, which runs
    only when all lanes that it names are there.
    """

    alive: str = "%alive.at"
    temporaries: dict[str, tuple[str, int]] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Code:
    """A function during its translation to LLVM IR.

    `active` is the mask of lanes that run now. A warp that was left continues at one of the labels `resumes`.
    """

    kernel: PlacedKernel
    frame: Frame
    emitter: Emitter = field(default_factory=Emitter)
    globals: Globals = field(default_factory=Globals)
    places: Numbered[Place] = field(default_factory=Numbered)
    resumes: Numbered[str] = field(default_factory=Numbered)
    values: RegisterValues = field(default_factory=RegisterValues)
    entry: EntryValues = field(default_factory=EntryValues)
    active: str = ""
    may_diverge: bool = False
    block: int = 0
    instruction: Instruction | None = None

    # Registers

    def shape(self, name: str) -> LaneShape:
        return self.kernel.facts.shapes.get(name, UNIFORM)

    def register(self, name: str) -> Value:
        """Return the value of a register at this point."""
        value = self.values.known.get(name)
        if value is None:
            value = self.values.known[name] = self._loaded(name)
        return value

    def _loaded(self, name: str) -> Value:
        shape, element = self.shape(name), element_of(self.kernel.function.registers[name])
        slots = self.slots(name)
        if shape.is_varying:
            type_ = self.stored_type(name)
            return lanes(element, self.emitter.op(f"load {type_}, ptr {slots[0]}, align 4"))
        bases = tuple(Base(self.emitter.op(f"load {element}, ptr {slot}, align 4")) for slot in slots)
        return Value(element, bases, shape.offsets)

    def write(self, register: Register, value: Value) -> None:
        """Give a register a value, for the active lanes that the instruction's guard lets through."""
        name, shape = register.name, self.shape(register.name)
        value = shaped(
            self.emitter, as_element(self.emitter, value, element_of(self.kernel.function.registers[name])), shape
        )
        if name in self.values.known or name in self.frame.registers:  # else nothing reads what was there before
            if self.instruction and self.instruction.guard:
                value = chosen(self.emitter, self.guard_value(), value, self.register(name))
            if name in self.kernel.facts.blended.get(self.block, ()):
                value = chosen(self.emitter, lanes("i1", self.active), value, self.register(name))
        self.values.known[name] = value
        self.values.changed.add(name)

    def snapshot(self) -> tuple[dict[str, Value], set[str]]:
        """Return the known values of registers, to be restored later."""
        return dict(self.values.known), set(self.values.changed)

    def restore(self, saved: tuple[dict[str, Value], set[str]]) -> None:
        """Restore the known values of registers that `snapshot` has returned."""
        known, changed = saved
        self.values.known, self.values.changed = dict(known), set(changed)

    def hoist(self, number: int, instruction: Instruction) -> None:
        """Keep the results of an instruction of this block that was translated before its turn."""
        self.values.hoisted[number] = {
            register.name: self.values.known[register.name] for register in results(instruction)
        }

    def recall(self, number: int) -> None:
        """Take over the results of an instruction that was translated before its turn."""
        self.values.known.update(self.values.hoisted[number])
        self.values.changed.update(self.values.hoisted[number])

    def temporary(self, name: str, size: int) -> str:
        """Return the pointer to a piece of the function's own memory, which has a name and at least this size."""
        pointer, known = self.entry.temporaries.get(name, ("", 0))
        if known < size:
            pointer = self.emitter.at_entry(f"alloca [{size} x i8], align 64")
            self.entry.temporaries[name] = (pointer, size)
        return pointer

    def in_memory(self, name: str, element: str, value: str) -> str:
        """Return the pointer to a piece of the function's own memory, to which a vector of all lanes is stored."""
        pointer = self.temporary(name, LANES * max(8, BITS[element]) // 8)
        self.emitter.store(vector(element), value, pointer, 0, 64)
        return pointer

    def place_of(self, number: int) -> int:
        """Return the number of an instruction of this block."""
        self.instruction = self.kernel.facts.graph.blocks[self.block].instructions[number]
        return self.place()

    def guard_value(self) -> Value:
        """Return the predicate that guards the instruction."""
        guard = self.instruction.guard if self.instruction else None
        if guard is None:
            return integer("i1", 1)
        predicate = self.register(guard.register.name)
        return negated(self.emitter, predicate) if guard.negated else predicate

    def executing_lanes(self) -> str:
        """Return the mask of lanes that execute the instruction: active lanes whose guard holds."""
        guard = self.instruction.guard if self.instruction else None
        if guard is None:
            return self.active
        return self.emitter.op(f"and i32 {self.active}, {mask(self.emitter, self.guard_value())}")

    def flush(self, live: int | None = None) -> None:
        """Store what was written and is still needed, so that another block can load it."""
        numbers = self.kernel.facts.live.numbers
        for name in sorted(self.values.changed):
            if name in self.frame.registers and (live is None or live >> numbers[name] & 1):
                self._store(name, self.values.known[name])
        self.values.changed.clear()

    def _store(self, name: str, value: Value) -> None:
        slots = self.slots(name)
        if value.vector:
            self.emitter.do(f"store {self.stored_type(name)} {value.vector}, ptr {slots[0]}, align 4")
            return
        for group, slot in enumerate(slots):
            self.emitter.do(f"store {value.element} {first_lane(self.emitter, value, group)}, ptr {slot}, align 4")

    def forget(self) -> None:
        """Forget all registers: a block begins that may be entered from several others."""
        self.values.known.clear()
        self.values.changed.clear()

    def stored_type(self, name: str) -> str:
        """Return the LLVM type in which one part of a register is stored."""
        element = element_of(self.kernel.function.registers[name])
        if self.shape(name).is_varying:
            return "i32" if element == "i1" else vector(element)
        return element

    def slots(self, name: str) -> tuple[str, ...]:
        """Return where the parts of a register are stored."""
        return tuple(self.in_frame(place) for place in self.frame.registers[name])

    def in_frame(self, place: int) -> str:
        """Return the pointer to a place in the warp's record."""
        return self.emitter.pure(f"getelementptr i8, ptr %w, i64 {place}")

    def clear_frame(self) -> None:
        """Let no lane wait anywhere, and store the initial values of registers."""
        facts, frame = self.kernel.facts, self.frame
        if facts.regions:
            masks = f"ptr {self.in_frame(frame.mask(0))}, i8 0, i64 {frame.masks_end - frame.mask(0)}, i1 false"
            self.emitter.do(f"call void @llvm.memset.p0.i64({masks})")
        for name in facts.live.names(facts.live.live_in[0]):
            type_ = self.stored_type(name)
            for slot in self.slots(name):
                self.emitter.do(f"store {type_} {fresh_value(type_, traced=self.kernel.traced)}, ptr {slot}, align 4")

    def array_of(self, base: Register | Symbol | None) -> SharedArray | None:
        """Return the shared array that an address is likely to lie in; None if unknown."""
        if len(self.kernel.arrays) == 1:
            return self.kernel.arrays[0]
        name = base.name if isinstance(base, Symbol) else self.kernel.pointing.get(base.name) if base else None
        address = self.kernel.symbols.get(name or "", -1)
        return next(
            (array for array in self.kernel.arrays if array.address <= address < array.address + array.size), None
        )

    # Fields of the records that are shared with Python

    def processor(self, field_: str, type_: str) -> str:
        """Return a field of the processor's state, read at the function's beginning."""
        return self._field(ProcessorState, "%m", field_, type_)

    def warp(self, field_: str, type_: str) -> str:
        """Return a field of the warp, read at the function's beginning."""
        return self._field(Warp, "%w", field_, type_)

    def _field(self, record: type[ProcessorState] | type[Warp], pointer: str, field_: str, type_: str) -> str:
        key = f"{pointer}.{field_}.{type_}"
        value = self.entry.fields.get(key)
        if value is None:
            place = self.emitter.at_entry(f"getelementptr i8, ptr {pointer}, i64 {offset(record, field_)}")
            value = self.entry.fields[key] = self.emitter.at_entry(f"load {type_}, ptr {place}")
        return value

    def set_warp(self, field_: str, value: str) -> None:
        """Write a number of 32 bits to a field of the warp."""
        self.emitter.store("i32", value, "%w", offset(Warp, field_), 4)

    def place(self, line: int | None = None) -> int:
        """Return the number of the instruction that is being translated."""
        instruction = self.instruction
        name, own, block = (instruction.name, instruction.line, self.block) if instruction else ("", 0, -1)
        return self.places.add(Place(name, own if line is None else line, block, instruction))

    def unsupported(self, lack: Lack = Lack.INSTRUCTION, name: str = "") -> UnsupportedError:
        """Return the error that names the instruction, or what of it the simulator lacks."""
        instruction = self.instruction
        if instruction is None:
            return UnsupportedError(Lack.NO_INSTRUCTION)
        if lack is Lack.INSTRUCTION:
            return UnsupportedError(lack, instruction.line, name=instruction.name)
        return UnsupportedError(lack, instruction.line, name=name, of=instruction.name)


Translate = Callable[[Code, Instruction], None]  # writes the code of an instruction
