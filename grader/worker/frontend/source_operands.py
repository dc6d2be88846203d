"""Where the operands of an expression start in a source file, as its tokens show. Pure."""

from __future__ import annotations

import re

from grader.worker.frontend.source_tokens import Tokens

MEMBER = {b".", b"->"}
CASTS = {b"reinterpret_cast", b"static_cast", b"const_cast"}
KEYWORDS = {  # that stand before an operand
    *(b"return", b"if", b"while", b"for", b"switch", b"else", b"case", b"do", b"goto", b"throw", b"sizeof", b"new"),
    *(b"and", b"or", b"not", b"not_eq", b"bitand", b"bitor", b"compl", b"xor", b"and_eq", b"or_eq", b"xor_eq"),
}
MOST_TOKENS = 200  # of an expression that is written by hand


def object_start(tokens: Tokens, index: int) -> int | None:
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
        index = qualified_start(tokens, index)
    return index


def _cast(tokens: Tokens, index: int) -> int | None:
    """Return the index of the keyword of a cast of which the type ends at `index`."""
    for place in range(index, index - MOST_TOKENS, -1):
        if tokens.at(place) in CASTS:
            return place
        if tokens.at(place) in {b"", b"(", b")", b";"}:
            break
    return None


def qualified_start(tokens: Tokens, index: int) -> int:
    """Return where a name with the names of its namespaces or classes starts."""
    while tokens.at(index - 1) == b"::":
        index -= 2 if tokens.is_name(index - 2) and tokens.at(index - 2) not in KEYWORDS else 1
    return index


def address_sign(tokens: Tokens, first: int) -> int | None:
    """Return the index of the sign that takes the address of an expression; None without one."""
    while tokens.at(first - 1) == b"(":
        first -= 1
    sign, before = first - 1, first - 2
    is_operand = re.match(rb"\w", tokens.at(before)) is not None and tokens.at(before) not in KEYWORDS
    is_cast = tokens.at(before) == b")" and tokens.at(before - 1) == b"*"
    is_binary = is_operand or tokens.at(before) == b"]" or (tokens.at(before) == b")" and not is_cast)
    return sign if tokens.at(sign) == b"&" and not is_binary else None


def before_casts(tokens: Tokens, sign: int) -> bytes:
    """Return the token in front of an operand and the casts to pointers of it."""
    before = sign - 1
    while tokens.at(before) == b")" and tokens.at(before - 1) == b"*":
        before = tokens.other.get(before, 0) - 1
    return tokens.at(before)
