"""Cleaning of text from any source, so that JSON, XML and terminals can hold it."""

from __future__ import annotations

import re

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

# ECMA-48: CSI sequences (colours, cursor), OSC sequences (titles, links), and escapes of two characters.
_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]")

# Characters that XML 1.0 forbids (section 2.2) or discourages, and marks that reorder a line on screen.
_UNFIT = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(1, 17))
    + "]"
)


def clean(text: str) -> str:
    """Remove terminal escapes, write every line end as a newline, and replace characters that some format forbids."""
    if text.isascii() and text.isprintable():  # as nearly all of the thousands of texts in the files of a class
        return text
    lines = _ESCAPES.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _UNFIT.sub(REPLACEMENT, lines)


def one_line(text: str, most: int) -> str:
    """Clean `text`, join its lines, and cut it at `most` characters."""
    return shorten(" ".join(clean(text).split()), most)


def shorten(text: str, most: int) -> str:
    """Cut `text` at `most` characters, the last of which is then an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
