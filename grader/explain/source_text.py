"""What is where in the text of a submission: LAUNCH, declarations, functions and the ends of blocks. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate

COMMENT = re.compile(r"//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?")  # an open comment ends with the file, in linear time
LAUNCH = re.compile(r"\bLAUNCH\s*\(")
ANY_LAUNCH = re.compile(r"\bLAUNCH\s*\(|<<<")
KERNEL = re.compile(r"\b__global__\b")
# Of a function, or of a lambda with a name.
HEADER = re.compile(r"\b(\w+)\s*(?:=\s*\[[^\]]*\]\s*)?\((?:[^;{}()]|\([^()]*\))*\)\s*(?:(?:const|mutable)\s*)?\{")
CALLED_MACRO = re.compile(r"^\s*#\s*define\s+(\w+)\(", re.MULTILINE)
MOST_LINES, LONGEST_LINE = 1000, 300  # that are searched: some patterns take quadratic time on hostile ones
CONTROLS = frozenset({"if", "for", "while", "switch"})
MOST_CONSTANTS = 3
NO_LAUNCH = "The file has no LAUNCH line, so the block is the lab's."
CONSTANT = (
    r"#\s*define\s+{0}\b|\bconstexpr\b[^;()]*\b{0}\s*=|^(?:static\s+)?const\b[^;()]*\b{0}\s*="
    r"|\btypedef\b[^;]*\b{0}\s*;|\busing\s+{0}\s*="
)


@dataclass(frozen=True, slots=True)
class SourceText:
    """The lines of a submission, without its comments. Lines have numbers from 1 on; 0 is that of none."""

    lines: tuple[str, ...] = ()

    @classmethod
    def of(cls, content: bytes) -> SourceText:
        """Return the lines of a file, with blanks instead of comments and of long lines; none of a long file."""
        text = content.decode("utf-8", "replace")
        lines = COMMENT.sub(lambda found: " " + "\n" * found[0].count("\n"), text).split("\n")
        short = (line if len(line) <= LONGEST_LINE else "" for line in lines)
        return cls(tuple(short) if len(lines) <= MOST_LINES else ())

    def text(self, line: int) -> str:
        """Return a line; nothing for one that is not there."""
        return self.lines[line - 1] if 0 < line <= len(self.lines) else ""

    def numbers(self, pattern: re.Pattern[str]) -> list[int]:
        """Return the lines in which a pattern is found."""
        return self.between(pattern, 0, len(self.lines) + 1)

    def until(self, line: int) -> int:
        """Return a line, or the one behind the last where the text is shorter, as of a line that a worker invents."""
        return min(line, len(self.lines) + 1)

    def between(self, pattern: re.Pattern[str], first: int, last: int) -> list[int]:
        """Return the lines between two others in which a pattern is found."""
        return [number for number in range(first + 1, self.until(last)) if pattern.search(self.text(number))]

    def first_with(self, pattern: re.Pattern[str]) -> int:
        """Return the first line in which a pattern is found; 0 without any."""
        return next(iter(self.numbers(pattern)), 0)

    def only_with(self, pattern: re.Pattern[str]) -> int:
        """Return the line in which a pattern is found; 0 also with several, of which an #if may leave out any."""
        found = self.numbers(pattern)
        return found[0] if len(found) == 1 else 0

    @property
    def launch(self) -> int:
        """The line of LAUNCH; 0 in a file without any."""
        return self.only_with(LAUNCH)

    @property
    def is_launched_by_lab(self) -> bool:
        """Whether a file has neither LAUNCH nor a launch in host code, which counts in some labs."""
        return not self.first_with(ANY_LAUNCH)

    def shared_array(self, name: str) -> int:
        """Return the line that declares a shared array; 0 where none is found."""
        return self.only_with(re.compile(rf"\b__shared__\b.*\b{re.escape(name)}\b"))

    def end_of_block(self, first: int, last: int) -> int:
        """Return the line of the brace that closes the innermost block with two lines in it; 0 for none."""
        opened: list[int] = []
        for number, text in enumerate(self.lines, 1):
            for brace in re.findall(r"[{}]", text):
                if brace == "{":
                    opened.append(number)
                elif opened and opened.pop() <= min(first, last) and number >= max(first, last):
                    return number
        return 0

    def body_of(self, line: int) -> range:
        """Return the lines of a loop: to the brace that closes its body, or to its only statement."""
        braces = parentheses = 0
        for number in range(line, len(self.lines) + 1):
            for mark in re.findall(r"[{}();]", self.text(number)):
                parentheses += {"(": 1, ")": -1}.get(mark, 0)
                braces += {"{": 1, "}": -1}.get(mark, 0)
                if parentheses <= 0 and braces <= 0 and mark in "};":
                    return range(line, number + 1)
        return range(line, line + 1)

    def function_at(self, line: int) -> tuple[str, int]:
        """Return name and line of the function around a line; nothing and 0 outside of any."""
        text = "\n".join(self.lines)
        for header in reversed([*HEADER.finditer(text)]):
            depths = accumulate({"{": 1, "}": -1}.get(mark, 0) for mark in text[header.end() - 1 :])
            length = next((at for at, depth in enumerate(depths) if not depth), 0)
            first, last = (text.count("\n", 0, header.end() + each) + 1 for each in (0, length))
            if header[1] not in CONTROLS and first <= line <= last:
                return header[1], text.count("\n", 0, header.start()) + 1
        return "", 0

    def number_of(self, name: str, line: int) -> int:
        """Return a number, or that of a macro or constant which a line names; 0 where that is not known."""
        if name.isdigit():
            return int(name)
        places = [at for constant, at in self.constants_in(line) if constant == name]
        value = re.search(rf"\b{name}\b\s*=?\s*(\d+)\b", self.text(places[0])) if places else None
        return int(value[1]) if value else 0

    def called_in(self, line: int) -> list[tuple[str, int]]:
        """Return the functions and macros of the file that a line calls, each with its line."""
        text, called = "\n".join(self.lines), re.findall(r"\b(\w+)\s*\(", self.text(line))
        headers = [*HEADER.finditer(text), *CALLED_MACRO.finditer(text)]
        found = {header[1]: text.count("\n", 0, header.start(1)) + 1 for header in headers}
        return [(name, found[name]) for name in called if name not in CONTROLS and found.get(name, line) != line]

    def callers_of(self, name: str) -> list[int]:
        """Return the lines that call a function; none of those has a type before its name, or begins with it."""
        if not name:
            return []
        named = rf"{re.escape(name)}\s*(?:<[^<>;]*>\s*)?\("
        declared = re.compile(rf"(?:^|\b(?!return\b|else\b|do\b)\w+\s+[*&]?){named}")
        return [number for number in self.numbers(re.compile(rf"\b{named}")) if not declared.search(self.text(number))]

    def constants_in(self, line: int) -> list[tuple[str, int]]:
        """Return the macros, constants and types of the file that a line names, each with its line."""
        names = dict.fromkeys(re.findall(r"[A-Za-z_]\w*", self.text(line)))
        found = [(each, self.only_with(re.compile(CONSTANT.format(each)))) for each in names]
        return [(name, at) for name, at in found if at and at != line]

    def places_of_constants(self, line: int) -> str:
        """Say in which lines the constants of a line are, as a sentence; nothing if it names none or many."""
        places = [f"{name} is in line {at}" for name, at in self.constants_in(line)]
        return f" {' and '.join(places)}." if 0 < len(places) <= MOST_CONSTANTS else ""


NO_TEXT = SourceText()
