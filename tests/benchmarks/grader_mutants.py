"""Mutants of the grader itself: its Python source with one mistake each. (Those of reference kernels: mutants.py.)

python -m tests.benchmarks.grader_mutants   draws the mutants anew and writes them to grader_mutants.jsonl

A mutant is found again in later code by the text of its lines; the one that is nearest to its line is meant.
"""

from __future__ import annotations

import ast
import copy
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice, zip_longest
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_suffix(".jsonl")
SEED, LONGEST = 36, 3  # lines of a mutated expression
SIMULATOR = "grader/ptxsim"
DRAWN = {
    "grader/judge": 30, "grader/comparison": 30, "grader/explain": 30, "grader/contract": 40, "grader/rubric": 40,
    f"{SIMULATOR}/analysis": 40, f"{SIMULATOR}/generate": 50, f"{SIMULATOR}/checked": 40, f"{SIMULATOR}/syntax": 15,
    f"{SIMULATOR}/counting": 15,
}  # fmt: skip
OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
}  # fmt: skip
# Words of the IR that the simulator generates, in the text of its strings.
WORDS = {
    "add": "sub", "sub": "add", "mul": "add", "and": "or", "or": "and", "xor": "or", "shl": "lshr", "lshr": "ashr",
    "ashr": "lshr", "slt": "sle", "sle": "slt", "ult": "ule", "ule": "ult", "sgt": "sge", "ugt": "uge", "uge": "ugt",
    "eq": "ne", "ne": "eq", "zext": "sext", "sext": "zext", "fadd": "fsub", "fmul": "fadd", "olt": "ole", "oeq": "une",
}  # fmt: skip
WORD = re.compile(r"(?<=[ \"'.])(" + "|".join(WORDS) + r")(?=[ \"'.])")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mistake: lines of a file, from the first to the last that it changes, before and after."""

    path: str
    line: int
    kind: str
    before: str
    after: str

    def lines(self, source: str) -> range | None:
        """Return the numbers of the lines that it changes in a later version; None if they are no longer there."""
        every, wanted = source.split("\n"), self.before.split("\n")
        length = len(wanted)
        starts = [start for start in range(len(every)) if every[start : start + length] == wanted]
        nearest = min(starts, key=lambda start: abs(start + 1 - self.line), default=None)
        return None if nearest is None else range(nearest + 1, nearest + 1 + length)

    def applied(self, source: str) -> str:
        """Return the source with the mistake. Raises LookupError if the lines are no longer there."""
        lines, every = self.lines(source), source.split("\n")
        if lines is None:
            raise LookupError(f"{self.path} no longer contains {self.before!r}")
        return "\n".join([*every[: lines[0] - 1], *self.after.split("\n"), *every[lines[-1] :]])


def drawn() -> Iterator[Mutant]:
    """Draw mutants of each folder, as many of each kind and at most one of a line; seed and source decide which."""
    for folder, count in DRAWN.items():
        every = [mutant for path in sorted((ROOT / folder).rglob("*.py")) for mutant in mutants_of(path)]
        random.Random(f"{SEED} {folder}").shuffle(every)
        of_kinds: dict[str, list[Mutant]] = {}
        for mutant in {(mutant.path, mutant.line): mutant for mutant in every}.values():
            of_kinds.setdefault(mutant.kind, []).append(mutant)
        in_turn = (mutant for turn in zip_longest(*of_kinds.values()) for mutant in turn if mutant)
        yield from sorted(islice(in_turn, count), key=lambda mutant: (mutant.path, mutant.line))


def mutants_of(path: Path) -> Iterator[Mutant]:
    source = path.read_text(encoding="utf-8")
    lines, name = source.split("\n"), path.relative_to(ROOT).as_posix()
    for node, kind, code in _mistakes(ast.parse(source), name.startswith(f"{SIMULATOR}/generate"), source):
        assert isinstance(node, ast.expr | ast.stmt)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        begin, end = node.lineno - 1, node.end_lineno
        head = lines[begin].encode()[: node.col_offset].decode()
        tail = lines[end - 1].encode()[node.end_col_offset :].decode()
        before, after = "\n".join(lines[begin:end]), f"{head}{code}{tail}"
        if end - begin <= LONGEST and before != after and _compiles([*lines[:begin], after, *lines[end:]]):
            yield Mutant(name, node.lineno, kind, before, after)


def _compiles(lines: Sequence[str]) -> bool:
    try:
        ast.parse("\n".join(lines))
    except SyntaxError:
        return False
    return True


def _mistakes(tree: ast.AST, has_ir: bool, source: str) -> Iterator[tuple[ast.AST, str, str]]:
    """Yield nodes with the kind of a mistake and the code that replaces the node."""
    for node in _behaviour(tree):
        if isinstance(node, ast.stmt):
            yield from _of_statement(node)
        elif has_ir and isinstance(node, ast.JoinedStr | ast.Constant):
            yield from _of_ir(node, ast.get_source_segment(source, node) or "")
        yield from _of_expression(node)
        match node:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) | ast.comprehension(ifs=[test, *_]):
                yield test, "condition", f"(not ({ast.unparse(test)}))"


def _of_statement(node: ast.stmt) -> Iterator[tuple[ast.AST, str, str]]:
    match node:
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield node, "return", "return None"
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()) | ast.AugAssign() | ast.Raise():
            yield node, "statement", "pass"
        case ast.Continue() | ast.Break():
            yield node, "statement", "pass"


def _of_expression(node: ast.AST) -> Iterator[tuple[ast.AST, str, str]]:
    match node:
        case ast.Compare(ops=[operator]) | ast.BoolOp(op=operator) | ast.BinOp(op=operator):
            if other := OPERATORS.get(type(operator)):
                field = [other()] if isinstance(node, ast.Compare) else other()
                yield node, "operator", f"({_changed(node, op=field, ops=field)})"
        case ast.Constant(value=bool(value)):
            yield node, "constant", repr(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield from ((node, "constant", repr(value + step)) for step in (1, -1))
        case ast.Call(args=[first, second, *rest], keywords=[]) if type(first) is type(second):
            yield node, "arguments", _changed(node, args=[second, first, *rest])


def _of_ir(node: ast.expr, text: str) -> Iterator[tuple[ast.AST, str, str]]:
    for word in WORD.finditer(text if text[:1] in "\"'f" else ""):
        yield node, "ir", f"{text[: word.start()]}{WORDS[word[0]]}{text[word.end() :]}"


def _behaviour(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that behaviour follows from: no annotations, decorators, docstrings, assertions, messages."""
    yield node
    for name, value in ast.iter_fields(node):
        skipped = name in {"annotation", "returns", "decorator_list", "bases", "keywords"} and not (
            name == "keywords" and isinstance(node, ast.Call)
        )
        for child in value if isinstance(value, list) else [value]:
            docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if isinstance(child, ast.AST) and not skipped and not docstring and not _is_silent(child):
                # In Python 3.11, nodes inside of an f-string have positions of their own counting.
                yield from [child] if isinstance(child, ast.JoinedStr) else _behaviour(child)


def _is_silent(node: ast.AST) -> bool:
    """Whether no behaviour follows from a statement, or only what people read."""
    match node:
        case ast.FunctionDef(name="__repr__" | "__str__") | ast.Assert() | ast.Import() | ast.ImportFrom():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name.startswith("__")
    return False


def _changed(node: ast.AST, **fields: object) -> str:
    changed = copy.copy(node)
    for name, value in fields.items():
        if name in node._fields:
            setattr(changed, name, value)
    return ast.unparse(changed)


def read() -> list[Mutant]:
    """Return the mutants that were drawn."""
    return [Mutant(**json.loads(line)) for line in LIST.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    mutants = list(drawn())
    LIST.write_text("".join(f"{json.dumps(asdict(mutant))}\n" for mutant in mutants), encoding="utf-8")
    print(f"{len(mutants)} mutants are in {LIST.name}.")
