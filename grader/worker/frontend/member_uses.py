"""Where a submission takes an element of an array that is a member of a struct, as its text shows. Pure.

The text is not preprocessed, so a name may mean something else: the compiler, which knows the types, decides
(`member_checks/inside.h`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from grader.worker.frontend.member_names import BUILT_IN, names_of, structs_of
from grader.worker.frontend.source_macros import Macro, macros_of, parameters_at
from grader.worker.frontend.source_operands import (
    KEYWORDS,
    MEMBER,
    address_sign,
    before_casts,
    object_start,
    qualified_start,
)
from grader.worker.frontend.source_tokens import Tokens, tokens_of

NAME = re.compile(rb"\w+")
OF_TYPES = {b"decltype", b"typeof", b"__typeof__", b"alignas", b"__align__", b"__attribute__"}
BEGINS = {b";", b"{", b"}", b"const", b"volatile", b"static", b"constexpr"}  # a declaration
# Limits for texts that were not written by hand, which would take long to read.
MOST_BYTES, MOST_USES, MOST_TEXTS = 1 << 18, 2000, 500


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


def member_uses(content: bytes) -> tuple[Use, ...]:
    """Return the uses by their start; of those that start together, the longest first."""
    if len(content) > MOST_BYTES or b"[" not in content:
        return ()
    tokens, macros = tokens_of(content), macros_of(content)
    structs = structs_of(tokens)
    names = names_of(structs, tokens)
    names |= {macro.name for macro in macros if macro.is_operand and macro.last in names}
    named = (index for index, word in enumerate(tokens.words) if word in names and tokens.at(index + 1) == b"[")
    bodies = {struct.first for struct in structs}
    found = [use for index in islice(named, MOST_USES) if (use := _use(tokens, index, bodies))]
    texts = list(islice(_texts(tokens, macros), MOST_TEXTS))
    whole = (use for use in _whole(found, content, macros) if not any(use.start in text for text in texts))
    return tuple(sorted(whole, key=lambda use: (use.start, -use.end)))


def _texts(tokens: Tokens, macros: Sequence[Macro]) -> Iterator[range]:
    """Yield the places of the arguments of which a macro makes text, which is not to change."""
    names = {macro.name for macro in macros if macro.is_text}
    for index, word in enumerate(tokens.words):
        if word in names and tokens.at(index + 1) == b"(" and index + 1 in tokens.other:
            yield range(tokens.starts[index + 1], tokens.starts[tokens.other[index + 1]])


def _whole(uses: Sequence[Use], content: bytes, macros: Sequence[Macro]) -> Iterator[Use]:
    """Yield the uses that begin with no macro or parameter of which a part could belong to what stands in front."""
    open_ = {macro.name for macro in macros if not macro.is_operand}
    for use in uses:
        word = NAME.match(content, use.start)
        if not word or (word[0] not in open_ and word[0] not in parameters_at(macros, use.start)):
            yield use


def _use(tokens: Tokens, index: int, bodies: set[int]) -> Use | None:
    """Return the use of the array whose name is the token at this index; None for anything else."""
    first = object_start(tokens, index) if tokens.at(index - 1) in MEMBER else _alone(tokens, index, bodies)
    if first is None or _is_offset(tokens, first) or _keeps_a_value(tokens, first, index):
        return None
    last, subscripts = index, 0
    while tokens.at(last + 1) == b"[" and last + 1 in tokens.other and tokens.at(last + 2) != b"[":
        last, subscripts = tokens.other[last + 1], subscripts + 1
    sign = address_sign(tokens, first)
    may_end = sign is not None and before_casts(tokens, sign) not in {b"(", b",", b"*"}
    use = Use(tokens.starts[first], tokens.end(index), subscripts, sign is not None, may_end)
    return use if subscripts else None


def _alone(tokens: Tokens, index: int, bodies: set[int]) -> int | None:
    """Return where a use starts that names a member without its object, as functions of a struct do."""
    first = qualified_start(tokens, index)
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
