"""Warp operations in general code: lanes that name the same mask wait for each other wherever they are (PTX ISA).

A kernel may contain one operation, such as `shfl.sync.bfly.b32`, in several places, which have their operands in common
registers of the warp's record: before the operation, lanes copy what they give to it to these registers, and after it
what they get from others. An operand that is the same number in all places stays where it is. One function for each
operation decides which lanes need not wait any more, and computes the results of these lanes. Each place lets go those
that wait there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.ptxsim.analysis.graph import Graph
from grader.ptxsim.analysis.registers import has_result
from grader.ptxsim.generate.code import Code, EntryValues
from grader.ptxsim.generate.control import Flow
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.layout import KeptMask
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.traced_instructions import append_warp_operation
from grader.ptxsim.generate.traces import MOST_PLACES
from grader.ptxsim.generate.translation import translate
from grader.ptxsim.generate.values import integer, spread
from grader.ptxsim.generate.warps import members
from grader.ptxsim.syntax.records import Instruction, Integer, Operand, Pair, Register, types_of

_PAIRS = frozenset({"shfl", "match", "elect"})  # they have a number and a predicate as results


@dataclass(frozen=True, slots=True)
class ConvergencePoint:
    """An operation: its function, and where a warp's record has the lanes that wait for others, and that need not.

    The latter may be in another place, which has not run since.
    """

    function: str
    waiting: int
    released: int


class ConvergencePoints:
    """The blocks that consist of a warp operation with a mask."""

    def __init__(self, code: Code, flow: Flow, stops: Mapping[int, Instruction]) -> None:
        self.code, self.flow = code, flow
        self.masks = {number: operand for number, stop in stops.items() if (operand := members(stop)) is not None}
        self.stops = {number: stops[number] for number in self.masks}
        first = {stop.name: number for number, stop in reversed(self.stops.items())}
        self.points = {name: self._point(number) for name, number in first.items()}

    def _point(self, number: int) -> ConvergencePoint:
        kept = (self.code.frame.mask(number, kind) for kind in (KeptMask.WITHOUT_OTHERS, KeptMask.RELEASED))
        return ConvergencePoint(self._function(number), *kept)

    def ready(self, number: int, lanes: str, alive: str) -> str:
        """Return whether any of the lanes here go on. Lanes elsewhere may be released, too."""
        emitter, stop = self.code.emitter, self.stops[number]
        point = self.points[stop.name]
        released = emitter.load("i32", "%w", point.released, 4)
        here = emitter.without(lanes, released)
        masks = f"ptr {self.code.in_frame(point.waiting)}, i32 {here}, i32 {alive}"
        going = emitter.op(f"call i32 {point.function}(ptr %m, ptr %w, {masks})")
        if self.code.kernel.traced:
            self._append(number, here, going)
        now = emitter.op(f"or i32 {released}, {going}")
        emitter.store("i32", now, "%w", point.released, 4)
        return emitter.op(f"icmp ne i32 {emitter.op(f'and i32 {lanes}, {now}')}, 0")

    def leave_behind(self, number: int, lanes: str) -> str:
        """Return the lanes that go on; the others wait again."""
        emitter, point = self.code.emitter, self.points[self.stops[number].name]
        released = emitter.load("i32", "%w", point.released, 4)
        going = emitter.op(f"and i32 {lanes}, {released}")
        emitter.store("i32", emitter.without(released, going), "%w", point.released, 4)
        emitter.do(f"store i32 {emitter.without(lanes, going)}, ptr {self.flow.slot(number)}")
        return going

    def _append(self, number: int, here: str, going: str) -> None:
        """Append one event for all lanes that go on, in any place, with the place of each."""
        code, stop = self.code, self.stops[number]
        code.forget()
        code.block, code.active, code.instruction = number, here, stop
        place = code.place() + 1
        code.write(_place_of(stop), integer("i32", place if place < MOST_PLACES else 0))
        code.flush()
        code.active = going
        append_warp_operation(code, stop, spread(code.emitter, read(code, _place_of(stop), "b32")))
        code.forget()

    def _function(self, number: int) -> str:
        """Write the function of an operation, and return its name."""
        functions, operation = self.code.globals.functions, self.stops[number]
        functions["together"] = ir_text("together")
        name = f"meet{len(functions)}"
        functions[name] = _text(_code(self.code, number, operation), name, self.masks[number], operation)
        return f"@{name}"


def _code(whole: Code, number: int, operation: Instruction) -> Code:
    """Return the state of the translation of an operation in a function of its own."""
    return Code(
        whole.kernel,
        whole.frame,
        emitter=whole.emitter.sibling(),
        globals=whole.globals,
        block=number,
        instruction=operation,
        active="%going",
        entry=EntryValues(alive=""),
    )


def _text(code: Code, name: str, operand: Operand, operation: Instruction) -> str:
    """Return the function of an operation, of which one operand has the masks."""
    emitter = code.emitter
    masks = spread(emitter, read(code, operand, "b32"))
    before, emitter.lines = emitter.lines, []
    emitter.label("results")
    code.forget()
    translate(code, operation)
    code.flush()
    text = {"before": [*emitter.entry, *before], "results": emitter.lines}
    return ir_text("meet", name=name, masks=masks, **{part: "\n".join(lines) for part, lines in text.items()})


def with_shared_operands(graph: Graph, registers: Mapping[str, str]) -> tuple[Graph, dict[str, str]]:
    """Return a graph whose warp operations have common registers, and all registers with their types."""
    shared = _shared(graph)
    blocks = []
    for block in graph.blocks:
        pieces = [_with_copies(instruction, shared) for instruction in block.instructions]
        blocks.append(replace(block, instructions=tuple(one for piece in pieces for one in piece)))
    common = {name: type_ for operation in shared.values() for name, type_ in _registers_of(operation)}
    return Graph(tuple(blocks)), {**registers, **common}


def _registers_of(operation: Instruction) -> Iterator[tuple[str, str]]:
    """Yield the name and the type of each common register of an operation."""
    for number, operand in enumerate(operation.operands):
        match operand:
            case Register(name):
                yield name, _type(operation, number)
            case Pair(Register(first), Register(second)):
                yield first, "b32"
                yield second, "pred"
    yield _place_of(operation).name, "b32"


def _place_of(operation: Instruction) -> Register:
    """Return the register in which traced code keeps at which place each lane is: its number plus one, 0 if unknown."""
    return Register(f"{operation.name} place")


def _shared(graph: Graph) -> dict[str, Instruction]:
    """Return each warp operation with common registers, by its name."""
    places: dict[str, list[Instruction]] = defaultdict(list)
    for instruction in graph.instructions:
        if members(instruction) is not None:
            places[instruction.name].append(instruction)
    return {name: replace(own[0], operands=tuple(_operands(own))) for name, own in places.items()}


def _operands(places: Sequence[Instruction]) -> Iterator[Operand]:
    first = places[0]
    for number, (one, *others) in enumerate(zip(*(place.operands for place in places), strict=True)):
        register = Register(f"{first.name} {number}")
        if number == 0 and has_result(first):
            is_pair = first.opcode in _PAIRS
            yield Pair(register, Register(f"{register.name} holds")) if is_pair else register
        else:
            yield one if isinstance(one, Integer) and all(one == other for other in others) else register


def _with_copies(own: Instruction, shared: Mapping[str, Instruction]) -> Iterator[Instruction]:
    """Yield an instruction with common registers, between the copies to and from them."""
    if members(own) is None:
        yield own
        return
    operation, after = shared[own.name], []
    for number, (operand, common) in enumerate(zip(own.operands, operation.operands, strict=True)):
        if number == 0 and has_result(own):
            after = list(_copies_of_results(own, operand, common, _type(operation, 0)))
        elif operand != common:
            yield _copy(own, _type(operation, number), common, operand)
    yield replace(own, operands=operation.operands)
    yield from after


def _copies_of_results(own: Instruction, wanted: Operand, common: Operand, type_: str) -> Iterator[Instruction]:
    targets = (wanted.first, wanted.second) if isinstance(wanted, Pair) else (wanted, None)
    sources = (common.first, common.second) if isinstance(common, Pair) else (common, None)
    for target, source, kind in zip(targets, sources, (type_, "pred"), strict=True):
        if isinstance(target, Register) and source is not None:
            yield _copy(own, kind, target, source)


def _copy(own: Instruction, type_: str, target: Operand, source: Operand) -> Instruction:
    return Instruction("mov", (type_,), (target, source), None, own.line)


def _type(operation: Instruction, number: int) -> str:
    """Return the type of an operand; of a pair, that of the number."""
    if operation.opcode == "vote" and (number == 1 or (number == 0 and "ballot" not in operation.modifiers)):
        return "pred"
    return types_of(operation)[-1] if operation.opcode == "match" and number == 1 else "b32"
