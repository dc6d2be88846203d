"""Constants of a file that its lab sets before it is compiled, as of a program for a single large size. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

# A macro up to a comment, or a constant of an integer type; the line keeps its number.
DEFINED = rb"^([ \t]*#[ \t]*define[ \t]+%s[ \t]+)[^\s/](?:[^\n/\\]|/(?![/*]))*"
DECLARED = rb"\b((?:const|constexpr)\b[^;=(){}\n]{0,80}\b%s[ \t]*=[ \t]*)[^;,{}\n]+"


def with_constants(content: bytes, constants: Iterable[str]) -> bytes:
    """Return a file with these constants, each given as `N = 128`. A file without one stays as it is."""
    for text in constants:
        name, _, value = (part.strip().encode() for part in text.partition("="))
        for pattern in (DEFINED, DECLARED):
            content = re.sub(pattern % name, rb"\g<1>" + value, content, flags=re.MULTILINE)
    return content
