"""Mistakes of macros in the text of a submission. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, product

from grader.contract.structs import split
from grader.explain.source_text import SourceText

DEFINED = re.compile(r"^\s*#\s*define\s+(\w+)(\([\w\s,]*\))\s+(.*?)\s*$")
ADDS = re.compile(r"(?<=[\w)\]])(?<![\d.][eE])\s*[-+]\s*(?![-+=])")
MULTIPLIES = r"[*/%]"
NO_VALUES = {  # what a macro of a value, and not of statements, has too much
    re.compile(r"^\s*#\s*define\s+(\w+)\s+[^;={}]*;\s*$"): "ends with a semicolon",
    re.compile(r"^\s*#\s*define\s+(\w+)\s*=(?!=)"): "begins with an equals sign",
}
NUMBER = re.compile(r"^\s*#\s*define\s+(\w+)\s+(\(?\d[^;]{0,30}?)\s*$")
TYPE = r"(?:int|unsigned|long|short|size_t|u?int\d+_t|float|double)"
NESTED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
LONGEST = 60


@dataclass(frozen=True, slots=True)
class BrokenMacro:
    """A macro, in which line it is, and what it does, as a sentence."""

    line: int
    sentence: str


def broken_macro(source: SourceText) -> BrokenMacro | None:
    """Return the first macro that multiplies a part only of what it is given."""
    for number, text in enumerate(source.lines, 1):
        if (found := DEFINED.match(text)) is not None:
            name, parameters, body = found.groups()
            for line, shown, instead in _uses(name, parameters, body, source):
                sentence = f"The macro {name} of line {number} lacks parentheses: in line {line}, {shown} is {instead}."
                return BrokenMacro(number, sentence)
    return None


def no_value(line: int, source: SourceText) -> BrokenMacro | None:
    """Return the macro of a line that brings a semicolon or an equals sign to it."""
    for (pattern, has), (number, text) in product(NO_VALUES.items(), enumerate(source.lines, 1)):
        if (found := pattern.match(text)) and re.search(rf"\b{found[1]}\b", source.text(line)):
            sentence = f"The macro {found[1]} {has} in line {number}, which is then in line {line} too. Remove it."
            return BrokenMacro(number, sentence)
    return None


def macro_of_name(line: int, source: SourceText) -> BrokenMacro | None:
    """Return the macro of a number whose name a line declares, which then is no name."""
    for number, found in enumerate(map(NUMBER.match, source.lines[: max(0, line - 1)]), 1):
        if found and re.search(rf"\b{TYPE}[\s*&]+(?:const\s+)?{found[1]}\b", source.text(line)):
            name, value = found.groups()
            sentence = f"Line {number} defines {name} as {value}, which then stands in line {line} instead of the name."
            return BrokenMacro(number, f"{sentence} Remove line {number}, or give one of the two another name.")
    return None


def _uses(name: str, parameters: str, body: str, source: SourceText) -> Iterator[tuple[int, str, str]]:
    names = [each.strip() for each in parameters.strip("()").split(",")]
    bare = {each for each in names if _is_multiplied(each, body)}
    for number, text in enumerate(source.lines, 1) if bare else ():
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
