"""Operations on the values of all lanes, or on one scalar for each group of lanes where that suffices.

A formula says what to compute from the names of values in LLVM IR; with `Writer`, each of its steps is a short call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from grader.ptxsim.analysis.shape import LaneShape
from grader.ptxsim.analysis.shapes import fitting
from grader.ptxsim.analysis.shapes import result_shape as shape_of
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import Emitter, element_of, vector
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.values import Base, LaneType, Value, first_lane, lanes, split, spread
from grader.ptxsim.syntax.records import Instruction, Pair, Register

Term: TypeAlias = str | float  # the name of a value, or a number
Formula: TypeAlias = Callable[..., str]  # of a writer and the names of the sources; returns the name of the result


class Writer:
    """Writes operations on values of one type, so that each step of a formula is one short call."""

    def __init__(self, emitter: Emitter, kind: LaneType) -> None:
        self.emitter = emitter
        self.kind = kind

    def of(self, element: str) -> Writer:
        """Return the writer of operations on as many lanes of another type."""
        return Writer(self.emitter, self.kind.of(element))

    def op(self, text: str, *names: Term) -> str:
        """Return the result of an operation on values and numbers."""
        return self.emitter.pure(f"{text} {self.kind} {', '.join(map(self._named, names))}")

    def cast(self, text: str, name: Term, element: str) -> str:
        """Return a value as one of another type."""
        return self.emitter.pure(f"{text} {self.kind} {self._named(name)} to {self.kind.of(element)}")

    def choose(self, truth: str, yes: Term, no: Term) -> str:
        """Return `yes` where `truth` holds and `no` where it does not."""
        truths = self.kind.of("i1")
        return self.emitter.pure(
            f"select {truths} {truth}, {self.kind} {self._named(yes)}, {self.kind} {self._named(no)}"
        )

    def call(self, name: str, *names: Term, more: Sequence[str] = ()) -> str:
        """Return the result of an intrinsic; `more` are arguments after the values."""
        arguments = [(str(self.kind), self._named(each)) for each in names] + [("i1", text) for text in more]
        return self.emitter.call(str(self.kind), f"llvm.{name}.{self.kind.suffix}", arguments)

    def _named(self, operand: Term) -> str:
        return operand if isinstance(operand, str) else self.kind.number(operand)


def simple(text: str) -> Formula:
    """Return the formula of one operation."""
    return lambda w, *names: w.op(text, *names)


def intrinsic(name: str, *more: str) -> Formula:
    """Return the formula of one intrinsic; `more` are arguments after the sources."""
    return lambda w, *names: w.call(name, *names, more=more)


def result_shape(code: Code) -> LaneShape:
    """Return the shape of what the instruction computes."""
    if code.instruction is None:
        raise ValueError("no instruction")
    return shape_of(code.instruction, code.kernel.facts.shapes, code.kernel.facts.geometry)


def compute(code: Code, element: str, sources: Sequence[Value], formula: Formula, *, to: str = "") -> Value:
    """Carry out an operation on scalars of groups where that suffices, otherwise on all lanes.

    `element` is the type of the sources; `to` is the type of the result if it differs.
    """
    target = to or element
    shape = fitting(result_shape(code), {"float": "f32", "double": "f64", "i1": "pred"}.get(target, "b32"))
    if shape.is_varying or any(source.vector for source in sources):
        names = [spread(code.emitter, source) for source in sources]
        name = formula(Writer(code.emitter, LaneType(element, is_vector=True)), *names)
        return lanes(target, code.emitter.pure(f"bitcast {vector('i1')} {name} to i32") if target == "i1" else name)
    w = Writer(code.emitter, LaneType(element, is_vector=False))
    parts = [split(source, shape.groups) for source in sources]
    bases = []
    for group in range(shape.groups):
        names = [first_lane(code.emitter, part, group) for part in parts]
        bases.append(Base(formula(w, *names)))
    return Value(target, tuple(bases), shape.offsets)


def result(code: Code, instruction: Instruction, value: Value) -> None:
    """Write the first operand, unless it is a sink."""
    target = instruction.operands[0]
    if isinstance(target, Register):
        code.write(target, value)


def results(code: Code, instruction: Instruction, first: Value, second: Value | None) -> None:
    """Write two results, unless they are sinks; without the second or a place for it, the first alone."""
    target = instruction.operands[0]
    registers = (target.first, target.second) if isinstance(target, Pair) else (target,)
    for register, value in zip(registers, (first, second), strict=False):
        if isinstance(register, Register) and value is not None:
            code.write(register, value)


def operand_values(code: Code, instruction: Instruction, type_: str) -> list[Value]:
    """Return all operands but the first as values of a type."""
    return [read(code, operand, type_) for operand in instruction.operands[1:]]


def apply(code: Code, instruction: Instruction, type_: str, formula: Formula) -> None:
    """Write to the first operand what a formula makes of all others; they and the result are of one type."""
    values = operand_values(code, instruction, type_)
    result(code, instruction, compute(code, element_of(type_), values, formula))


def is_number(value: Value) -> bool:
    """Whether a value is one number, known here, in all lanes."""
    return not value.varies and not value.bases[0].root
