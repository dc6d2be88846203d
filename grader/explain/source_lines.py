"""Lines of a submission, and the variables that they name, in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from grader.model.scenes import NamedValue, Scene

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


def values_of(named: Sequence[NamedValue], *, with_lines: bool = False) -> str:
    """Return variables with their values, as a list in a sentence."""
    words = [f"{each.name} = {each.value}" + (f" (line {each.line})" if with_lines else "") for each in named]
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def guard_of(scene: Scene, names: set[str], source: Source) -> str:
    """Return the last condition that looks at a variable of the line, or else the last one of all."""
    ifs = [each for each in scene.conditions if each.line and not LOOP.search(text_of(each.line, source))]
    if not ifs:
        return "" if scene.conditions else "No condition comes before."
    looking = [each for each in ifs if names & {v.name for v in named_in(each.variables, text_of(each.line, source))}]
    chosen = (looking or ifs)[-1]
    values = values_of(named_in(chosen.variables, text_of(chosen.line, source)))
    outcome = "true" if chosen.held else "false"
    with_values = f" with {values}" if values else ""
    return f"The condition in line {chosen.line} was {outcome}{with_values}{quoted(chosen.line, source)}."
