"""Where a submission takes an element of an array that is a member of a struct, as its text shows. Pure.

The text is not preprocessed, so a name may mean something else: the compiler, which knows the types, decides
(`member_checks/inside.h`). A use is left out where the object would be evaluated twice with an effect.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from grader.worker.frontend.source_tokens import Tokens, tokens_of

DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+\w+(?:\(([^()\n]*)\))?(?:[^\\\n]|\\\r?\n|\\)*", re.MULTILINE)
CHANGES = {b"++", b"--", b"=", b"<<=", b">>=", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^="}
MEMBER, STRUCTS = {b".", b"->"}, {b"struct", b"class", b"union"}
# Limits for texts that were not written by hand, which would take long to read.
MOST_BYTES, MOST_STRUCTS, MOST_USES = 1 << 18, 500, 2000
MOST_TOKENS, LONGEST_OBJECT = 500, 200  # of an expression or the head of a struct, and the bytes that name an array


@dataclass(frozen=True, slots=True)
class Use:
    """Where an expression for an element starts in the text, where the name of the array ends, and where it ends."""

    start: int
    named: int
    end: int


@dataclass(frozen=True, slots=True)
class _Struct:
    """The braces of a struct, class or union, and the names of the arrays that it declares."""

    first: int
    last: int
    arrays: frozenset[bytes]


@dataclass(frozen=True, slots=True)
class _Macro:
    """Where the definition of a macro starts and ends in the text, and the names of its parameters."""

    start: int
    end: int
    parameters: frozenset[bytes]


def member_uses(content: bytes) -> tuple[Use, ...]:
    """Return the uses by their start; of those that start together, the longest first."""
    if len(content) > MOST_BYTES or b"[" not in content:
        return ()
    tokens = tokens_of(content)
    structs = list(_structs(tokens))
    names = frozenset[bytes]().union(*(struct.arrays for struct in structs))
    if not names or len(structs) > MOST_STRUCTS:
        return ()
    macros = [_Macro(found.start(), found.end(), _words(found[1])) for found in DEFINE.finditer(content)]
    named = (index for index, word in enumerate(tokens.words) if word in names and tokens.at(index + 1) == b"[")
    found = [use for index in islice(named, MOST_USES) if (use := _use(tokens, index, structs, macros))]
    return tuple(sorted(found, key=lambda use: (use.start, -use.end)))


def _structs(tokens: Tokens) -> Iterator[_Struct]:
    for index, word in enumerate(tokens.words):
        if word in STRUCTS:
            first = _body(tokens, index + 1)
            if first in tokens.other:
                last = tokens.other[first]
                yield _Struct(first, last, frozenset(_arrays(tokens, first, last)))


def _body(tokens: Tokens, index: int) -> int:
    """Return the index of the brace at which the body begins; -1 where there is none, as in a declaration."""
    has_bases, most = False, index + MOST_TOKENS
    while tokens.at(index) != b"{" and index < most:
        word = tokens.at(index)
        if word in STRUCTS | {b"", b";", b")", b"=", b"}"} or (word in {b",", b">"} and not has_bases):
            return -1
        has_bases |= word == b":"
        index = max(index, tokens.other.get(index, index)) + 1
    return index if tokens.at(index) == b"{" else -1


def _arrays(tokens: Tokens, first: int, last: int) -> Iterator[bytes]:
    index = first + 1
    while index < last:
        is_declared = tokens.is_name(index - 1) or tokens.at(index - 1) in {b">", b"*", b","}
        if is_declared and tokens.is_name(index) and tokens.at(index + 1) == b"[" and tokens.at(index) != b"operator":
            yield tokens.at(index)
        index = max(index, tokens.other.get(index, index)) + 1


def _use(tokens: Tokens, index: int, structs: list[_Struct], macros: list[_Macro]) -> Use | None:
    """Return the use of the array whose name is the token at this index; None for anything else."""
    if tokens.at(index - 1) in MEMBER:
        first = _object(tokens, index)
    else:
        first = index if _is_own_member(tokens, index, structs) else None
    if first is None or tokens.at(first - 1) == b"&":
        return None
    last = index
    while tokens.at(last + 1) == b"[" and last + 1 in tokens.other:
        last = tokens.other[last + 1]
    use = Use(tokens.starts[first], tokens.end(index), tokens.end(last))
    if last == index or last - first > MOST_TOKENS or use.named - use.start > LONGEST_OBJECT:
        return None
    has_effects = not CHANGES.isdisjoint(tokens.words[first:last]) or _calls(tokens, first, index)
    may_have = not _parameters(macros, use.start).isdisjoint(tokens.words[first:index])
    return None if has_effects or may_have else use


def _object(tokens: Tokens, index: int) -> int | None:
    """Return the index at which the expression starts that has the member at `index`; None for an unusual one."""
    least = index - MOST_TOKENS
    while tokens.at(index - 1) in MEMBER and index > least:
        index -= 2
        while tokens.at(index) == b"]" and index in tokens.other:
            index = tokens.other[index] - 1
        if tokens.at(index) == b")" and index in tokens.other:
            index = tokens.other[index]
            is_called = tokens.is_name(index - 1) and tokens.at(index - 1) != b"return"
            return None if is_called or tokens.at(index - 1) == b">" else index
        if not tokens.is_name(index) or tokens.at(index - 1) == b"::":
            return None
    return index


def _is_own_member(tokens: Tokens, index: int, structs: list[_Struct]) -> bool:
    """Whether a function of a struct means one of its members by this name alone."""
    before = tokens.at(index - 1)
    if (tokens.is_name(index - 1) and before != b"return") or before in {b">", b"::"}:
        return False  # a declaration
    around = (struct for struct in structs if struct.first < index < struct.last)
    inside = [struct for struct in around if tokens.at(index) in struct.arrays]
    return bool(inside) and tokens.depths[index] > tokens.depths[inside[-1].first] + 1


def _calls(tokens: Tokens, first: int, last: int) -> bool:
    return any(tokens.is_name(index) and tokens.at(index + 1) == b"(" for index in range(first, last))


def _parameters(macros: list[_Macro], place: int) -> frozenset[bytes]:
    """Return the names of the parameters of the macro in whose definition a place of the text is."""
    before = bisect_right(macros, place, key=lambda macro: macro.start)
    return macros[before - 1].parameters if before and place < macros[before - 1].end else frozenset()


def _words(parameters: bytes | None) -> frozenset[bytes]:
    return frozenset(re.findall(rb"\w+", parameters or b""))
