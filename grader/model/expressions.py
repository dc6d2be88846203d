"""Arithmetic over named whole numbers, as a rubric writes it: `ceil(N / 16)`. Nothing else is evaluated. Pure.

Division is exact, so `N / 16` may be a fraction, which `ceil` rounds up and `//` rounds down.
"""

import ast
import math
import operator
import warnings
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

LONGEST = 200  # characters
MOST = 1 << 63  # what a number may reach, so that none grows without end
Operator = Callable[[Fraction, Fraction], Fraction | int]
OPERATORS: dict[type[ast.AST], Operator] = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}
OPERATORS |= {ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod}
OPERATORS |= {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le}
OPERATORS |= {ast.Gt: operator.gt, ast.GtE: operator.ge}
FUNCTIONS: dict[str, Callable[..., Fraction | int]] = {"ceil": math.ceil, "min": min, "max": max}
WORDS = "use numbers, + - * / // %, ceil(), min() and max()"


class ExpressionError(ValueError):
    """What is wrong with an expression, as the end of a sentence about it."""


class NoValueError(ExpressionError):
    """A launch leaves a parameter without a value; the message says which and why, as the end of a sentence."""


def names_in(text: str) -> frozenset[str]:
    """Return the names that an expression uses. Raises ExpressionError if it is no arithmetic."""
    nodes = list(ast.walk(_parsed(text)))
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    if not all(isinstance(function, ast.Name) and function.id in FUNCTIONS for function in called):
        raise ExpressionError(f"is not arithmetic; {WORDS}")
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name)) - FUNCTIONS.keys()


def is_real(text: str) -> bool:
    """Whether a number in it has a decimal point, as in C. Raises ExpressionError if it is no arithmetic."""
    return any(isinstance(node, ast.Constant) and isinstance(node.value, float) for node in ast.walk(_parsed(text)))


def value(text: str, names: Mapping[str, int]) -> Fraction:
    """Return its value. Raises ExpressionError."""
    try:
        return _value(_parsed(text), names)
    except ZeroDivisionError:
        raise ExpressionError("divides by zero") from None


def whole(text: str, names: Mapping[str, int]) -> int:
    """Return its value, a whole number. Raises ExpressionError."""
    number = value(text, names)
    if number.denominator != 1:
        raise ExpressionError(f"is {float(number):g}, which is not a whole number; use ceil() or //")
    return number.numerator


@cache
def _parsed(text: str) -> ast.expr:
    if len(text) > LONGEST:
        raise ExpressionError(f"has more than {LONGEST} characters")
    try:
        with warnings.catch_warnings(action="ignore"):  # of Python code that is no arithmetic
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ExpressionError(f"is not arithmetic; {WORDS}") from None


def _value(node: ast.expr, names: Mapping[str, int]) -> Fraction:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool) and abs(number) < MOST:
            return Fraction(number)
        case ast.Name(id=name):
            if name not in names:
                raise ExpressionError(f"uses `{name}`, which is none of {', '.join(names)}")
            return Fraction(names[name])
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.BinOp(left=left, op=sign, right=right) | ast.Compare(left=left, ops=[sign], comparators=[right]) if (
            type(sign) in OPERATORS
        ):
            return _bounded(OPERATORS[type(sign)](_value(left, names), _value(right, names)))
        case ast.IfExp():
            return _value(node.body if _value(node.test, names) else node.orelse, names)
        case ast.Call(func=ast.Name(id=name), args=[_, *_], keywords=[]) if name in FUNCTIONS:
            if name == "ceil" and len(node.args) > 1:
                raise ExpressionError("gives ceil() more than one number")
            numbers = [_value(each, names) for each in node.args]
            return Fraction(max(numbers) if len(numbers) == 1 and name != "ceil" else FUNCTIONS[name](*numbers))
    raise ExpressionError(f"is not arithmetic; {WORDS}")


def _bounded(number: Fraction | int) -> Fraction:
    bounded = Fraction(number)
    if max(abs(bounded.numerator), bounded.denominator) >= MOST:
        raise ExpressionError("needs more than 63 bits")
    return bounded
