"""Which line of the student's file an instruction comes from (PTX ISA, ".loc")."""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.syntax.lexer import Word, int_of

Place = tuple[int, int, int]  # file, line, column


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
