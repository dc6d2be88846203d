"""What is where in the text of a submission: LAUNCH, declarations, the ends of blocks, and mistakes of macros. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from grader.contract.structs import split

COMMENT = re.compile(r"//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?")  # an open comment ends with the file, in linear time
LAUNCH = re.compile(r"\bLAUNCH\s*\(")
ANY_LAUNCH = re.compile(r"\bLAUNCH\s*\(|<<<")
KERNEL = re.compile(r"\b__global__\b")
# Of a function, or of a lambda with a name.
HEADER = re.compile(r"\b(\w+)\s*(?:=\s*\[[^\]]*\]\s*)?\((?:[^;{}()]|\([^()]*\))*\)\s*(?:(?:const|mutable)\s*)?\{")
CALLED_MACRO = re.compile(r"^\s*#\s*define\s+(\w+)\(", re.MULTILINE)
MOST_LINES, LONGEST_LINE = 1000, 300  # that are searched: some patterns take quadratic time on hostile ones
CONTROLS = frozenset({"if", "for", "while", "switch"})
NO_LAUNCH = "The file has no LAUNCH line, so the block is the lab's."
Source = Sequence[str]
"""The lines of the submission, without its comments."""


def code_lines(content: bytes) -> list[str]:
    """Return the lines of a file, with blanks instead of comments and of long lines; none of a long file."""
    text = content.decode("utf-8", "replace")
    lines = COMMENT.sub(lambda found: " " + "\n" * found[0].count("\n"), text).split("\n")
    return [line if len(line) <= LONGEST_LINE else "" for line in lines] if len(lines) <= MOST_LINES else []


def text_of(line: int, source: Source) -> str:
    """Return a line; nothing for one that is not there."""
    return source[line - 1] if 0 < line <= len(source) else ""


def line_with(pattern: re.Pattern[str], source: Source) -> int:
    """Return the first line in which a pattern is found; 0 without any."""
    return next((number for number, text in enumerate(source, 1) if pattern.search(text)), 0)


def only_line_with(pattern: re.Pattern[str], source: Source) -> int:
    """Return the line in which a pattern is found; 0 also with several, of which an #if may leave out any."""
    found = [number for number, text in enumerate(source, 1) if pattern.search(text)]
    return found[0] if len(found) == 1 else 0


def launch_of(source: Source) -> int:
    """Return the line of LAUNCH; 0 in a file without any."""
    return only_line_with(LAUNCH, source)


def is_launched_by_lab(source: Source) -> bool:
    """Return whether a file has neither LAUNCH nor a launch in host code, which counts in some labs."""
    return not line_with(ANY_LAUNCH, source)


def shared_array(name: str, source: Source) -> int:
    """Return the line that declares a shared array; 0 where none is found."""
    return only_line_with(re.compile(rf"\b__shared__\b.*\b{re.escape(name)}\b"), source)


def end_of_block(first: int, last: int, source: Source) -> int:
    """Return the line of the brace that closes the innermost block with two lines in it; 0 for none."""
    opened: list[int] = []
    for number, text in enumerate(source, 1):
        for brace in re.findall(r"[{}]", text):
            if brace == "{":
                opened.append(number)
            elif opened and opened.pop() <= min(first, last) and number >= max(first, last):
                return number
    return 0


def body_of(line: int, source: Source) -> range:
    """Return the lines of a loop: to the brace that closes its body, or to its only statement."""
    braces = parentheses = 0
    for number in range(line, len(source) + 1):
        for mark in re.findall(r"[{}();]", source[number - 1]):
            parentheses += {"(": 1, ")": -1}.get(mark, 0)
            braces += {"{": 1, "}": -1}.get(mark, 0)
            if parentheses <= 0 and braces <= 0 and mark in "};":
                return range(line, number + 1)
    return range(line, line + 1)


def indentation(text: str) -> int:
    """Return how far a line is indented."""
    expanded = text.expandtabs()
    return len(expanded) - len(expanded.lstrip())


def lines_between(pattern: re.Pattern[str], first: int, last: int, source: Source) -> list[int]:
    """Return the lines between two others in which a pattern is found."""
    return [number for number in range(first + 1, last) if pattern.search(text_of(number, source))]


def function_at(line: int, source: Source) -> tuple[str, int]:
    """Return name and line of the function around a line; nothing and 0 outside of any."""
    text = "\n".join(source)
    for header in reversed([*HEADER.finditer(text)]):
        start = text.count("\n", 0, header.end()) + 1
        if header[1] not in CONTROLS and start <= line <= end_of_block(start, start + 1, source):
            return header[1], text.count("\n", 0, header.start()) + 1
    return "", 0


def number_of(name: str, line: int, source: Source) -> int:
    """Return a number, or that of a macro or constant which a line names; 0 where that is not known."""
    if name.isdigit():
        return int(name)
    places = [at for constant, at in constants_in(line, source) if constant == name]
    value = re.search(rf"\b{name}\b\s*=?\s*(\d+)\b", text_of(places[0], source)) if places else None
    return int(value[1]) if value else 0


def called_in(line: int, source: Source) -> list[tuple[str, int]]:
    """Return the functions and macros of the file that a line calls, each with its line."""
    text, called = "\n".join(source), re.findall(r"\b(\w+)\s*\(", text_of(line, source))
    headers = [*HEADER.finditer(text), *CALLED_MACRO.finditer(text)]
    found = {header[1]: text.count("\n", 0, header.start(1)) + 1 for header in headers}
    return [(name, found[name]) for name in called if name not in CONTROLS and found.get(name, line) != line]


def callers_of(name: str, source: Source) -> list[int]:
    """Return the lines that call a function; none of those has a type before its name, or begins with it."""
    if not name:
        return []
    named = rf"{re.escape(name)}\s*(?:<[^<>;]*>\s*)?\("
    called, declared = re.compile(rf"\b{named}"), re.compile(rf"(?:^|\b(?!return\b|else\b|do\b)\w+\s+[*&]?){named}")
    return [number for number, text in enumerate(source, 1) if called.search(text) and not declared.search(text)]


def constants_in(line: int, source: Source) -> list[tuple[str, int]]:
    """Return the macros, constants and types of the file that a line names, each with its line."""
    names = dict.fromkeys(re.findall(r"[A-Za-z_]\w*", text_of(line, source)))
    constant = r"#\s*define\s+{0}\b|\bconstexpr\b[^;()]*\b{0}\s*=|^(?:static\s+)?const\b[^;()]*\b{0}\s*="
    constant += r"|\btypedef\b[^;]*\b{0}\s*;|\busing\s+{0}\s*="
    defined = {each: re.compile(constant.format(each)) for each in names}
    found = [(each, only_line_with(pattern, source)) for each, pattern in defined.items()]
    return [(name, at) for name, at in found if at and at != line]


DEFINED = re.compile(r"^\s*#\s*define\s+(\w+)(\([\w\s,]*\))\s+(.*?)\s*$")
ADDS = re.compile(r"(?<=[\w)\]])(?<![\d.][eE])\s*[-+]\s*(?![-+=])")
MULTIPLIES = r"[*/%]"
ENDS = re.compile(r"^\s*#\s*define\s+(\w+)\s+[^;={}]*;\s*$")  # of a value, and not of statements
NUMBER = re.compile(r"^\s*#\s*define\s+(\w+)\s+(\(?\d[^;]{0,30}?)\s*$")
TYPE = r"(?:int|unsigned|long|short|size_t|u?int\d+_t|float|double)"
NESTED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
LONGEST = 60


@dataclass(frozen=True, slots=True)
class BrokenMacro:
    """A macro, in which line it is, and what it does, as a sentence."""

    line: int
    sentence: str


def broken_macro(source: Source) -> BrokenMacro | None:
    """Return the first macro that multiplies a part only of what it is given."""
    for number, text in enumerate(source, 1):
        if (found := DEFINED.match(text)) is not None:
            name, parameters, body = found.groups()
            for line, shown, instead in _uses(name, parameters, body, source):
                sentence = f"The macro {name} of line {number} lacks parentheses: in line {line}, {shown} is {instead}."
                return BrokenMacro(number, sentence)
    return None


def with_semicolon(line: int, source: Source) -> BrokenMacro | None:
    """Return the macro of a line that brings a semicolon to it."""
    for number, found in enumerate(map(ENDS.match, source), 1):
        if found and re.search(rf"\b{found[1]}\b", text_of(line, source)):
            sentence = f"The macro {found[1]} ends with a semicolon in line {number}, which is then in line {line} too."
            return BrokenMacro(number, f"{sentence} Remove it.")
    return None


def macro_of_name(line: int, source: Source) -> BrokenMacro | None:
    """Return the macro of a number whose name a line declares, which then is no name."""
    for number, found in enumerate(map(NUMBER.match, source[: max(0, line - 1)]), 1):
        if found and re.search(rf"\b{TYPE}[\s*&]+(?:const\s+)?{found[1]}\b", text_of(line, source)):
            name, value = found.groups()
            sentence = f"Line {number} defines {name} as {value}, which then stands in line {line} instead of the name."
            return BrokenMacro(number, f"{sentence} Remove line {number}, or give one of the two another name.")
    return None


def _uses(name: str, parameters: str, body: str, source: Source) -> Iterator[tuple[int, str, str]]:
    names = [each.strip() for each in parameters.strip("()").split(",")]
    bare = {each for each in names if _is_multiplied(each, body)}
    for number, text in enumerate(source, 1) if bare else ():
        for start in () if DEFINED.match(text) else re.finditer(rf"\b{name}\s*\(", text):
            given = dict(zip(names, _arguments(text[start.end() :]), strict=False))
            if any(ADDS.search(_outside(given.get(each, ""))) for each in bare):
                yield number, f"{name}({', '.join(given.values())})"[:LONGEST], _replaced(body, given)[:LONGEST]


def _is_multiplied(name: str, body: str) -> bool:
    """Return whether a macro multiplies a parameter that has no parentheses around it."""
    return bool(re.search(rf"\b{name}\s*{MULTIPLIES}|{MULTIPLIES}\s*{name}\b", body))


def _replaced(body: str, given: Mapping[str, str]) -> str:
    return re.sub(r"\b\w+\b", lambda found: given.get(found[0], found[0]), body)


def _outside(text: str) -> str:
    """Return a text without what is in parentheses or brackets."""
    while (shorter := NESTED.sub("x", text)) != text:
        text = shorter
    return text


def _arguments(text: str) -> Sequence[str]:
    """Return the arguments of a call, whose opening parenthesis is before the text."""
    depths = accumulate({"(": 1, "[": 1, ")": -1, "]": -1}.get(mark, 0) for mark in text)
    end = next((at for at, depth in enumerate(depths) if depth < 0), None)
    return () if end is None else split(text[:end])
