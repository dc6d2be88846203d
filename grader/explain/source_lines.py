"""Lines of a submission, and the variables that they name, in words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from grader.explain.macros import DEFINED
from grader.explain.source_text import SourceText
from grader.model.scenes import Condition, NamedValue, Scene

WORD = re.compile(r"(?<![\w.])(?<!->)[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")  # with its members: pos.row
BARRIER = re.compile(r"\b__syncthreads\s*\(")
LOOP = re.compile(r"\b(?:for|while|do)\b")
CONDITION = re.compile(r"\b(?:for|while|if|switch)\s*\(")
COUNTS = re.compile(r"\bfor\b[^;=]*=\s*\w+\s*;")  # from a number or a variable on, which may be any term
STEP = re.compile(r"\+=\s*(\d+|\w+)")
SHOWN = re.compile(r"-?\d+\Z|true\Z|false\Z|&\w+\[[1-9]\d*\]\Z")  # no pointer to a start, as most are
MOST_NAMED, LONGEST_QUOTED, MOST_SET, MOST_LED_TO = 6, 80, 12, 10


def quoted(line: int, source: SourceText) -> str:
    """Return a line behind a colon, if it is short."""
    text = " ".join(source.text(line).split()).rstrip("{; ")
    return f": {text}" if 0 < len(text) <= LONGEST_QUOTED and text.isprintable() else ""


def condition_in(line: int, source: SourceText) -> str:
    """Return a line without the statement behind its conditions; the whole line where these do not end in it."""
    text, end = source.text(line), 0
    for found in CONDITION.finditer(text):
        depths = accumulate({"(": 1, ")": -1}.get(mark, 0) for mark in text[found.end() - 1 :])
        closed = next((at for at, depth in enumerate(depths) if not depth), None)
        if closed is None:
            return text
        end = max(end, found.end() + closed)
    return text[:end] or text


def named_in(variables: Iterable[NamedValue], text: str) -> list[NamedValue]:
    """Return the numbers and pointers that a line names, the innermost variable of each name, in the line's order."""
    by_name: dict[str, NamedValue] = {}
    for each in variables:
        by_name.setdefault(each.name, each)
    named = [by_name[word] for word in dict.fromkeys(WORD.findall(text)) if word in by_name]
    return [each for each in named if SHOWN.match(each.value)][:MOST_NAMED]


def named_at(at: Scene | Condition, source: SourceText) -> list[NamedValue]:
    """Return what the line of a scene or a condition names, also by macros that it calls."""
    words = [source.text(at.line)]
    for _, line in source.called_in(at.line):
        if macro := DEFINED.match(source.text(line)):
            own = WORD.findall(macro[2])
            words += [word for word in WORD.findall(macro[3]) if word not in own]
    return named_in(at.variables, " ".join(words))


def with_values(named: Sequence[NamedValue], declared: Collection[str] = ()) -> str:
    """Return variables with their values, to be put behind what they are of; nothing if there are none."""
    return f" with {values_of(named, declared)}" if named else ""


def indices_of(scene: Scene, source: SourceText) -> str:
    """Return the variables of a scene's line with their values, and where those are declared that no loop counts."""
    named = named_at(scene, source)
    return values_of(named, {each.name for each in named if not LOOP.search(source.text(each.line))})


def values_of(named: Sequence[NamedValue], declared: Collection[str] = ()) -> str:
    """Return variables with their values, as a list in a sentence; the `declared` ones with that line."""
    shown = {each.name for each in named if each.line} & set(declared)
    words = [f"{each.name} = {each.value}" + f" (line {each.line})" * (each.name in shown) for each in named]
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def values_in(line: int, named: Sequence[NamedValue], declared: Collection[str], source: SourceText) -> str:
    """Return the variables of a line with their values, and which types are too short for these, as sentences."""
    return f"In line {line}, {values_of(named, declared)}.{_limits(named, source)}" if named else ""


def _limits(named: Sequence[NamedValue], source: SourceText) -> str:
    """Return which variables are of a type that is too short for what they are compared with, or are negative."""
    found = []
    for each in named:
        others = [int(other.value) for other in named if other.value.isdigit() and other is not each]
        if each.limit and (each.value.startswith("-") or max(others, default=0) > each.limit):
            types = [f" ({name} is in line {at})" for name, at in source.constants_in(each.line)[:1]]
            found.append(f" The type of {each.name} ends at {each.limit}{''.join(types)}.")
    return "".join(found)


def led_to(scene: Scene, source: SourceText) -> list[NamedValue]:
    """Return the variables of the line of a scene and of the lines that declare these, but none of loops over terms."""
    found = _declared(scene, scene.line, source)
    for each in found:  # which grows
        known = {other.name for other in found}
        found += [other for other in _declared(scene, each.line, source) if other.name not in known]
    return found[:MOST_LED_TO]


def _declared(scene: Scene, line: int, source: SourceText) -> list[NamedValue]:
    named = named_in(scene.variables, source.text(line))
    return [each for each in named if each.line and not COUNTS.search(source.text(each.line))]


def guard_of(scene: Scene, beyond: Collection[str], source: SourceText) -> Condition | None:
    """Return the condition that let a thread through to a line.

    Of those on which it depends that the thread came there, that is the innermost that looks at a variable that is
    `beyond` what it may be, or else the innermost `if`, or else the innermost loop.
    """
    governing = [each for each in scene.conditions if each.governs and each.line]
    looking = [each for each in governing if set(beyond) & looked_at(each.line, source)]
    ifs = [each for each in governing if not LOOP.search(source.text(each.line))]
    return next((some[-1] for some in (looking, ifs, governing) if some), None)


def words_of_guard(guard: Condition | None, scene: Scene, source: SourceText) -> str:
    """Return what the condition was that let a thread through, or that it passed none."""
    if guard is None:
        return "" if scene.conditions else "No condition comes before."
    return words_of(guard, source)


def looked_at(line: int, source: SourceText) -> set[str]:
    """Return the names in a condition, and those in the lines before that set what it names."""
    names = set(WORD.findall(condition_in(line, source)))
    for name in sorted(names)[:MOST_SET]:
        setting = source.between(re.compile(rf"\b{name}\s*=(?!=)"), 0, line)
        names |= {word for each in setting for word in WORD.findall(source.text(each))}
    return names


def words_of(condition: Condition, source: SourceText) -> str:
    """Return what a condition was, and with which values."""
    values = with_values(named_in(condition.variables, condition_in(condition.line, source)))
    outcome = "true" if condition.held else "false"
    return f"The condition in line {condition.line} was {outcome}{values}{quoted(condition.line, source)}."


@dataclass(frozen=True, slots=True)
class Bounds:
    """What indices are compared with: the sides of the matrices, or the elements of an array that is left."""

    sides: Collection[int] = ()
    elements: int = 0

    def beyond(self, named: Sequence[NamedValue]) -> set[str]:
        """Return the variables that are negative, or not below the array's elements or a side named beside them."""
        sides = [int(each.value) for each in named if self.is_side(each)]
        limit = self.elements or min(sides, default=0)
        return {each.name for each in named if not self.is_side(each) and _is_beyond(each.value, limit)}

    def is_side(self, each: NamedValue) -> bool:
        """Return whether a variable is a side of the matrices."""
        return not each.line and each.value.isdigit() and int(each.value) in self.sides


def _is_beyond(value: str, limit: int) -> bool:
    return value.startswith("-") or (value.isdigit() and 0 < limit <= int(value))
