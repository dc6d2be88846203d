"""Operations on the values of all lanes, or on one scalar for each group of lanes where that suffices."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.ptxsim.analysis.shape import LaneShape
from grader.ptxsim.analysis.shapes import fitting
from grader.ptxsim.analysis.shapes import result_shape as shape_of
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import Emitter
from grader.ptxsim.generate.values import Base, LaneType, Value, first_lane, lanes, split, spread

Make = Callable[[Emitter, LaneType, Sequence[str]], str]


def result_shape(code: Code) -> LaneShape:
    """Return the shape of what the instruction computes."""
    if code.instruction is None:
        raise ValueError("no instruction")
    return shape_of(code.instruction, code.kernel.facts.shapes, code.kernel.facts.geometry)


def compute(code: Code, element: str, sources: Sequence[Value], make: Make, *, to: str = "") -> Value:
    """Carry out an operation on scalars of groups where that suffices, otherwise on all lanes.

    `element` is the type of the sources; `to` is the type of the result if it differs.
    """
    target = to or element
    shape = fitting(result_shape(code), {"float": "f32", "double": "f64", "i1": "pred"}.get(target, "b32"))
    if shape.is_varying or any(source.vector for source in sources):
        names = [spread(code.emitter, source) for source in sources]
        return lanes(target, make(code.emitter, LaneType(element, is_vector=True), names))
    parts = [split(source, shape.groups) for source in sources]
    bases = []
    for group in range(shape.groups):
        names = [first_lane(code.emitter, part, group) for part in parts]
        bases.append(Base(make(code.emitter, LaneType(element, is_vector=False), names)))
    return Value(target, tuple(bases), shape.offsets)
