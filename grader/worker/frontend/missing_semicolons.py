"""A statement without its semicolon. The compiler names the line of the next statement. Pure."""

from __future__ import annotations

MESSAGE = 'expected a ";"'


def missing_semicolon(content: bytes, line: int, text: str, quoted: str, marker: str) -> int:
    """Return the line which lacks the semicolon; 0 for other mistakes.

    `line` and `text` are those of the compiler's message, below which it prints the line as `quoted`, and a `marker`
    with a caret. The semicolon is missing before this line if the caret is at its first character.
    """
    if text != MESSAGE or marker.find("^") != len(quoted) - len(quoted.lstrip()):
        return 0
    before = content.decode(errors="replace").splitlines()[: line - 1]
    for number, code in reversed(list(enumerate(before, 1))):
        if code.partition("//")[0].strip():
            return number
    return 0
