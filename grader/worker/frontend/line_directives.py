"""Find a line directive in a submission: with one, messages and findings would name lines that the file does not have.

A directive may be hidden by comments and by lines that end in a backslash, and a comment or a string may look like
one. Every pattern reads the text once: an unfinished comment or string ends with the file or the line.
"""

from __future__ import annotations

import re

SPLICE = re.compile(rb"\\[ \t\f\v]*\r?\n")
JOINED = b"\0"  # marks the end of a line that a splice or a comment removes, so that lines can be counted
MARK = b"\xef\xbb\xbf"  # the byte order mark, which is no part of the first line
HAS_INCLUDE, NEXT = (rb"\0*".join(bytes([letter]) for letter in word) for word in (b"__has_include", b"_next"))
TOKEN = re.compile(
    rb"""/\0*/[^\n]* | /\0*\*.*?(?:\*\0*/|\Z)                                # comments
    | (?:u\0*8\0*|[uUL]\0*)?R\0*"([^()\\\s]{0,16})\(.*?(?:\)\1"|\Z)          # raw strings
    | "(?:\\\0*.|[^"\\\n])*"? | '(?:\\\0*.|[^'\\\n])*'?                       # strings and characters
    | \bHAS_INCLUDE(?:NEXT)?[ \t\f\v\0]*\(?[ \t\f\v\0]*<[^>\n]*>?                # headers that need not exist
    | \.?\d(?:[eEpP]\0*[+-]|'?[\w$\0\x80-\xff]|\.)* | [\w$\x80-\xff][\w$\0\x80-\xff]*  # numbers and names
    """.replace(b"HAS_INCLUDE", HAS_INCLUDE).replace(b"NEXT", NEXT),
    re.DOTALL | re.VERBOSE,
)
DIRECTIVE = re.compile(rb"^[ \t\f\v\0]*(\#|%\0*:)[ \t\f\v\0]*(?:l\0*i\0*n\0*e\b|\d)", re.MULTILINE)


def first(content: bytes) -> int | None:
    """The line of the first line directive, from 1; None if there is none."""
    text = TOKEN.sub(_masked, SPLICE.sub(JOINED, content.removeprefix(MARK)))
    match = DIRECTIVE.search(text)
    return None if match is None else 1 + sum(text.count(end, 0, match.start(1)) for end in (b"\n", JOINED))


def _masked(token: re.Match[bytes]) -> bytes:
    """A comment separates words, a string is only a string, and a number, a name or a header stays."""
    text = token[0]
    if text.startswith(b"/"):
        return b" " + _ends(text)
    is_string = token[1] is not None or text.startswith((b'"', b"'"))
    return b'""' + _ends(text) if is_string else text


def _ends(text: bytes) -> bytes:
    return JOINED * sum(map(text.count, (b"\n", JOINED)))
