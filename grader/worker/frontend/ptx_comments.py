"""PTX without its comments, in which inline assembly can write any text. Pure.

Comments as ptxas reads them: from two slashes to a line feed, which nothing else ends or continues, or from `/*` to
`*/`. A string has no escapes, and may contain line feeds.
"""

from __future__ import annotations

import re

_STRING_OR_COMMENT = re.compile(r'"[^"]*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)


def without_comments(ptx: str) -> str:
    """Return the text with spaces in the place of comments, so that all else stays where it is."""
    return _STRING_OR_COMMENT.sub(_kept, ptx)


def _kept(found: re.Match[str]) -> str:
    if found[0].startswith('"'):
        return found[0]
    return "\n".join(" " * len(line) for line in found[0].split("\n"))
