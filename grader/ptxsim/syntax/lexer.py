"""PTX text to words, words to integers and lines, and the small steps of a parser among them.

PTX ISA, "Syntax", "Integer Constants", ".loc".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.ptxsim.records.lacks import Lack, MalformedError

LARGEST = 16 << 20  # bytes; the largest that nvcc was seen to make of a lab's file has 1 MB

_KINDS = r"""(?P<real>0[fF][0-9A-Fa-f]{8}\b|0[dD][0-9A-Fa-f]{16}\b)
      | (?P<decimal>\d+\.\d*(?:[eE][-+]?\d+)?)
      | (?P<integer>0[xX][0-9A-Fa-f]+U?|0[bB][01]+U?|\d+U?)
      | (?P<modifier>\.[A-Za-z0-9_]\w*(?:::\w+)*)
      | (?P<name>[%$_A-Za-z][\w$]*)
      | (?P<text>"[^"]*")
      | (?P<mark>[-+{}()\[\],;:@!|<>=*&~%]|/(?!\*))"""
_KIND = re.compile(_KINDS, re.VERBOSE)

# Space and comments; then a word, or nothing at the end, or else all the rest, which begins with no word. The first
# group is atomic, and no mark begins a comment, so that the pattern reads every character once: inline assembly may
# hold any text.
_NOTHING = r"(?>(?:\s+|//[^\n]*|/\*(?s:.*?)\*/)*)"
_WORD = re.compile(rf"{_NOTHING}({re.sub('P<[a-z]+>', ':', _KINDS)} | \Z | (?s:.+))", re.VERBOSE)
MOST_BITS = 64
Place = tuple[int, int, int]  # file, line, column


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its kind."""

    kind: str
    text: str


END = Word("end", "")


class _Words(dict[str, Word]):
    """The words of a file by their text: a large kernel repeats a few thousand of them 200,000 times."""

    def __missing__(self, text: str) -> Word:
        match = _KIND.fullmatch(text)
        if match is None:
            raise KeyError(text)
        word = self[text] = Word(match.lastgroup or "", text)
        return word


class Cursor:
    """Reads the `words` of a text one after the other. `word` is the current one."""

    def __init__(self, text: str) -> None:
        self.words = [*words(text), END]
        self._place = 0
        self.word = self.words[0]

    def ahead(self, count: int) -> Word:
        """Return the word that many words ahead."""
        place = self._place + count
        return self.words[place] if place < len(self.words) else END

    def take(self) -> Word:
        """Return the current word and advance."""
        word = self.word
        if word is END:
            raise self.wrong()
        self._place += 1
        self.word = self.words[self._place]
        return word

    def accept(self, text: str) -> bool:
        """Skip `text` if it comes next."""
        if self.word.text != text:
            return False
        self._place += 1
        self.word = self.words[self._place]
        return True

    def return_one(self) -> None:
        """Go back to the word before."""
        self._place -= 1
        self.word = self.words[self._place]

    def expect(self, text: str) -> None:
        """Skip `text`, which must come next."""
        if not self.accept(text):
            raise self.wrong()

    def name(self) -> str:
        """Return the name that comes next."""
        if self.word.kind != "name":
            raise self.wrong()
        return self.take().text

    def integer(self) -> int:
        """Return the integer, with its sign, that comes next."""
        sign = -1 if self.accept("-") else 1
        if self.word.kind != "integer":
            raise self.wrong()
        return sign * int_of(self.take().text)

    def offset(self) -> int:
        """Return the sum of the numbers that come next, each with a sign; 0 without any."""
        total = 0
        while self.word.text in {"+", "-"}:
            sign = -1 if self.take().text == "-" else 1
            total += sign * self.integer()
        return total

    def skip_past(self, text: str) -> None:
        """Skip everything up to and including `text`."""
        while not self.accept(text):
            self.take()

    def wrong(self) -> MalformedError:
        """Return the error that something else comes next."""
        return MalformedError(Lack.PART)


def int_of(text: str) -> int:
    """Return the value of an integer without a sign.

    Raises:
        MalformedError: it has more than 64 bits.

    """
    digits = text.rstrip("uU") if text[:2].lower() != "0x" else text.rstrip("U")
    if len(digits.lstrip("0")) > len("b") + MOST_BITS or (value := _value(digits)) >> MOST_BITS:
        raise MalformedError(Lack.PART)
    return value


def _value(digits: str) -> int:
    if digits[:2].lower() in {"0x", "0b"}:
        return int(digits, 0)
    return int(digits, 8) if digits.startswith("0") and digits.isdigit() and digits != "0" else int(digits)


def words(text: str) -> list[Word]:
    """Return the words of a file.

    Raises:
        MalformedError: something in it is not a word of PTX, or the file is too large.

    """
    if len(text) > LARGEST:
        raise MalformedError(Lack.PROGRAM, number=len(text), name=str(LARGEST))
    known = _Words()
    try:
        return [known[word] for word in _WORD.findall(text) if word]
    except KeyError:
        raise MalformedError(Lack.PART) from None


def own_files(words: Sequence[Word], source: str) -> frozenset[int]:
    """Return the numbers of the .file directives that name the student's file, by the last part of its path.

    A kernel that is in a header alone has none: its lines would be taken for lines of the file.
    """
    directives = (at for at, word in enumerate(words) if word.text == ".file")
    paths = {int_of(words[at + 1].text): words[at + 2].text[1:-1] for at in directives}
    named = frozenset(number for number, path in paths.items() if path.rsplit("/", 1)[-1] == source)
    return named if source.endswith(".cu") else named or frozenset({1})


class Lines:
    """Follows the .loc directives of a function.

    A place in a header leads, through its `inlined_at`, to the line of the student's that called it: the innermost
    line of the student's own is the one that counts.
    """

    def __init__(self, own: frozenset[int]) -> None:
        self._own = own
        self._behind: dict[Place, int] = {}
        self.line = 0

    def move(self, place: Place, inlined_at: Place | None) -> None:
        """Follow one directive."""
        file, line, _ = place
        if file in self._own and line:
            own_line = line
        elif inlined_at is not None:
            called_in_own = inlined_at[0] in self._own and inlined_at[1]
            own_line = inlined_at[1] if called_in_own else self._behind.get(inlined_at, 0)
        else:
            own_line = 0
        self._behind[place] = own_line
        self.line = own_line or self.line
