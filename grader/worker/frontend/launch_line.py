"""The LAUNCH line of a file, whose fields may stand in any order, and which needs no lab.h above it. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from grader.worker.frontend.launch_mistakes import FIELDS, INCLUDE

HEADER = ("-include=lab.h",)
TOKEN = re.compile(  # of a file that is not preprocessed; what has no word is no token
    rb"""\s+ | //[^\n]* | /\*.*?(?:\*/|\Z) | \\\r?\n
    | (?P<word>(?:u8|[uUL])?R"(?P<end>[^()\\\s]{0,16})\(.*?(?:\)(?P=end)"|\Z)
    | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'?
    | \.?\d(?:[eEpP][+-]|'?[\w$\x80-\xff]|\.)* | [A-Za-z_$\x80-\xff][\w$\x80-\xff]* | .)""",
    re.DOTALL | re.VERBOSE,
)
CLOSING = {b"(": b")", b"[": b"]", b"{": b"}"}

Part = tuple[int, int]  # where the text of a field begins and ends


@dataclass(slots=True)
class _Bracket:
    """An open bracket: what closes it, what its commas separate, and whether these are the fields of a LAUNCH."""

    closing: bytes = b""
    parts: list[Part] = field(default_factory=list)
    of_launch: bool = False
    after_comma: bool = True

    def add(self, word: bytes, start: int, end: int) -> None:
        """Add a token, of an inner bracket the closing one only."""
        if word != b",":
            self.parts.append((start if self.after_comma else self.parts.pop()[0], end))
        self.after_comma = word == b","


def in_order(content: bytes) -> bytes:
    """Return the file with the fields of each LAUNCH in the order in which lab.h declares them, as C++ demands."""
    for parts in reversed(_launches(content)):
        content = _sorted(content, parts)
    return content


def header(content: bytes) -> tuple[str, ...]:
    """Return the flag that includes lab.h, if the file has a LAUNCH and no such line above it."""
    launches = _launches(content)
    return HEADER if launches and not INCLUDE.search(content, 0, launches[0][0][0]) else ()


def _launches(content: bytes) -> list[list[Part]]:
    """Return the fields of each LAUNCH that has any; other macros and functions may have that name."""
    if b"LAUNCH" not in content:
        return []
    found, opened, last = list[list[Part]](), [_Bracket()], (b"", b"")
    for token in TOKEN.finditer(content):
        if not (word := token["word"]):
            continue
        if word == opened[-1].closing:
            closed = opened.pop()
            found += [closed.parts] if closed.of_launch else []
        opened[-1].add(word, *token.span())
        if word in CLOSING:
            opened.append(_Bracket(CLOSING[word]))
        elif word == b".":
            opened[-1].of_launch |= last == (b"LAUNCH", b"(")
        last = last[1], word
    return sorted(found)


def _sorted(content: bytes, parts: list[Part]) -> bytes:
    """Return the file with its fields exchanged, each in the place of another; lines keep their numbers."""
    texts = [content[start:end] for start, end in parts]
    places = sorted(range(len(parts)), key=lambda part: _rank(texts[part]))
    for (start, end), place in reversed(list(zip(parts, places, strict=True))):
        content = content[:start] + texts[place] + content[end:]
    return content


def _rank(text: bytes) -> int:
    name = text[1:].split(b"=")[0].strip().decode("utf-8", "replace")
    return FIELDS.index(name) if name in FIELDS else len(FIELDS)
