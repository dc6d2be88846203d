"""Find a line directive in a submission: with one, messages and findings would name lines that the file does not have.

A directive may be hidden by comments and by lines that end in a backslash, and a comment or a string may look like
one. Every pattern reads the text once: an unfinished comment or string ends with the file or the line.
"""

from __future__ import annotations

import re

SPLICE = re.compile(rb"\\[ \t]*\r?\n")
JOINED = b"\0"  # marks the end of a line that a splice or a comment removes, so that lines can be counted
IGNORED = re.compile(
    rb"""//[^\n]* | /\*.*?(?:\*/|\Z)                   # comments
    | \bR"([^()\\\s]{0,16})\(.*?(?:\)\1"|\Z)           # raw strings
    | \b\d(?:'?[\w.])*                                 # numbers, which may have separators
    | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'?      # strings and characters
    """,
    re.DOTALL | re.VERBOSE,
)
DIRECTIVE = re.compile(rb"^[ \t\0]*(\#|%\0*:)[ \t\0]*(?:l\0*i\0*n\0*e\b|\d)", re.MULTILINE)


def first(content: bytes) -> int | None:
    """The line of the first line directive, from 1; None if there is none."""
    text = IGNORED.sub(_masked, SPLICE.sub(JOINED, content))
    match = DIRECTIVE.search(text)
    return None if match is None else 1 + sum(text.count(end, 0, match.start(1)) for end in (b"\n", JOINED))


def _masked(token: re.Match[bytes]) -> bytes:
    """A comment separates words, a string is only a string, and a number stays."""
    text = token[0]
    if text[:1].isdigit():
        return text
    return (b" " if text.startswith(b"/") else b'""') + JOINED * sum(map(text.count, (b"\n", JOINED)))
