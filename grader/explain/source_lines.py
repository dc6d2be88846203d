"""Lines of a submission, and the variables that they name, in words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from grader.model.scenes import Condition, NamedValue, Scene

WORD = re.compile(r"[A-Za-z_]\w*")
LOOP = re.compile(r"\b(?:for|while|do)\b")
WHOLE = re.compile(r"-?\d+\Z|true\Z|false\Z")
MOST_NAMED, LONGEST_QUOTED = 6, 80
Source = Sequence[str]
"""The lines of the submission."""


def text_of(line: int, source: Source) -> str:
    """Return a line without its comment; nothing for one that is not there."""
    return source[line - 1].partition("//")[0] if 0 < line <= len(source) else ""


def quoted(line: int, source: Source) -> str:
    """Return a line behind a colon, if it is short."""
    text = " ".join(text_of(line, source).split()).rstrip("{; ")
    return f": {text}" if 0 < len(text) <= LONGEST_QUOTED and text.isprintable() else ""


def named_in(variables: Iterable[NamedValue], text: str) -> list[NamedValue]:
    """Return the whole numbers that a line names, the innermost variable of each name, in the order of the line."""
    by_name: dict[str, NamedValue] = {}
    for each in variables:
        by_name.setdefault(each.name, each)
    named = [by_name[word] for word in dict.fromkeys(WORD.findall(text)) if word in by_name]
    return [each for each in named if WHOLE.match(each.value)][:MOST_NAMED]


def values_of(named: Sequence[NamedValue], declared: Collection[str] = ()) -> str:
    """Return variables with their values, as a list in a sentence; the `declared` ones with that line."""
    words = [f"{each.name} = {each.value}" + f" (line {each.line})" * (each.name in declared) for each in named]
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def guard_of(scene: Scene, named: Sequence[NamedValue], source: Source) -> str:
    """Return the condition that let a thread through to a line with these variables.

    That is the last one that looks at a variable beyond a parameter of the line, such as col at N, or else the last
    `if` that was true and looks at any of them, or else the last one that was true.
    """
    before = [each for each in scene.conditions if each.line and each.line != scene.line]
    if not before:
        return "" if scene.conditions else "No condition comes before."
    beyond = beyond_of(named)
    ifs = [each for each in before if each.held and not LOOP.search(text_of(each.line, source))]
    of_line = [each for each in ifs if _looks_at(each, {other.name for other in named}, source)]
    chosen = next(
        (some[-1] for some in ([each for each in before if _looks_at(each, beyond, source)], of_line, ifs) if some),
        None,
    )
    return _condition(chosen, source) if chosen else ""


def beyond_of(named: Sequence[NamedValue]) -> set[str]:
    """Return the variables that are negative, or not below a parameter that is named beside them."""
    limits = [int(each.value) for each in named if not each.line and each.value.isdigit()]
    return {each.name for each in named if each.line and _is_beyond(each.value, limits)}


def _is_beyond(value: str, limits: Sequence[int]) -> bool:
    return value.startswith("-") or (value.isdigit() and bool(limits) and int(value) >= min(limits))


def _looks_at(condition: Condition, names: set[str], source: Source) -> bool:
    return bool(names & set(WORD.findall(text_of(condition.line, source))))


def _condition(chosen: Condition, source: Source) -> str:
    values = values_of(named_in(chosen.variables, text_of(chosen.line, source)))
    outcome = "true" if chosen.held else "false"
    with_values = f" with {values}" if values else ""
    return f"The condition in line {chosen.line} was {outcome}{with_values}{quoted(chosen.line, source)}."
