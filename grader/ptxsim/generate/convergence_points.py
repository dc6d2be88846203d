"""Warp operations in general code: lanes that name the same mask wait for each other wherever they are (PTX ISA).

All places of an operation have their operands in common registers (`generate/shared_operands.py`), which lie in the
warp's record. One function for each operation decides which lanes need not wait any more, and computes the results of
these lanes. Each place lets go those that wait there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.control import Flow
from grader.ptxsim.generate.frame import SavedState
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.shared_operands import place_of, registers_of
from grader.ptxsim.generate.traced_instructions import append_warp_operation
from grader.ptxsim.generate.traces import MOST_PLACES
from grader.ptxsim.generate.translation import translate
from grader.ptxsim.generate.values import integer, spread
from grader.ptxsim.generate.warps import members
from grader.ptxsim.syntax.records import Instruction, Operand


@dataclass(frozen=True, slots=True)
class ConvergencePoint:
    """An operation: its function, and where the lanes are kept that wait for others, and those that need not any more.

    The latter may be in another place, which has not run since.
    """

    function: str
    waiting: str
    released: str


class ConvergencePoints:
    """The blocks that consist of a warp operation with a mask."""

    def __init__(self, code: Code, flow: Flow, stops: Mapping[int, Instruction], slot: Callable[[], str]) -> None:
        self.code, self.flow = code, flow
        self.masks = {number: operand for number, stop in stops.items() if (operand := members(stop)) is not None}
        self.stops = {number: stops[number] for number in self.masks}
        first = {stop.name: number for number, stop in reversed(self.stops.items())}
        code.keep(name for number in first.values() for name, _ in registers_of(self.stops[number]))
        self.points = {name: ConvergencePoint(self._function(number), slot(), slot()) for name, number in first.items()}

    def kept(self) -> list[str]:
        """Return what has to outlive a step."""
        return [slot for point in self.points.values() for slot in (point.waiting, point.released)]

    def ready(self, number: int, lanes: str, alive: str) -> str:
        """Return whether any of the lanes here go on. Lanes elsewhere may be released, too."""
        emitter, stop = self.code.emitter, self.stops[number]
        point = self.points[stop.name]
        released = emitter.op(f"load i32, ptr {point.released}")
        here = self._without(lanes, released)
        masks = f"ptr {point.waiting}, i32 {here}, i32 {alive}"
        going = emitter.op(f"call i32 {point.function}(ptr %m, ptr %w, {masks})")
        if self.code.kernel.traced:
            self._append(number, here, going)
        now = emitter.op(f"or i32 {released}, {going}")
        emitter.do(f"store i32 {now}, ptr {point.released}")
        return emitter.op(f"icmp ne i32 {emitter.op(f'and i32 {lanes}, {now}')}, 0")

    def leave_behind(self, number: int, lanes: str) -> str:
        """Return the lanes that go on; the others wait again."""
        emitter, point = self.code.emitter, self.points[self.stops[number].name]
        released = emitter.op(f"load i32, ptr {point.released}")
        going = emitter.op(f"and i32 {lanes}, {released}")
        emitter.do(f"store i32 {self._without(released, going)}, ptr {point.released}")
        emitter.do(f"store i32 {self._without(lanes, going)}, ptr {self.flow.slot(number)}")
        return going

    def _append(self, number: int, here: str, going: str) -> None:
        """Append one event for all lanes that go on, in any place, with the place of each."""
        code, stop = self.code, self.stops[number]
        code.forget()
        code.block, code.active, code.instruction = number, here, stop
        place = code.place() + 1
        code.write(place_of(stop), integer("i32", place if place < MOST_PLACES else 0))
        code.flush()
        code.active = going
        append_warp_operation(code, stop, spread(code.emitter, read(code, place_of(stop), "b32")))
        code.forget()

    def _without(self, lanes: str, others: str) -> str:
        emitter = self.code.emitter
        return emitter.op(f"and i32 {lanes}, {emitter.op(f'xor i32 {others}, -1')}")

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
        emitter=whole.emitter.sibling(),
        globals=whole.globals,
        saved=SavedState(registers=whole.saved.registers),
        block=number,
        instruction=operation,
        active="%going",
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
