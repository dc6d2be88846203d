"""The names by which a source file may mean arrays that are members of structs. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from grader.worker.frontend.source_operands import MEMBER, MOST_TOKENS, object_start
from grader.worker.frontend.source_tokens import Tokens

STRUCTS = {b"struct", b"class", b"union"}
BUILT_IN = {b"int", b"float", b"double", b"char", b"short", b"long", b"unsigned", b"signed", b"bool", b"void", b"const"}
MOST_STRUCTS = 500  # of a file that is written by hand


@dataclass(frozen=True, slots=True)
class Struct:
    """The braces of a struct, class or union, and the names of its members that may be arrays."""

    first: int
    last: int
    arrays: frozenset[bytes]


def structs_of(tokens: Tokens) -> list[Struct]:
    """Return the structs, classes and unions that have a body."""
    return list(islice(_structs(tokens), MOST_STRUCTS))


def names_of(structs: list[Struct], tokens: Tokens) -> frozenset[bytes]:
    """Return the names of members that may be arrays, and of references to them."""
    names = frozenset[bytes]().union(*(struct.arrays for struct in structs))
    return names.union(_references(tokens, names))


def _structs(tokens: Tokens) -> Iterator[Struct]:
    for index, word in enumerate(tokens.words):
        if word in STRUCTS:
            first = _body(tokens, index + 1)
            if first in tokens.other:
                last = tokens.other[first]
                yield Struct(first, last, frozenset(_arrays(tokens, first, last)))


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
    """Yield the names with subscripts in their declaration, and those of which the type may be an array."""
    index = first + 1
    while index < last:
        before, after = tokens.at(index - 1), tokens.at(index + 1)
        is_declared = tokens.is_name(index - 1) or before in {b">", b"*", b","}
        has_type = before == b"," or (tokens.is_name(index - 1) and before not in BUILT_IN)
        is_array = (after == b"[" and is_declared) or (after in {b",", b";"} and has_type)
        if tokens.is_name(index) and is_array and tokens.at(index) != b"operator":
            yield tokens.at(index)
        index = max(index, tokens.other.get(index, index)) + 1


def _references(tokens: Tokens, names: frozenset[bytes]) -> Iterator[bytes]:
    """Yield the names of references to members: `auto& a = s.a;` and `float (&a)[16] = s.a;`."""
    for index, word in enumerate(tokens.words):
        if word in {b";", b","} and tokens.at(index - 1) in names and tokens.at(index - 2) in MEMBER:
            first = object_start(tokens, index - 1)
            place = first - 2 if first is not None and tokens.at(first - 1) == b"=" else -1
            while tokens.at(place) == b"]" and place in tokens.other:
                place = tokens.other[place] - 1
            place -= tokens.at(place) == b")"
            if tokens.is_name(place) and tokens.at(place - 1) == b"&":
                yield tokens.at(place)
