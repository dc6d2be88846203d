"""The tokens of a CUDA source file, which is not preprocessed. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

TOKEN = re.compile(
    rb"""(?P<nothing>\s+|//[^\n]*|/\*.*?(?:\*/|\Z)|\\\r?\n)
    | (?:u8|[uUL])?R"(?P<end>[^()\\\s]{0,16})\(.*?(?:\)(?P=end)"|\Z) | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'?
    | \.?\d(?:[eEpP][+-]|'?[\w$\x80-\xff]|\.)* | [A-Za-z_$\x80-\xff][\w$\x80-\xff]*
    | -> | :: | \+\+ | -- | && | <<= | >>= | <= | >= | == | != | [-+*/%&|^]= | .""",
    re.DOTALL | re.VERBOSE,
)
NAME = re.compile(rb"[A-Za-z_$\x80-\xff]")
OPENING = {b"(": b")", b"[": b"]", b"{": b"}"}


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens, and where each starts in the text; how many braces are open there, and which bracket was last opened.

    `other` has each bracket's other one. Where none is open, -1 is the index of the last.
    """

    words: list[bytes]
    starts: list[int]
    depths: list[int]
    around: list[int]
    other: dict[int, int]

    def at(self, index: int) -> bytes:
        """Return a token; nothing before the first and after the last."""
        return self.words[index] if 0 <= index < len(self.words) else b""

    def is_name(self, index: int) -> bool:
        """Whether a token is an identifier or a keyword."""
        return NAME.match(self.at(index)) is not None

    def end(self, index: int) -> int:
        """Return where a token ends in the text."""
        return self.starts[index] + len(self.words[index])


def tokens_of(content: bytes) -> Tokens:
    """Return the tokens without comments. A bracket that is not closed has no other one."""
    tokens, opened, depth = Tokens([], [], [], [], {}), list[int](), 0
    for found in TOKEN.finditer(content):
        if found["nothing"] is not None:
            continue
        word, index = found[0], len(tokens.words)
        if opened and word == OPENING[tokens.words[opened[-1]]]:
            depth -= word == b"}"
            tokens.other[index] = opened.pop()
            tokens.other[tokens.other[index]] = index
        tokens.words.append(word)
        tokens.starts.append(found.start())
        tokens.depths.append(depth)
        tokens.around.append(opened[-1] if opened else -1)
        if word in OPENING:
            depth += word == b"{"
            opened.append(index)
    return tokens
