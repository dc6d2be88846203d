"""The state of a function's translation: its registers, and the lanes that are active."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.ptxsim.analysis.divergence import Facts, read_before_written
from grader.ptxsim.analysis.registers import results
from grader.ptxsim.analysis.shape import UNIFORM, LaneShape
from grader.ptxsim.generate.emitter import Emitter, element_of, fresh_value, vector
from grader.ptxsim.generate.frame import Frame
from grader.ptxsim.generate.layout import SAVED, Place, ProcessorState, SharedArray, Warp, offset
from grader.ptxsim.generate.module_globals import Globals
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
from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.errors import UnsupportedError
from grader.ptxsim.syntax.records import Instruction, Register, Symbol


@dataclass(slots=True)
class Code:
    """A function during its translation to LLVM IR. `symbols` gives the simulated address of each variable.

    `pointing` names the shared variable that a register is likely to point into. `kept` are the places of registers
    in the warp's record; all others are variables of the function.
    """

    facts: Facts
    types: Mapping[str, str]
    symbols: Mapping[str, int]
    arrays: tuple[SharedArray, ...]
    pointing: Mapping[str, str]
    emitter: Emitter = field(default_factory=Emitter)
    places: list[Place] = field(default_factory=list)
    first_place: int = 0
    active: str = ""
    alive: str = ""
    may_diverge: bool = False
    all_members_are_here: bool = False  # lanes that a warp operation names, if they have not ended
    globals: Globals = field(default_factory=Globals)
    block: int = 0
    instruction: Instruction | None = None
    saved_bytes: int = 0
    frame: Frame | None = None
    kept: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    kept_end: int = SAVED
    first_resume: int = 0
    resumes: list[str] = field(default_factory=list)
    hoisted: dict[int, dict[str, Value]] = field(default_factory=dict)
    _temporaries: dict[str, tuple[str, int]] = field(default_factory=dict)
    parameters: Mapping[str, int] = field(default_factory=dict)
    traced: bool = False
    _known: dict[str, Value] = field(default_factory=dict)
    _changed: set[str] = field(default_factory=set)
    _stored: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _fields: dict[str, str] = field(default_factory=dict)
    _needs_fresh: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self._needs_fresh = read_before_written(self.facts)

    # Registers

    def shape(self, name: str) -> LaneShape:
        return self.facts.shapes.get(name, UNIFORM)

    def register(self, name: str) -> Value:
        """Return the value of a register at this point."""
        value = self._known.get(name)
        if value is None:
            value = self._known[name] = self._loaded(name)
        return value

    def _loaded(self, name: str) -> Value:
        shape, element = self.shape(name), element_of(self.types[name])
        slots = self.slots(name)
        if shape.is_varying:
            type_ = self.stored_type(name)
            return lanes(element, self.emitter.op(f"load {type_}, ptr {slots[0]}, align 4"))
        bases = tuple(Base(self.emitter.op(f"load {element}, ptr {slot}, align 4")) for slot in slots)
        return Value(element, bases, shape.offsets)

    def write(self, register: Register, value: Value) -> None:
        """Give a register a value, for the active lanes that the instruction's guard lets through."""
        name, shape = register.name, self.shape(register.name)
        value = shaped(self.emitter, as_element(self.emitter, value, element_of(self.types[name])), shape)
        guard = self.instruction.guard if self.instruction else None
        if guard is not None:
            condition = self.guard_value()
            value = chosen(self.emitter, condition, value, self.register(name))
        if name in self.facts.blended.get(self.block, ()):
            value = chosen(self.emitter, lanes("i1", self.active), value, self.register(name))
        self._known[name] = value
        self._changed.add(name)

    def snapshot(self) -> tuple[dict[str, Value], set[str]]:
        """Return the known values of registers, to be restored later."""
        return dict(self._known), set(self._changed)

    def restore(self, saved: tuple[dict[str, Value], set[str]]) -> None:
        """Restore the known values of registers that `snapshot` has returned."""
        known, changed = saved
        self._known, self._changed = dict(known), set(changed)

    def hoist(self, number: int, instruction: Instruction) -> None:
        """Keep the results of an instruction of this block that was translated before its turn."""
        self.hoisted[number] = {register.name: self._known[register.name] for register in results(instruction)}

    def recall(self, number: int) -> None:
        """Take over the results of an instruction that was translated before its turn."""
        self._known.update(self.hoisted[number])
        self._changed.update(self.hoisted[number])

    def temporary(self, name: str, size: int) -> str:
        """Return the pointer to a piece of the function's own memory, which has a name and at least this size."""
        pointer, known = self._temporaries.get(name, ("", 0))
        if known < size:
            pointer = self.emitter.at_entry(f"alloca [{size} x i8], align 64")
            self._temporaries[name] = (pointer, size)
        return pointer

    def place_of(self, number: int) -> int:
        """Return the number of an instruction of this block."""
        self.instruction = self.facts.graph.blocks[self.block].instructions[number]
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
        numbers = self.facts.live.numbers
        for name in sorted(self._changed):
            if live is None or live >> numbers[name] & 1:
                self._store(name, self._known[name])
        self._changed.clear()

    def _store(self, name: str, value: Value) -> None:
        slots = self.slots(name)
        if value.vector:
            self.emitter.do(f"store {self.stored_type(name)} {value.vector}, ptr {slots[0]}, align 4")
            return
        for group, slot in enumerate(slots):
            self.emitter.do(f"store {value.element} {first_lane(self.emitter, value, group)}, ptr {slot}, align 4")

    def forget(self) -> None:
        """Forget all registers: a block begins that may be entered from several others."""
        self._known.clear()
        self._changed.clear()

    def stored_type(self, name: str) -> str:
        """Return the LLVM type in which one part of a register is stored."""
        element = element_of(self.types[name])
        if self.shape(name).is_varying:
            return "i32" if element == "i1" else vector(element)
        return element

    def slots(self, name: str) -> tuple[str, ...]:
        """Return where the parts of a register are stored."""
        if name in self.kept:
            return tuple(self.in_frame(place) for place in self.kept[name])
        stored = self._stored.get(name)
        if stored is None:
            type_ = self.stored_type(name)
            count = max(1, self.shape(name).groups)
            stored = tuple(self.emitter.at_entry(f"alloca {type_}") for _ in range(count))
            if name in self._needs_fresh:
                for slot in stored:
                    self.emitter.entry.append(f"  store {type_} {fresh_value(type_, traced=self.traced)}, ptr {slot}")
            self._stored[name] = stored
        return stored

    def in_frame(self, place: int) -> str:
        """Return the pointer to a place in the warp's record."""
        return self.emitter.pure(f"getelementptr i8, ptr %w, i64 {place}")

    def fresh(self, name: str) -> None:
        """Store the initial value of a register."""
        type_ = self.stored_type(name)
        for slot in self.slots(name):
            self.emitter.do(f"store {type_} {fresh_value(type_, traced=self.traced)}, ptr {slot}, align 4")

    def array_of(self, base: Register | Symbol | None) -> SharedArray | None:
        """Return the shared array that an address is likely to lie in; None if unknown."""
        if len(self.arrays) == 1:
            return self.arrays[0]
        name = base.name if isinstance(base, Symbol) else self.pointing.get(base.name) if base else None
        address = self.symbols.get(name or "", -1)
        return next((array for array in self.arrays if array.address <= address < array.address + array.size), None)

    # Fields of the records that are shared with Python

    def processor(self, field_: str, type_: str) -> str:
        """Return a field of the processor's state, read at the function's beginning."""
        return self._field(ProcessorState, "%m", field_, type_)

    def warp(self, field_: str, type_: str) -> str:
        """Return a field of the warp, read at the function's beginning."""
        return self._field(Warp, "%w", field_, type_)

    def _field(self, record: type[ProcessorState] | type[Warp], pointer: str, field_: str, type_: str) -> str:
        key = f"{pointer}.{field_}.{type_}"
        value = self._fields.get(key)
        if value is None:
            place = self.emitter.at_entry(f"getelementptr i8, ptr {pointer}, i64 {offset(record, field_)}")
            value = self._fields[key] = self.emitter.at_entry(f"load {type_}, ptr {place}")
        return value

    def set_warp(self, field_: str, type_: str, value: str) -> None:
        """Write a field of the warp."""
        self.emitter.store(type_, value, "%w", offset(Warp, field_), 4)

    def place(self, line: int | None = None) -> int:
        """Return the number of the instruction that is being translated."""
        instruction = self.instruction
        name, own, block = (instruction.name, instruction.line, self.block) if instruction else ("", 0, -1)
        self.places.append(Place(name, own if line is None else line, block, instruction))
        return self.first_place + len(self.places) - 1

    def unsupported(self, lack: Lack = Lack.INSTRUCTION, name: str = "") -> UnsupportedError:
        """Return the error that names the instruction, or what of it the simulator lacks."""
        instruction = self.instruction
        if instruction is None:
            return UnsupportedError(Lack.NO_INSTRUCTION)
        if lack is Lack.INSTRUCTION:
            return UnsupportedError(lack, instruction.line, name=instruction.name)
        return UnsupportedError(lack, instruction.line, name=name, of=instruction.name)
