"""setp, set, selp (PTX ISA, "Comparison and Selection Instructions")."""

from __future__ import annotations

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import element_of
from grader.ptxsim.generate.floats import flushed
from grader.ptxsim.generate.halves import as_reals, comparison, pairwise, without_subnormals
from grader.ptxsim.generate.integers import predicates
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import apply, compute, result, result_shape, results, simple
from grader.ptxsim.generate.values import Value, chosen, lanes, negated, shaped, spread
from grader.ptxsim.syntax.records import REALS, Instruction, Operand, is_signed, types_of

_INTEGER = {"eq": "eq", "ne": "ne", "lo": "ult", "ls": "ule", "hi": "ugt", "hs": "uge"}
_ORDERED = ("lt", "le", "gt", "ge")
_SIGNED, _UNSIGNED = ({name: f"{letter}{name}" for name in _ORDERED} for letter in "su")
_ONE = {"f16": 0x3C00, "bf16": 0x3F80}  # the bits of 1.0
_REAL = (
    {"eq": "oeq", "ne": "one", "equ": "ueq", "neu": "une", "num": "ord", "nan": "uno"}
    | {name: f"o{name}" for name in _ORDERED}
    | {f"{name}u": f"u{name}" for name in _ORDERED}
)


def set_predicate(code: Code, instruction: Instruction) -> None:
    """setp, with the opposite as a second result, and a predicate that is combined with both."""
    type_ = types_of(instruction)[-1]
    first, second = (read(code, operand, type_) for operand in instruction.operands[1:3])
    predicate = compared(code, instruction, type_, first, second)
    other = negated(code.emitter, predicate)
    if len(instruction.operands) > 3:
        how = next(modifier for modifier in instruction.modifiers if modifier in {"and", "or", "xor"})
        third = read(code, instruction.operands[3], "pred")
        predicate, other = (predicates(code, how, (value, third)) for value in (predicate, other))
    results(code, instruction, predicate, other)


def compared(code: Code, instruction: Instruction, type_: str, first: Value, second: Value) -> Value:
    """Return the predicate of a comparison."""
    element = element_of(type_)
    if type_ in {"f16", "bf16"}:
        if "ftz" in instruction.modifiers:
            first, second = (
                compute(code, "i16", (value,), lambda w, name: without_subnormals(w, name, type_))
                for value in (first, second)
            )
        first, second = (as_reals(code, value, type_) for value in (first, second))
        element = "float"
    elif type_ == "f32":
        first, second = (flushed(code, instruction, value) for value in (first, second))
    how = _predicate(instruction, type_)
    text = "fcmp" if type_ in REALS else "icmp"
    return compute(code, element, (first, second), simple(f"{text} {how}"), to="i1")


def _predicate(instruction: Instruction, type_: str) -> str:
    known = _REAL if type_ in REALS else {**_INTEGER, **_SIGNED} if is_signed(type_) else {**_INTEGER, **_UNSIGNED}
    return next(known[name] for name in instruction.modifiers if name in known)


def set_number(code: Code, instruction: Instruction) -> None:
    """set: 1.0 where the comparison of numbers of 16 bits holds, or all ones; of pairs, for each half."""
    to, type_ = (name.removesuffix("x2") for name in types_of(instruction)[-2:])
    yes, flush = _ONE.get(to, -1), "ftz" in instruction.modifiers
    formula = comparison(_predicate(instruction, type_), type_, yes, flush=flush)
    pairs = types_of(instruction)[-1].endswith("x2")
    apply(code, instruction, types_of(instruction)[-1], pairwise(formula) if pairs else formula)


def select(code: Code, instruction: Instruction) -> None:
    """selp: one of two values, by a predicate."""
    type_ = types_of(instruction)[-1]
    by: Operand = instruction.operands[3]
    condition = read(code, by, "pred")
    shape = result_shape(code)
    yes, no = (shaped(code.emitter, read(code, o, type_), shape) for o in instruction.operands[1:3])
    if condition.vector and not shape.is_varying:
        yes, no = (lanes(value.element, spread(code.emitter, value)) for value in (yes, no))
    result(code, instruction, chosen(code.emitter, condition, yes, no))
