"""The LAUNCH line of a file, whose fields may stand in any order, and which needs no lab.h above it. Pure."""

from __future__ import annotations

from grader.worker.frontend.launch_mistakes import FIELDS, INCLUDE
from grader.worker.frontend.source_tokens import Tokens, tokens_of

HEADER = ("-include=lab.h",)

Part = tuple[int, int]  # where the text of a field begins and ends


def in_order(content: bytes) -> bytes:
    """Return the file with the fields of each LAUNCH in the order in which lab.h declares them, as C++ demands."""
    if b"LAUNCH" not in content:
        return content
    tokens = tokens_of(content)
    for index in reversed(_uses(tokens)):
        content = _sorted(content, _parts(tokens, index + 1))
    return content


def header(content: bytes) -> tuple[str, ...]:
    """Return the flag that includes lab.h, if the file has a LAUNCH and no such line above it."""
    uses = _uses(tokens := tokens_of(content)) if b"LAUNCH" in content else []
    return HEADER if uses and not INCLUDE.search(content, 0, tokens.starts[uses[0]]) else ()


def _uses(tokens: Tokens) -> list[int]:
    """Return where a LAUNCH has fields; other macros and functions may have that name."""
    return [
        index
        for index, word in enumerate(tokens.words)
        if word == b"LAUNCH"
        and tokens.at(index + 1) == b"("
        and tokens.at(index + 2) == b"."
        and index + 1 in tokens.other
    ]


def _parts(tokens: Tokens, opening: int) -> list[Part]:
    """Return the fields inside of a pair of parentheses."""
    parts, first = list[Part](), opening + 1
    for index in range(opening + 1, tokens.other[opening] + 1):
        if index == tokens.other[opening] or (tokens.at(index) == b"," and tokens.around[index] == opening):
            if first < index:
                parts.append((tokens.starts[first], tokens.end(index - 1)))
            first = index + 1
    return parts


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
