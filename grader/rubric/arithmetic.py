"""Arithmetic of C++ host code as a rubric has it: with sizes, without casts, and rounded where C++ rounds. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from grader.contract.structs import BYTES, split
from grader.model import expressions
from grader.model.expressions import ExpressionError
from grader.rubric.host_names import AXES, REAL, SIZES, HostNames, cast, side, size_of
from grader.rubric.source_calls import FIELD

TYPE = r"(?:(?:const|unsigned|long)\s+)*(?:unsigned|u?int(?:\d+_t)?|long|size_t|float|double)"
TOKEN = re.compile(
    rf"""(?P<cast>\(\s*{TYPE}\s*\)|\bstatic_cast\s*<\s*{TYPE}\s*>|\b{TYPE}(?=\s*\())
    |\bsizeof\s*\(\s*(?P<sizeof>{"|".join(BYTES)})\s*\)
    |(?P<number>0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[uUlLfF]*
    |(?:std::)?(?P<name>[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*)*)
    |(?P<sign><<|>>|[=!<>]=|\S)""",
    re.VERBOSE,
)
DIM3 = re.compile(r"dim3\s*[({](.*)[)}]", re.DOTALL)
# Of operators, those first that bind least.
LEVELS = ({"==", "!="}, {"<", "<=", ">", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"})
OPERATORS: dict[str, ast.operator] = {"+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "/": ast.Div(), "%": ast.Mod()}
COMPARISONS: dict[str, ast.cmpop] = {"==": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE()}
COMPARISONS |= {">": ast.Gt(), ">=": ast.GtE()}
SHIFTS = {"<<": "*", ">>": "/"}  # by a power of two
FUNCTIONS = {"ceil": "ceil", "ceilf": "ceil", "min": "min", "max": "max"}
NAME = re.compile(r"\b[A-Za-z_]\w*")
MATRIX = re.compile(r"[ABCabc]\w*")
LONGEST_SIDE = 32  # of a square block
MOST_BITS = 63  # by which a number is shifted
MOST_TOKENS = 500  # of an expression and all values in it; host code may be hostile


def expression(sizes: Mapping[str, str], names: HostNames, text: str) -> str:
    """Return C++ arithmetic over what `sizes` says of host variables, or its value; empty for what is none."""
    try:
        found = ast.unparse(_Reader(sizes, names, text).integer().tree)
        number = expressions.value(found, dict.fromkeys("MNK", 64))
        return found if expressions.names_in(found) else str(number)
    except (ExpressionError, RecursionError, SyntaxError):  # the last is of an octal number
        return ""


def constant(names: HostNames, text: str) -> int:
    """Return what host code computes from constants; 0 for what it does not."""
    found = expression({}, names, text)
    return int(found) if found.isdigit() else 0


def extents(names: HostNames, text: str) -> tuple[str, ...]:
    """Return the extents of a grid or a block as they are written; an empty dim3 is one."""
    found = DIM3.fullmatch(names.values.get(text, text))
    return split(found[1]) or ("1",) if found else (text,)


@dataclass(frozen=True, slots=True)
class _Number:
    """An expression, whether C++ has its value as a real number, and whether that has no fraction for sure."""

    tree: ast.expr
    is_real: bool = False
    is_whole: bool = True

    def as_integer(self) -> _Number:
        match self.tree:
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return _Number(_rounded_quotient(left, right))
        return _Number(self.tree if self.is_whole else _rounded_quotient(self.tree, ast.Constant(1)))


class _Reader:
    """Reads a text from its start. At a variable or a call of the program, it goes on with the text of its value."""

    def __init__(self, sizes: Mapping[str, str], names: HostNames, text: str) -> None:
        self._sizes, self._names, self._count = sizes, names, 0
        self._tokens = list[re.Match[str]]()  # the next one is the last
        self._put(text)

    def integer(self) -> _Number:
        """Read all of the text. Raises ExpressionError for what has no value in a rubric."""
        number = self._choice()
        if self._tokens:
            raise ExpressionError("goes on behind its end")
        return number.as_integer()

    def _put(self, text: str) -> None:
        self._tokens += reversed(list(TOKEN.finditer(text)))

    def _take(self) -> re.Match[str]:
        self._count += 1
        if not self._tokens or self._count > MOST_TOKENS:
            raise ExpressionError("has no end")
        return self._tokens.pop()

    def _take_sign(self, sign: str) -> None:
        """Take the next token. Raises ExpressionError if it is another one."""
        if self._take()[0] != sign:
            raise ExpressionError("has another sign")

    def _is_next(self, *signs: str) -> bool:
        return bool(self._tokens) and self._tokens[-1][0] in signs

    def _choice(self) -> _Number:
        """Read an operation, or one of two by a condition."""
        condition = self._operation()
        if not self._is_next("?"):
            return condition
        self._take()
        first = self._choice()
        self._take_sign(":")
        other = self._choice()
        is_real, is_whole = first.is_real or other.is_real, first.is_whole and other.is_whole
        return _Number(ast.IfExp(condition.tree, first.tree, other.tree), is_real, is_whole)

    def _operation(self, level: int = 0) -> _Number:
        if level == len(LEVELS):
            return self._operand()
        number = self._operation(level + 1)
        while self._is_next(*LEVELS[level]):
            number = _joined(number, self._take()[0], self._operation(level + 1))
        return number

    def _operand(self) -> _Number:
        match (token := self._take()).lastgroup:
            case "cast":
                number = self._operand()
                return replace(number, is_real=True) if REAL.search(token[0]) else number.as_integer()
            case "sizeof":
                return _Number(ast.Constant(BYTES[token["sizeof"]]))
            case "number":
                value = ast.literal_eval(token["number"])
                return _Number(ast.Constant(value), isinstance(value, float), value == value // 1)
            case "name":
                return self._call(token["name"]) if self._is_next("(") else self._variable(token["name"])
        if token[0] in {"-", "!"}:
            return _signed(token[0], self._operand())
        if token[0] != "(":
            raise ExpressionError("has another sign")
        number = self._choice()
        self._take_sign(")")
        return number

    def _call(self, name: str) -> _Number:
        """Read the call of a function that a rubric has, or what a function of the program returns."""
        if function := self._names.functions.get(name):
            given = dict(zip(function.parameters, self._arguments(), strict=False))
            self._put(NAME.sub(lambda found: given.get(found[0], found[0]), function.value))
            return self._operand()
        if name not in FUNCTIONS:
            raise ExpressionError("calls another function")
        numbers = list[_Number]()
        while not self._is_next(")"):
            self._take()
            numbers.append(self._choice())
        self._take()
        tree = ast.Call(ast.Name(FUNCTIONS[name]), [number.tree for number in numbers], [])
        is_whole = FUNCTIONS[name] == "ceil" or all(number.is_whole for number in numbers)
        return _Number(tree, any(number.is_real for number in numbers), is_whole)

    def _arguments(self) -> tuple[str, ...]:
        """Take the arguments of a call as texts."""
        taken, depth = [self._take()[0]], 1
        while depth:
            taken.append(self._take()[0])
            depth += (taken[-1] == "(") - (taken[-1] == ")")
        return split(" ".join(taken[1:-1]))

    def _variable(self, path: str) -> _Number:
        """Read a size, or what the program has for a variable or a field."""
        name, (owner, _, last) = FIELD.sub("_", path), path.rpartition(".")
        if last in AXES and owner in self._names.values:
            value = (*extents(self._names, owner), "1", "1")[AXES.index(last)]
        else:
            value = self._value(name) or (side(owner[0], last) if MATRIX.fullmatch(owner) else "")
        converted = cast(self._names.types.get(name, ""))
        if value in SIZES:
            return _Number(ast.Name(value), is_real=converted == cast("float"))
        if not value:
            raise ExpressionError("uses another name")
        is_text = name in self._names.macros  # of which an operator beside it may take a part
        self._put(value if is_text else f"{converted}({value})")
        return self._operand()

    def _value(self, name: str) -> str:
        """Return what a variable is passed for, or else set to, or else named like.

        One that is named like a size has the one that the program happens to have; a macro is a constant, and so is
        what may be a side of a block, where the kernel is given that size by another name.
        """
        value, size = self._names.values.get(name, ""), size_of(name)
        is_size = value.isdigit() and (int(value) > LONGEST_SIDE or size not in self._sizes.values())
        if self._sizes and size and is_size and name not in self._names.macros:
            value = size
        return self._sizes.get(name) or value or size


def _signed(sign: str, number: _Number) -> _Number:
    if sign == "!":
        return _joined(number, "==", _Number(ast.Constant(0)))
    return replace(number, tree=ast.UnaryOp(ast.USub(), number.tree))


def _joined(left: _Number, sign: str, right: _Number) -> _Number:
    """Return the value of an operator, by what C++ has its operands as."""
    match right.tree:
        case ast.Constant(value=int(bits)) if sign in SHIFTS and bits < MOST_BITS:
            sign, right = SHIFTS[sign], _Number(ast.Constant(1 << bits))
    if sign in COMPARISONS:
        return _Number(ast.Compare(left.tree, [COMPARISONS[sign]], [right.tree]))
    if sign not in OPERATORS:
        raise ExpressionError("shifts by what is no constant")
    is_real = left.is_real or right.is_real
    if sign == "/" and not is_real:
        return _Number(_rounded_quotient(left.tree, right.tree))
    is_whole = left.is_whole and right.is_whole and sign != "/"
    return _Number(ast.BinOp(left.tree, OPERATORS[sign], right.tree), is_real, is_whole)


def _rounded_quotient(left: ast.expr, right: ast.expr) -> ast.expr:
    quotient = ast.BinOp(left, ast.FloorDiv(), right)
    if any(isinstance(node, ast.USub) for node in ast.walk(quotient)):
        raise ExpressionError("may be rounded to zero in C++, and down in a rubric")
    return quotient
