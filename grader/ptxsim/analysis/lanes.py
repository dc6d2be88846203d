"""Rules for the shape of an arithmetic result from the shapes of its sources.

A rule computes the differences between the lanes of a group and its first lane. First lanes need no rule, because the
code computes the operation for them. All arithmetic is modulo 2^width, so differences are exact. If a result is wider
than its source, they may not be, and the generated code checks that (`widens`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from grader.ptxsim.analysis.shape import LARGEST_STEP, VARYING, ZEROS, LaneShape, constant, flat, refined, step_of

Rule = Callable[[Sequence[LaneShape], int], LaneShape]


def elementwise(shapes: Sequence[LaneShape]) -> LaneShape:
    """An operation in general: if the sources are equal within groups, so is the result."""
    flats = [flat(shape) for shape in shapes]
    if any(shape.is_varying for shape in flats):
        return VARYING
    return LaneShape(max((shape.groups for shape in flats), default=1))


def add(shapes: Sequence[LaneShape], width: int) -> LaneShape:
    """A sum: offsets are added."""
    first, second = shapes
    if first.is_varying or second.is_varying:
        return VARYING
    if second.constant == 0:
        return first
    groups = max(first.groups, second.groups)
    first, second = refined(first, groups), refined(second, groups)
    offsets = first.offsets
    if second.offsets != ZEROS:
        offsets = tuple(a + b for a, b in zip(first.offsets, second.offsets, strict=True))
    step = min(first.step, second.step)
    return bounded(LaneShape(groups, offsets, step, _sum(first.low, second.low), _sum(first.high, second.high)), width)


def negate(shapes: Sequence[LaneShape], width: int) -> LaneShape:
    """A negation: offsets change their sign."""
    return _scaled(shapes[0], -1, width)


def subtract(shapes: Sequence[LaneShape], width: int) -> LaneShape:
    """A difference: a sum with the second operand negated. If both have the same root, it cancels."""
    first, second = shapes
    if first.root and first.root == second.root:
        offsets = tuple(a - b for a, b in zip(first.offsets, second.offsets, strict=True))
        return LaneShape(1, offsets, LARGEST_STEP, min(offsets), max(offsets))
    return add((shapes[0], _scaled(shapes[1], -1, width)), width)


def multiply(shapes: Sequence[LaneShape], width: int) -> LaneShape:
    """A product: a constant scales the offsets; without a constant, operands must have no offsets within groups."""
    first, second = shapes
    if first.is_varying or second.is_varying:
        return VARYING
    for known, other in ((first, second), (second, first)):
        if known.constant is not None:
            return _scaled(other, known.constant, width)
    product = elementwise(shapes)
    if product.is_varying:
        return VARYING
    step = min(LARGEST_STEP, flat(first).step * flat(second).step)
    positive = first.is_not_negative and second.is_not_negative and first.high is not None and second.high is not None
    high = first.high * second.high if positive and first.high is not None and second.high is not None else None
    return bounded(replace(product, step=step, low=0 if positive else None, high=high), width)


def shift_left(shapes: Sequence[LaneShape], width: int) -> LaneShape:
    """A left shift: a product with a power of two."""
    amount = shapes[1].constant
    if amount is None or not 0 <= amount < width:
        return elementwise(shapes)
    return _scaled(shapes[0], 1 << amount, width)


def shift_right(shapes: Sequence[LaneShape], width: int) -> LaneShape:
    """A right shift: exact if the offsets are below the step of the first lanes."""
    value, amount = shapes[0], shapes[1].constant
    if amount is None or not 0 <= amount < width or value.is_varying:
        return elementwise(shapes)
    if value.is_not_negative and value.high is not None and value.high >> amount == 0:
        return constant(0)
    low = value.low >> amount if value.is_not_negative and value.low is not None else None
    high = value.high >> amount if value.is_not_negative and value.high is not None else None
    if _is_below_step(value):  # the low bits of first lanes are zero, so adding offsets there cannot carry
        offsets = tuple(offset >> amount for offset in value.offsets)
        return LaneShape(value.groups, offsets, max(1, value.step >> amount), low, high)
    return replace(elementwise(shapes), low=low, high=high) if not elementwise(shapes).is_varying else VARYING


def bitwise_and(shapes: Sequence[LaneShape], width: int) -> LaneShape:  # noqa: ARG001 - a rule as the others
    """A mask: exact if one operand is constant, and the bits of first lanes and offsets do not overlap."""
    for value, other in ((shapes[0], shapes[1]), (shapes[1], shapes[0])):
        mask = other.constant
        if mask is not None and not value.is_varying:
            bound = mask if mask >= 0 else None
            if _is_below_step(value):
                offsets = tuple(offset & mask for offset in value.offsets)
                step = LARGEST_STEP if 0 <= mask < value.step else max(value.step, step_of(mask))
                low = 0 if mask >= 0 or value.is_not_negative else None
                root = value.root if mask | (value.step - 1) == -1 else ""
                return LaneShape(value.groups, offsets, step, low, bound if bound is not None else value.high, root)
            masked = elementwise(shapes)
            if not masked.is_varying:
                return replace(masked, step=step_of(mask), low=0 if mask >= 0 else None, high=bound)
            return VARYING
    return elementwise(shapes)


def bitwise_or(shapes: Sequence[LaneShape], width: int) -> LaneShape:
    """A bitwise or: a sum if all bits of one operand are below those of the other."""
    for upper, lower in ((shapes[0], shapes[1]), (shapes[1], shapes[0])):
        if upper.is_varying or lower.is_varying or lower.low is None or lower.high is None:
            continue
        above = 1 << lower.high.bit_length()
        if lower.low >= 0 and upper.step >= above and all(offset % above == 0 for offset in upper.offsets):
            return add(shapes, width)
    return elementwise(shapes)


def bitwise_not(shapes: Sequence[LaneShape], width: int) -> LaneShape:
    """A complement: -1 - x."""
    return add((constant(-1), _scaled(shapes[0], -1, width)), width)


def widens(shape: LaneShape, *, signed: bool, width: int = 32) -> bool:
    """Whether the code must check that no lane of a value overflows before the value is extended."""
    if shape.offsets == ZEROS:
        return False
    if shape.low is None or shape.high is None:
        return True
    return shape.low < (-(1 << width - 1) if signed else 0) or shape.high >= 1 << width - 1


def as_unsigned(shape: LaneShape, width: int) -> LaneShape:
    """Return the shape of a value read as unsigned. Bounds are kept if it is not negative."""
    if shape.constant is not None:
        return constant(shape.constant & ((1 << width) - 1))
    return shape if shape.is_not_negative else replace(shape, low=None, high=None)


def _scaled(shape: LaneShape, factor: int, width: int) -> LaneShape:
    if shape.is_varying:
        return VARYING
    offsets = ZEROS if shape.offsets == ZEROS else tuple(offset * factor for offset in shape.offsets)
    step = min(LARGEST_STEP, shape.step * step_of(factor)) if factor else LARGEST_STEP
    ends = [None if end is None else end * factor for end in (shape.low, shape.high)]
    low, high = ends if factor >= 0 else reversed(ends)
    return bounded(LaneShape(shape.groups, offsets, step, low, high), width)


def bounded(shape: LaneShape, width: int) -> LaneShape:
    """Return the shape without bounds that do not fit into the width; VARYING if an offset does not fit."""
    half = 1 << width - 1
    if shape.offsets != ZEROS and (max(shape.offsets) >= half or min(shape.offsets) <= -half):
        return VARYING
    if shape.low is shape.high is None:
        return shape
    if shape.low is None or shape.high is None or shape.low < -half or shape.high >= half:
        return replace(shape, low=None, high=None)
    return shape


def _is_below_step(shape: LaneShape) -> bool:
    return all(0 <= offset < shape.step for offset in shape.offsets)


def _sum(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second


RULES: dict[str, Rule] = {
    "add": add,
    "sub": subtract,
    "neg": negate,
    "mul": multiply,
    "shl": shift_left,
    "shr": shift_right,
    "and": bitwise_and,
    "or": bitwise_or,
    "not": bitwise_not,
}
