"""A place among the words of a file, and the small steps of a parser."""

from __future__ import annotations

from grader.ptxsim.records.lacks import Lack, MalformedError
from grader.ptxsim.syntax.lexer import END, Word, int_of, words


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

    def skip_past(self, text: str) -> None:
        """Skip everything up to and including `text`."""
        while not self.accept(text):
            self.take()

    def wrong(self) -> MalformedError:
        """Return the error that something else comes next."""
        return MalformedError(Lack.PART)
