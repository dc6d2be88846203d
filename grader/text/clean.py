"""Text that anyone may have written, made fit for JSON, XML and a terminal."""

from __future__ import annotations

import re

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

# ECMA-48: CSI sequences (colours, cursor), OSC sequences (titles, links), and escapes of two characters.
_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]")

# Whatever XML 1.0 does not allow (section 2.2), what it discourages, and the marks that reorder a line on screen.
_UNFIT = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\u202a-\u202e\u2066-\u2069\ufffe\uffff"
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(1, 17))
    + "]"
)


def clean(text: str) -> str:
    """Drop terminal escapes, write every line end as a newline, and replace what no format may hold."""
    lines = _ESCAPES.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _UNFIT.sub(REPLACEMENT, lines)


def one_line(text: str, most: int) -> str:
    """Clean `text`, join its lines, and cut it at `most` characters."""
    return shorten(" ".join(clean(text).split()), most)


def shorten(text: str, most: int) -> str:
    """Cut `text` at `most` characters, and show that it was cut."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
