"""Where a submission takes an element of an array that is a member of a struct, as its text shows. Pure.

The text is not preprocessed, so a name may mean something else: the compiler, which knows the types, decides
(`member_checks/inside.h`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from grader.worker.frontend.source_macros import Macro, macros_of, parameters_at
from grader.worker.frontend.source_tokens import Tokens, tokens_of

NAME = re.compile(rb"\w+")
MEMBER, STRUCTS = {b".", b"->"}, {b"struct", b"class", b"union"}
CASTS = {b"reinterpret_cast", b"static_cast", b"const_cast"}
KEYWORDS = {  # that stand before an operand
    *(b"return", b"if", b"while", b"for", b"switch", b"else", b"case", b"do", b"goto", b"throw", b"sizeof", b"new"),
    *(b"and", b"or", b"not", b"not_eq", b"bitand", b"bitor", b"compl", b"xor", b"and_eq", b"or_eq", b"xor_eq"),
}
BUILT_IN = {b"int", b"float", b"double", b"char", b"short", b"long", b"unsigned", b"signed", b"bool", b"void", b"const"}
OF_TYPES = {b"decltype", b"typeof", b"__typeof__", b"alignas", b"__align__", b"__attribute__"}
BEGINS = {b";", b"{", b"}", b"const", b"volatile", b"static", b"constexpr"}  # a declaration
# Limits for texts that were not written by hand, which would take long to read.
MOST_BYTES, MOST_STRUCTS, MOST_USES, MOST_TOKENS = 1 << 18, 500, 2000, 200


@dataclass(frozen=True, slots=True)
class Use:
    """Where an expression for an array starts and ends in the text, and how many subscripts follow.

    `is_address` says that the address of the element is taken, and `may_end` that it may be the end of a loop.
    """

    start: int
    end: int
    subscripts: int
    is_address: bool
    may_end: bool


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
    names |= set(_references(tokens, names))
    macros = macros_of(content)
    names |= {macro.name for macro in macros if macro.is_operand and macro.last in names}
    named = (index for index, word in enumerate(tokens.words) if word in names and tokens.at(index + 1) == b"[")
    bodies = {struct.first for struct in structs}
    found = [use for index in islice(named, MOST_USES) if (use := _use(tokens, index, bodies))]
    whole = without_open_macros(found, content, macros)
    return tuple(sorted(whole, key=lambda use: (use.start, -use.end)))


def without_open_macros(uses: Sequence[Use], content: bytes, macros: Sequence[Macro]) -> Iterator[Use]:
    """Yield the uses that begin with no macro or parameter of which a part could belong to what stands in front."""
    open_ = {macro.name for macro in macros if not macro.is_operand}
    for use in uses:
        word = NAME.match(content, use.start)
        if not word or (word[0] not in open_ and word[0] not in parameters_at(macros, use.start)):
            yield use


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


def _references(tokens: Tokens, names: frozenset[bytes]) -> Iterator[bytes]:
    """Yield the names of references to members: `auto& a = s.a;` and `float (&a)[16] = s.a;`."""
    for index, word in enumerate(tokens.words):
        if word in {b";", b","} and tokens.at(index - 1) in names and tokens.at(index - 2) in MEMBER:
            first = _object(tokens, index - 1)
            place = first - 2 if first is not None and tokens.at(first - 1) == b"=" else -1
            while tokens.at(place) == b"]" and place in tokens.other:
                place = tokens.other[place] - 1
            place -= tokens.at(place) == b")"
            if tokens.is_name(place) and tokens.at(place - 1) == b"&":
                yield tokens.at(place)


def _use(tokens: Tokens, index: int, bodies: set[int]) -> Use | None:
    """Return the use of the array whose name is the token at this index; None for anything else."""
    first = _object(tokens, index) if tokens.at(index - 1) in MEMBER else _alone(tokens, index, bodies)
    if first is None or _is_offset(tokens, first) or _keeps_a_value(tokens, first, index):
        return None
    last, subscripts = index, 0
    while tokens.at(last + 1) == b"[" and last + 1 in tokens.other and tokens.at(last + 2) != b"[":
        last, subscripts = tokens.other[last + 1], subscripts + 1
    sign = _address(tokens, first)
    may_end = sign is not None and _without_casts(tokens, sign) not in {b"(", b",", b"*"}
    use = Use(tokens.starts[first], tokens.end(index), subscripts, sign is not None, may_end)
    return use if subscripts else None


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
            if not tokens.is_name(index - 1) or tokens.at(index - 1) in KEYWORDS:
                return index
            index -= 1
        if not tokens.is_name(index):
            return None
        index = _qualified(tokens, index)
    return index


def _cast(tokens: Tokens, index: int) -> int | None:
    """Return the index of the keyword of a cast of which the type ends at `index`."""
    for place in range(index, index - MOST_TOKENS, -1):
        if tokens.at(place) in CASTS:
            return place
        if tokens.at(place) in {b"", b"(", b")", b";"}:
            break
    return None


def _qualified(tokens: Tokens, index: int) -> int:
    """Return where a name with the names of its namespaces or classes starts."""
    while tokens.at(index - 1) == b"::":
        index -= 2 if tokens.is_name(index - 2) and tokens.at(index - 2) not in KEYWORDS else 1
    return index


def _alone(tokens: Tokens, index: int, bodies: set[int]) -> int | None:
    """Return where a use starts that names a member without its object, as functions of a struct do."""
    first = _qualified(tokens, index)
    is_member = tokens.depths[index] and tokens.around[index] not in bodies and tokens.at(first - 1) not in MEMBER
    return first if is_member and not _is_declared(tokens, first) else None


def _is_declared(tokens: Tokens, first: int) -> bool:
    """Whether what precedes a name is a type."""
    before, two_before, three_before = (tokens.at(first - distance) for distance in (1, 2, 3))
    if before in {b"*", b"&"}:
        return two_before in BUILT_IN or (tokens.is_name(first - 2) and three_before in BEGINS)
    if before == b")":
        return tokens.at(tokens.other.get(first - 1, 0) - 1) in OF_TYPES
    if before == b"(":
        return two_before in BUILT_IN and three_before in BEGINS
    if before == b",":
        return tokens.at(tokens.around[first]) != b"("
    return before in {b">", b"]"} or (tokens.is_name(first - 1) and before not in KEYWORDS)


def _is_offset(tokens: Tokens, index: int) -> bool:
    return tokens.at(tokens.around[index] - 1) in {b"offsetof", b"__builtin_offsetof"}


def _keeps_a_value(tokens: Tokens, first: int, index: int) -> bool:
    """Whether a reference may extend the life of a value that a function returns, which it does not through another."""
    is_reference = tokens.at(first - 1) == b"=" and tokens.at(first - 3) in {b"&", b"&&"}
    return is_reference and tokens.at(index - 2) == b")"


def _address(tokens: Tokens, first: int) -> int | None:
    """Return the index of the sign that takes the address of an expression; None without one."""
    while tokens.at(first - 1) == b"(":
        first -= 1
    sign, before = first - 1, first - 2
    is_operand = re.match(rb"\w", tokens.at(before)) is not None and tokens.at(before) not in KEYWORDS
    is_cast = tokens.at(before) == b")" and tokens.at(before - 1) == b"*"
    is_binary = is_operand or tokens.at(before) == b"]" or (tokens.at(before) == b")" and not is_cast)
    return sign if tokens.at(sign) == b"&" and not is_binary else None


def _without_casts(tokens: Tokens, sign: int) -> bytes:
    """Return the token in front of an operand and the casts to pointers of it."""
    before = sign - 1
    while tokens.at(before) == b")" and tokens.at(before - 1) == b"*":
        before = tokens.other.get(before, 0) - 1
    return tokens.at(before)
