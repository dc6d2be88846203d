"""PTX text to words (PTX ISA, "Syntax")."""

from __future__ import annotations

import re
from typing import NamedTuple

from grader.worker.simulator.syntax.errors import MalformedError

LARGEST = 16 << 20  # bytes; the largest that nvcc was seen to make of a lab's file has 1 MB

# Space and comments, then a word, or nothing at the end. The group is atomic, and no mark begins a comment, so that the
# pattern reads every character once: inline assembly may hold any text.
_WORD = re.compile(
    r"""(?>(?:\s|//[^\n]*|/\*(?s:.*?)\*/)*)
    (?:(?P<real>0[fF][0-9A-Fa-f]{8}\b|0[dD][0-9A-Fa-f]{16}\b)
      | (?P<decimal>\d+\.\d*(?:[eE][-+]?\d+)?)
      | (?P<integer>0[xX][0-9A-Fa-f]+U?|0[bB][01]+U?|\d+U?)
      | (?P<modifier>\.[A-Za-z0-9_]\w*(?:::\w+)*)
      | (?P<name>[%$_A-Za-z][\w$]*)
      | (?P<text>"(?:[^"\\\n]|\\.)*")
      | (?P<mark>[-+{}()\[\],;:@!|<>=*&~%]|/(?!\*))
      | (?P<end>\Z))""",
    re.VERBOSE,
)


class Word(NamedTuple):  # not a data class, which takes longer to make: a large kernel has 200,000 words
    """A word, its kind, and its line of the PTX."""

    kind: str
    text: str
    row: int


END = Word("end", "", 0)


def words(text: str) -> list[Word]:
    """Return the words of a file.

    Raises:
        MalformedError: something in it is not a word of PTX, or the file is too large.

    """
    if len(text) > LARGEST:
        raise MalformedError(f"a compiled program of {len(text)} bytes, more than {LARGEST}")
    result: list[Word] = []
    place, row = 0, 1
    while match := _WORD.match(text, place):
        kind = match.lastgroup or END.kind
        start, after = match.span(kind)
        if start > place + 1:  # mostly there is one space at most
            row += text.count("\n", place, start)
        elif start > place:
            row += text[place] == "\n"
        if kind == END.kind:
            return result
        result.append(Word(kind, text[start:after], row))
        place = after
    raise MalformedError(f"line {row} of the PTX, which has a character that PTX does not have")
