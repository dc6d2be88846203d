"""Where a submission takes an element of an array that is a member of a struct, as its text shows. Pure.

The text is not preprocessed, so a name may mean something else: the compiler, which knows the types, decides
(`member_checks/inside.h`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from grader.worker.frontend.source_tokens import Tokens, tokens_of

ALIAS = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+[^\n]*(?:\.|->)[ \t]*(\w+)\)?[ \t]*\r?$", re.MULTILINE)
MEMBER, STRUCTS = {b".", b"->"}, {b"struct", b"class", b"union"}
TYPES_OF = {b"decltype", b"typeof", b"__typeof__"}
CASTS = {b"reinterpret_cast", b"static_cast", b"const_cast"}
NO_CALLS = {b"return", b"if", b"while", b"for", b"switch", b"else", b"case", b"sizeof", b"do", b"and", b"or", b"not"}
BUILT_IN = {b"int", b"float", b"double", b"char", b"short", b"long", b"unsigned", b"signed", b"bool", b"void", b"const"}
# Limits for texts that were not written by hand, which would take long to read.
MOST_BYTES, MOST_STRUCTS, MOST_USES, MOST_TOKENS = 1 << 18, 500, 2000, 200


@dataclass(frozen=True, slots=True)
class Use:
    """Where an expression for an array starts and ends in the text, and what follows: how many subscripts."""

    start: int
    end: int
    subscripts: int
    is_address: bool


@dataclass(frozen=True, slots=True)
class _Struct:
    """The braces of a struct, class or union, and the names of its members that may be arrays."""

    first: int
    last: int
    arrays: frozenset[bytes]


def member_uses(content: bytes) -> tuple[Use, ...]:
    """Return the uses by their start; of those that start together, the longest first."""
    if len(content) > MOST_BYTES or b"[" not in content:
        return ()
    tokens = tokens_of(content)
    structs = list(islice(_structs(tokens), MOST_STRUCTS))
    names = frozenset[bytes]().union(*(struct.arrays for struct in structs))
    names |= {found[1] for found in ALIAS.finditer(content) if found[2] in names}
    named = (index for index, word in enumerate(tokens.words) if word in names and tokens.at(index + 1) == b"[")
    bodies = {struct.first for struct in structs}
    found = [use for index in islice(named, MOST_USES) if (use := _use(tokens, index, bodies))]
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


def _use(tokens: Tokens, index: int, bodies: set[int]) -> Use | None:
    """Return the use of the array whose name is the token at this index; None for anything else."""
    first = _object(tokens, index) if tokens.at(index - 1) in MEMBER else _alone(tokens, index, bodies)
    if first is None or _is_offset(tokens, first):
        return None
    last, subscripts = index, 0
    while tokens.at(last + 1) == b"[" and last + 1 in tokens.other:
        last, subscripts = tokens.other[last + 1], subscripts + 1
    return Use(tokens.starts[first], tokens.end(index), subscripts, _is_address(tokens, first)) if subscripts else None


def _object(tokens: Tokens, index: int) -> int | None:
    """Return the index at which the expression starts that has the member at `index`; None for an unusual one."""
    least = index - MOST_TOKENS
    while tokens.at(index - 1) in MEMBER and index > least:
        index -= 2
        while tokens.at(index) == b"]" and index in tokens.other:
            index = tokens.other[index] - 1
        if tokens.at(index) == b")" and index in tokens.other:
            index = tokens.other[index]
            if tokens.at(index - 1) == b">":
                return _cast(tokens, index - 1)
            if not tokens.is_name(index - 1) or tokens.at(index - 1) in NO_CALLS:
                return index
            index -= 1
        if not tokens.is_name(index):
            return None
        index = _qualified(tokens, index)
    return index


def _cast(tokens: Tokens, index: int) -> int | None:
    casts = (place for place in range(index, index - MOST_TOKENS, -1) if tokens.at(place) in CASTS)
    return next(casts, None)


def _qualified(tokens: Tokens, index: int) -> int:
    """Return where a name with the names of its namespaces or classes starts."""
    while tokens.at(index - 1) == b"::":
        index -= 2 if tokens.is_name(index - 2) else 1
    return index


def _alone(tokens: Tokens, index: int, bodies: set[int]) -> int | None:
    """Return where a use starts that names a member without its object, as functions of a struct do."""
    around = tokens.around[index]
    first = _qualified(tokens, index)
    before = tokens.at(first - 1)
    is_declared = (tokens.is_name(first - 1) and before not in NO_CALLS) or before in {b">", b"]", b"."}
    is_declared |= before in {b"*", b"&"} and tokens.at(first - 2) in BUILT_IN
    is_declared |= before == b")" and tokens.at(tokens.other.get(first - 1, 0) - 1) in TYPES_OF
    is_declared |= before == b"," and tokens.at(around) != b"("
    return None if is_declared or not tokens.depths[index] or around in bodies else first


def _is_offset(tokens: Tokens, index: int) -> bool:
    return tokens.at(tokens.around[index] - 1) in {b"offsetof", b"__builtin_offsetof"}


def _is_address(tokens: Tokens, first: int) -> bool:
    while tokens.at(first - 1) == b"(":
        first -= 1
    is_operand = tokens.is_name(first - 2) and tokens.at(first - 2) not in NO_CALLS
    return tokens.at(first - 1) == b"&" and not is_operand and tokens.at(first - 2) not in {b")", b"]"}
