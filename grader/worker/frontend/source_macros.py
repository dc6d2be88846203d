"""The macros that a source file defines, as its text shows them. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from grader.worker.frontend.source_tokens import tokens_of

DEFINE = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(\((?:[^()\\\n]|\\\r?\n)*\))?((?:[^\\\n]|\\\r?\n|\\)*)", re.MULTILINE
)
TEXT = re.compile(rb"(?<!#)#[ \t]*\w")
POSTFIX = {b".", b"->", b"::"}


@dataclass(frozen=True, slots=True)
class Macro:
    """Where the definition of a macro starts and ends in the text, its name, its parameters, and its last token.

    `is_operand` says that its body is one operand in any expression: in parentheses, or without an operator. `is_text`
    says that it makes text of a parameter.
    """

    start: int
    end: int
    name: bytes
    parameters: frozenset[bytes]
    last: bytes
    is_operand: bool
    is_text: bool


def macros_of(content: bytes) -> tuple[Macro, ...]:
    """Return the macros in the order of their definitions."""
    return tuple(_macro(found) for found in DEFINE.finditer(content))


def parameters_at(macros: Sequence[Macro], place: int) -> frozenset[bytes]:
    """Return the parameters of the macro in whose definition a place of the text is."""
    before = bisect_right(macros, place, key=lambda macro: macro.start)
    return macros[before - 1].parameters if before and place < macros[before - 1].end else frozenset()


def _macro(found: re.Match[bytes]) -> Macro:
    parameters = frozenset(re.findall(rb"\w+", found[2] or b""))
    tokens = tokens_of(found[3])
    index, is_operand = 0, bool(tokens.words)
    while index < len(tokens.words):
        is_operand &= index in tokens.other or tokens.is_name(index) or tokens.at(index) in POSTFIX
        index = max(index, tokens.other.get(index, index)) + 1
    last = tokens.at(len(tokens.words) - 1) if tokens.words else b""
    is_text = bool(found[2]) and TEXT.search(found[3]) is not None
    return Macro(found.start(), found.end(), found[1], parameters, last, is_operand, is_text)
