"""The state of a function's translation: its registers, the lanes that are active, and how it is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from grader.worker.ptx.analysis.divergence import Facts
from grader.worker.ptx.analysis.registers import results
from grader.worker.ptx.analysis.shape import UNIFORM, Shape
from grader.worker.ptx.analysis.shapes import fitting, result_shape
from grader.worker.ptx.engine.layout import Kind as FaultKind
from grader.worker.ptx.engine.layout import Machine, Status, Warp, offset
from grader.worker.ptx.errors import UnsupportedError
from grader.worker.ptx.generate.emitter import Emitter, vector
from grader.worker.ptx.generate.values import (
    Base,
    Kind,
    Value,
    as_element,
    chosen,
    first_lane,
    integer,
    lanes,
    mask,
    real,
    scalar,
    shaped,
    split,
    spread,
)
from grader.worker.ptx.syntax.records import Instruction, Integer, Negated, Operand, Real, Register, Special, Symbol
from grader.worker.ptx.syntax.types import WIDTHS

Make = Callable[[Emitter, Kind, Sequence[str]], str]

ELEMENTS = {"f32": "float", "f64": "double", "pred": "i1", "tf32": "i32"}


def element_of(type_: str) -> str:
    """Return the LLVM type of a register of a PTX type. Narrow floating-point numbers are kept as their bits."""
    return ELEMENTS.get(type_) or f"i{max(8, WIDTHS[type_])}"


@dataclass(frozen=True, slots=True)
class Place:
    """What generated code names by a number: the instruction it was in, and the student's line."""

    instruction: str
    line: int


@dataclass(slots=True)
class Code:
    """A function on its way to LLVM IR. `symbols` gives the simulated address of each variable."""

    facts: Facts
    types: Mapping[str, str]
    symbols: Mapping[str, int]
    shared_bytes: int
    emitter: Emitter = field(default_factory=Emitter)
    places: list[Place] = field(default_factory=list)
    active: str = ""
    alive: str = ""
    may_part: bool = False
    functions: dict[str, str] = field(default_factory=dict)
    block: int = 0
    instruction: Instruction | None = None
    tables: list[str] = field(default_factory=list)
    saved_bytes: int = 0
    resumes: list[str] = field(default_factory=list)
    hoisted: dict[int, dict[str, Value]] = field(default_factory=dict)
    movers: set[tuple[int, int, bool]] = field(default_factory=set)
    byte_tables: dict[tuple[int, ...], str] = field(default_factory=dict)
    offset_tables: dict[tuple[int, ...], str] = field(default_factory=dict)
    _temporaries: dict[str, tuple[str, int]] = field(default_factory=dict)
    parameters: Mapping[str, int] = field(default_factory=dict)
    _known: dict[str, Value] = field(default_factory=dict)
    _changed: set[str] = field(default_factory=set)
    _stored: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _fields: dict[str, str] = field(default_factory=dict)

    # Registers

    def shape(self, name: str) -> Shape:
        return self.facts.shapes.get(name, UNIFORM)

    def read(self, operand: Operand, type_: str) -> Value:
        """Return a source as a value of a PTX type."""
        element = element_of(type_)
        match operand:
            case Register(name):
                return as_element(self.emitter, self.register(name), element)
            case Integer(value):
                if element in {"float", "double"}:
                    return scalar(element, real(value & ((1 << WIDTHS[type_]) - 1), WIDTHS[type_]))
                return integer(element, value)
            case Real(bits, width):
                return self._real(bits, width, type_)
            case Negated(register):
                return negated(self.emitter, self.register(register.name))
            case Symbol(name, added) if name in self.symbols:
                return integer(element, self.symbols[name] + added)
            case Special(name):
                from grader.worker.ptx.generate.specials import special

                return as_element(self.emitter, special(self, name), element)
            case _:
                raise self.unsupported("an operand")

    def _real(self, bits: int, width: int, type_: str) -> Value:
        if type_ == "f32" and width == 64:
            import struct

            value = struct.unpack("<d", bits.to_bytes(8, "little"))[0]
            bits, width = int.from_bytes(struct.pack("<f", value), "little"), 32
        element = "float" if width == 32 else "double"
        if element_of(type_) == element:
            return scalar(element, real(bits, width))
        return integer(element_of(type_), bits)

    def register(self, name: str) -> Value:
        """Return what a register holds here."""
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._loaded(name)
        return found

    def _loaded(self, name: str) -> Value:
        shape, element = self.shape(name), element_of(self.types[name])
        slots = self._slots(name)
        if shape.is_varying:
            type_ = self.stored_type(name)
            return lanes(element, self.emitter.op(f"load {type_}, ptr {slots[0]}"))
        bases = tuple(Base(self.emitter.op(f"load {element}, ptr {slot}")) for slot in slots)
        return Value(element, bases, shape.offsets)

    def write(self, register: Register, value: Value) -> None:
        """Give a register a value, for the active lanes that the instruction's guard lets through."""
        name = register.name
        shape = self.shape(name)
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
        """Return what is known of registers here."""
        return dict(self._known), set(self._changed)

    def restore(self, saved: tuple[dict[str, Value], set[str]]) -> None:
        """Know of registers what was known then, and besides what has only been loaded since."""
        known, changed = saved
        self._known, self._changed = dict(known), set(changed)

    def hoist(self, number: int, instruction: Instruction) -> None:
        """Translate an instruction of the block before its turn."""
        from grader.worker.ptx.generate.families import translate

        translate(self, instruction)
        self.hoisted[number] = {register.name: self._known[register.name] for register in results(instruction)}

    def recall(self, number: int) -> None:
        """Take over the results of an instruction that was translated before its turn."""
        self._known.update(self.hoisted[number])
        self._changed.update(self.hoisted[number])

    def temporary(self, name: str, size: int) -> str:
        """Return the pointer to memory of the function's own, at least so large."""
        found, known = self._temporaries.get(name, ("", 0))
        if known < size:
            found = self.emitter.at_entry(f"alloca [{size} x i8], align 64")
            self._temporaries[name] = (found, size)
        return found

    def mover(self, size: int, count: int, *, write: bool) -> str:
        """Return the name of the function that accesses memory lane by lane."""
        self.movers.add((size, count, write))
        return f"{'scatter' if write else 'gather'}_{size}_{count}"

    def offsets_table(self, offsets: Sequence[int]) -> str:
        """Return the name of a table of the lanes' offsets."""
        key = tuple(offsets)
        found = self.offset_tables.get(key)
        if found is None:
            found = self.offset_tables[key] = f"@offsets{len(self.offset_tables)}"
        return found

    def byte_table(self, places: Sequence[int]) -> str:
        """Return the name of a table of places, in bytes."""
        key = tuple(places)
        found = self.byte_tables.get(key)
        if found is None:
            found = self.byte_tables[key] = f"@places{len(self.byte_tables)}"
            listing = ", ".join(f"i16 {place}" for place in key)
            self.tables.append(f"{found} = internal constant [{len(key)} x i16] [{listing}]")
        return found

    def place_of(self, number: int) -> int:
        """Return the number that stands for an instruction of this block."""
        self.instruction = self.facts.graph.blocks[self.block].instructions[number]
        return self.place()

    def guard_value(self) -> Value:
        """Return the predicate in front of the instruction."""
        guard = self.instruction.guard if self.instruction else None
        if guard is None:
            return integer("i1", 1)
        found = self.register(guard.register.name)
        return negated(self.emitter, found) if guard.negated else found

    def lanes_that_act(self) -> str:
        """Return the mask of lanes that carry the instruction out."""
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
        slots = self._slots(name)
        if value.vector:
            self.emitter.do(f"store {self.stored_type(name)} {value.vector}, ptr {slots[0]}")
            return
        for group, slot in enumerate(slots):
            self.emitter.do(f"store {value.element} {first_lane(self.emitter, value, group)}, ptr {slot}")

    def forget(self) -> None:
        """Know nothing of registers: a block begins that may be entered from several others."""
        self._known.clear()
        self._changed.clear()

    def stored_type(self, name: str) -> str:
        """Return the LLVM type in which one part of a register is stored."""
        element = element_of(self.types[name])
        if self.shape(name).is_varying:
            return "i32" if element == "i1" else vector(element)
        return element

    def _slots(self, name: str) -> tuple[str, ...]:
        found = self._stored.get(name)
        if found is None:
            type_ = self.stored_type(name)
            count = max(1, self.shape(name).groups)
            found = tuple(self.emitter.at_entry(f"alloca {type_}") for _ in range(count))
            for slot in found:
                self.emitter.entry.append(f"  store {type_} {_fresh(type_)}, ptr {slot}")
            self._stored[name] = found
        return found

    def slots(self, name: str) -> tuple[str, ...]:
        """Return where the parts of a register are stored."""
        return self._slots(name)

    # Fields of the records that are shared with Python

    def machine(self, field_: str, type_: str) -> str:
        """Return a field of the machine, read at the function's beginning."""
        return self._field(Machine, "%m", field_, type_)

    def warp(self, field_: str, type_: str) -> str:
        """Return a field of the warp, read at the function's beginning."""
        return self._field(Warp, "%w", field_, type_)

    def _field(self, record: type[Machine] | type[Warp], pointer: str, field_: str, type_: str) -> str:
        key = f"{pointer}.{field_}.{type_}"
        found = self._fields.get(key)
        if found is None:
            place = self.emitter.at_entry(f"getelementptr i8, ptr {pointer}, i64 {offset(record, field_)}")
            found = self._fields[key] = self.emitter.at_entry(f"load {type_}, ptr {place}")
        return found

    def set_warp(self, field_: str, type_: str, value: str) -> None:
        """Write a field of the warp."""
        self.emitter.store(type_, value, "%w", offset(Warp, field_), 4)

    # Operations

    def result_shape(self) -> Shape:
        """Return the shape of what the instruction computes."""
        if self.instruction is None:
            raise ValueError("no instruction")
        return result_shape(self.instruction, self.facts.shapes, self.facts.geometry)

    def compute(self, element: str, sources: Sequence[Value], make: Make, *, to: str = "") -> Value:
        """Carry out an operation on scalars of groups where that suffices, otherwise on all lanes.

        `element` is the type that it works on, `to` that of its result where that is another.
        """
        target = to or element
        shape = fitting(self.result_shape(), {"float": "f32", "double": "f64", "i1": "pred"}.get(target, "b32"))
        if shape.is_varying or any(source.vector for source in sources):
            names = [spread(self.emitter, source) for source in sources]
            return lanes(target, make(self.emitter, Kind(element, is_vector=True), names))
        parts = [split(source, shape.groups) for source in sources]
        bases = []
        for group in range(shape.groups):
            names = [first_lane(self.emitter, part, group) for part in parts]
            bases.append(Base(make(self.emitter, Kind(element, is_vector=False), names)))
        return Value(target, tuple(bases), shape.offsets)

    # Ways out

    def place(self, line: int | None = None) -> int:
        """Return the number of the instruction that is being translated."""
        instruction = self.instruction
        name = instruction.name if instruction else ""
        self.places.append(Place(name, line if line is not None else (instruction.line if instruction else 0)))
        return len(self.places) - 1

    def require(self, condition: str) -> None:
        """Go on only where a condition holds that the fast code takes for granted."""
        self.may_part = True
        label = self.emitter.new_label("holds")
        self.emitter.do(f"br i1 {condition}, label %{label}, label %parted, !prof !0")
        self.emitter.inner_label(label)

    def succeed(self, condition: str) -> None:
        """Go on only where a call has not left a fault."""
        label = self.emitter.new_label("went")
        self.emitter.do(f"br i1 {condition}, label %{label}, label %fault, !prof !0")
        self.emitter.inner_label(label)

    def leave(self, status: Status) -> None:
        """Return to whoever runs the warp."""
        self.emitter.do(f"ret i32 {int(status)}")

    def fail(self, kind: FaultKind, lanes_: str) -> None:
        """Leave a fault of some lanes, and return."""
        where = self.place()
        self.emitter.do(f"call void @leave_fault(ptr %m, ptr %w, i32 {int(kind)}, i32 {where}, i32 {lanes_})")
        self.emitter.do("br label %fault")

    def unsupported(self, what: str = "") -> UnsupportedError:
        """Return the error that names the instruction."""
        instruction = self.instruction
        name = instruction.name if instruction else "an instruction"
        return UnsupportedError(f"{what} of {name}" if what else name, instruction.line if instruction else 0)


def _fresh(type_: str) -> str:
    """Return what a register holds before anything is written to it: a NaN, or all ones, so that its use shows."""
    element = type_.rpartition(" x ")[2].rstrip(">")
    nan = "0x7FF8000000000000" if element in {"float", "double"} else "-1"
    if type_ == "i1":
        return "false"
    return f"splat ({element} {nan})" if type_.startswith("<") else nan


def negated(emitter: Emitter, value: Value) -> Value:
    """Return the opposite of a predicate."""
    if value.vector:
        return lanes("i1", emitter.pure(f"xor i32 {value.vector}, -1"))
    if not value.bases[0].root:
        return integer("i1", 1 - (value.bases[0].added & 1))
    return scalar("i1", emitter.pure(f"xor i1 {value.bases[0].root}, true"))
