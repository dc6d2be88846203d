"""PTX text to words (PTX ISA, "Syntax")."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grader.worker.simulator.syntax.errors import MalformedError

LARGEST = 16 << 20  # bytes; the largest that nvcc was seen to make of a lab's file has 1 MB

_SKIPPED = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_WORD = re.compile(
    r"""(?P<real>0[fF][0-9A-Fa-f]{8}\b|0[dD][0-9A-Fa-f]{16}\b)
      | (?P<decimal>\d+\.\d*(?:[eE][-+]?\d+)?)
      | (?P<integer>0[xX][0-9A-Fa-f]+U?|0[bB][01]+U?|\d+U?)
      | (?P<modifier>\.[A-Za-z0-9_]\w*(?:::\w+)*)
      | (?P<name>[%$_A-Za-z][\w$]*)
      | (?P<text>"(?:[^"\\\n]|\\.)*")
      | (?P<mark>[-+{}()\[\],;:@!|<>=*&~/%])""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Word:
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
    place, row, end = 0, 1, len(text)
    while place < end:
        skipped = _SKIPPED.match(text, place)
        if skipped:
            row += text.count("\n", place, skipped.end())
            place = skipped.end()
            continue
        match = _WORD.match(text, place)
        if match is None or match.lastgroup is None:
            raise MalformedError(f"line {row} of the PTX, which has a character that PTX does not have")
        result.append(Word(match.lastgroup, match[0], row))
        place = match.end()
    return result
