"""Which kernels a compiled file has, how each is called, and which one is to be graded. Pure.

Types are read out of mangled names, which spell them whatever aliases the file uses. A kernel that is extern "C" has no
such name in the PTX, but the compiler can print its declaration. So nothing needs to be compiled behind the
submission's text, where its macros would change it.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches

from grader.contract import structs
from grader.model.diagnostics import KernelLack, NoKernel, SeveralKernels
from grader.worker.found import NotCompiledError
from grader.worker.frontend.cubin import demangle
from grader.worker.frontend.source_text import same_arguments

ENTRY = re.compile(r"^[ \t]*(?:\.visible |\.weak )?\.entry (?P<symbol>[\w$.]+)[ \t]*\((?P<words>[^)]*)\)", re.MULTILINE)
WORD = re.compile(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)\s+[\w$.]+(\[)?")
REALS = frozenset({"float", "double", "long double", "__half"})
_SIZES = ("char", "short", "int", "long", "long long")
INTEGERS = frozenset({"bool", "signed char", *_SIZES, *(f"unsigned {size}" for size in _SIZES)})
WORDS = {"u64": "void*", "b64": "void*", "f32": "float", "f64": "double"}
LONGEST, MOST_NAMES = 4096, 100  # characters of a name, and kernels that are named
STRING_OR_COMMENT = re.compile(r'"[^"]*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
ANONYMOUS = "(anonymous namespace)"


@dataclass(frozen=True, slots=True)
class Entry:
    """A kernel: its symbol, its name in C++ with template arguments, and 'pointer', 'integer', 'real' or 'other'."""

    symbol: str
    name: str
    parameters: tuple[str, ...]

    @property
    def base(self) -> str:
        """The name without namespaces and template arguments."""
        return re.sub(r"<.*", "", self.name).rpartition("::")[2]


def without_comments(ptx: str) -> str:
    """Return PTX without its comments, in which inline assembly can write any text; spaces are in their places.

    Comments as ptxas reads them: from two slashes to a line feed, which nothing else ends or continues, or from `/*` to
    `*/`. A string has no escapes, and may contain line feeds.
    """
    return STRING_OR_COMMENT.sub(_without_comment, ptx)


def _without_comment(found: re.Match[str]) -> str:
    if found[0].startswith('"'):
        return found[0]
    return "\n".join(" " * len(line) for line in found[0].split("\n"))


def entries(ptx: str, symbols: tuple[str, ...], declarations: tuple[str, ...]) -> tuple[Entry, ...]:
    """The kernels of the file. `symbols` are those of the cubin: inline assembly can write more into a comment."""
    by_symbol = {match["symbol"]: WORD.findall(match["words"]) for match in ENTRY.finditer(ptx)}
    words = {symbol: by_symbol[symbol] for symbol in symbols if symbol in by_symbol}
    mangled = {demangle(symbol) for symbol in words}
    others = tuple(declaration for declaration in declarations if declaration not in mangled)
    return tuple(_entry(symbol, words[symbol], others) for symbol in sorted(words))


def choose(kernels: tuple[Entry, ...], wanted: str, template: str = "", others: Collection[str] = ()) -> Entry:
    """The kernel named `wanted`, with these template arguments if it is a template, or else the only one.

    In a lab that launches `others` too, every kernel has the name that the lab gives it.
    Raises NotCompiledError if there is none, or it cannot be said which.
    """
    exact = [entry for entry in kernels if wanted in (entry.symbol, entry.name)]
    named = exact or [entry for entry in kernels if entry.base == wanted]
    named = [entry for entry in named if template and same_arguments(entry.name, template)] or named
    candidates = named if others else named or kernels
    if not kernels:
        raise NotCompiledError(NoKernel(wanted))
    if len(candidates) != 1:
        near = get_close_matches(wanted, [entry.base for entry in kernels if entry.base not in others], 2)
        names = tuple(entry.name[:LONGEST] for entry in (candidates or kernels)[:MOST_NAMES])
        raise NotCompiledError(SeveralKernels(names, wanted, near[0][:LONGEST] if len(near) == 1 else ""))
    if ANONYMOUS in candidates[0].name:
        raise NotCompiledError(NoKernel(candidates[0].name[:LONGEST], KernelLack.VISIBLE))
    return candidates[0]


def kind(parameter: str, aggregate: bool) -> str:
    """'pointer', 'integer' or 'real' for a type as a demangled name spells it, 'other' for a class.

    A type that is passed as one word and named by the file is an enumeration. nvcc passes what is __grid_constant__ as
    it passes a class.
    """
    bare = re.sub(r"\b(?:const|volatile|restrict|__restrict)\b", "", parameter).strip()
    if bare.endswith(("*", "&")) or "(*" in bare:
        return "pointer"
    if bare in REALS:
        return "real"
    return "other" if aggregate and bare not in INTEGERS else "integer"


def split(function: str) -> tuple[str, tuple[str, ...]]:
    """`void lab::matmul<16>(float const*, int)` -> its name and its parameters."""
    opening = _opening(function)
    if opening is None:
        return function, ()
    parameters = structs.split(function[opening + 1 : function.rindex(")")], "<([{", ">)]}")
    return function[:opening].removeprefix("void "), () if parameters == ("void",) else parameters


def _entry(symbol: str, words: list[tuple[str, str]], declarations: tuple[str, ...]) -> Entry:
    text = demangle(symbol)
    if text == symbol:
        named = [declaration for declaration in declarations if split(declaration)[0].rpartition("::")[2] == symbol]
        types = split(named[0])[1] if named else ()
        return Entry(symbol, symbol, _kinds(types, words))
    name, types = split(text)
    return Entry(symbol, name, _kinds(types, words))


def _kinds(types: tuple[str, ...], words: list[tuple[str, str]]) -> tuple[str, ...]:
    """Return the kind of each parameter that the kernel has in PTX; without the name of its type, by its PTX type."""
    padded = [*types, *(WORDS.get(word, "") for word, _ in words[len(types) :])]
    return tuple(kind(text, bool(bracket)) for text, (_, bracket) in zip(padded, words, strict=False))


def _opening(function: str) -> int | None:
    """Where the parameters begin: a parenthesis outside of template arguments and not of `(anonymous namespace)`."""
    depth = 0
    for at, letter in enumerate(function):
        depth += (letter == "<") - (letter == ">")
        if letter == "(" and depth == 0 and not function.startswith(ANONYMOUS, at):
            return at
    return None
