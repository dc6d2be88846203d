"""A sum with too few terms, too many, or more than products: in a student's words, with the line that makes it so."""

from __future__ import annotations

import re
from dataclasses import replace

from grader.explain.reruns import Told
from grader.explain.source_lines import LOOP, WORD, guard_of, indices_of, named_at, with_values, words_of
from grader.explain.source_text import SourceText
from grader.explain.stale_reads import line_of_stale, not_since, put
from grader.explain.tables import added, element_of, factor_of
from grader.explain.term_loops import ended_loop, repeating_loop
from grader.model.scenes import Factor, Story

SET = re.compile(r"([\w.]+)\s*(?:\[[^\]]*\]\s*)*=\s*[-\d{]")  # to a number
CHANGED = re.compile(r"(?<![\w.\]])(\w+)\s*(?:\.\s*\w+\s*|\[[^\]]*\]\s*)*(?:[-+*/]|(?=\s*=[^=]))=")
LONGEST_HEADER = 12  # lines
HINTS = {
    "reset-sum": "Set the sum to zero only once, before the loop over tiles, and add each tile to it (+=).",
    "stale-elements": "Does a thread store something for every tile, and zero for elements outside the matrix?",
    "other-terms": "Let the sum begin at zero, and add nothing to it but products of A and B.",
}


def of_counts(story: Story, source: SourceText) -> Told:
    """Tell how the terms of a sum differ from those that it should have, where none is wrong."""
    told = _told(story, source)
    if story.besides or not (story.count or story.zeros):
        told = replace(told, line=_copied(story, source)[1] or story.multiplied or story.stored)
    if story.is_reset or story.stale:
        line = line_of_stale(story) or story.start or story.stored
        told = replace(told, kind="reset-sum" if story.is_reset else "stale-elements", line=line)
    return replace(told, hint=HINTS.get(told.kind, ""))


def _told(story: Story, source: SourceText) -> Told:
    c, stores = element_of(story), f"line {story.stored} stores"
    if story.besides == "nan":
        return Told("unset-term", f"The sum that {stores} to {c} contains a value that was never set.", 0)
    if not story.count:
        why, line = _zeros(story, source) if story.zeros else (_multiplied(story, source), 0)
        return Told("no-terms", f"No product is added to what {stores} to {c}. {why}".strip(), line)
    repeated, line_of_repeated = _repeated(story, source) if story.twice else ("", 0)
    missing, line_of_missing = _missing(story, source) if story.missing else ("", 0)
    if story.besides and not (repeated or missing):
        return Told("other-terms", f"{story.besides} is added to the sum of {c} besides its terms.", 0)
    kind = "missing-terms" if missing else "repeated-terms"
    return Told(kind, f"{repeated} {missing}".strip(), line_of_repeated or line_of_missing)


def _missing(story: Story, source: SourceText) -> tuple[str, int]:
    """Return which terms a sum lacks, why, and the line that leaves them out."""
    first, last, number = story.missing
    which = f"k = {first} is" if number == 1 else f"{number} of them, from k = {first} to {last}, are"
    why, line = _why_missing(story, source)
    return f"{element_of(story)} lacks terms: {which} not in its sum. {why}".strip(), line


def _why_missing(story: Story, source: SourceText) -> tuple[str, int]:
    if story.is_reset:
        return _reset(story, source), story.start
    if story.zeros:
        return _zeros(story, source)
    ended, line = ended_loop(story, source)
    if story.lost:
        by = f"Thread {story.lost} multiplies the factors of the first, but its product is not added."
        return f"{by} {ended}".strip(), line or story.stored
    if ended:
        return ended, line
    return _multiplied(story, source), story.multiplied or (story.terms[-1].line if story.terms else 0)


def _zeros(story: Story, source: SourceText) -> tuple[str, int]:
    """Return which thread stores the first zero that is multiplied instead, and the condition that leads to it."""
    scene = story.scene
    if scene is None or scene.line == story.stored:
        return "Zeros are multiplied instead.", story.stored
    guard = guard_of(scene, (), source)
    if guard and LOOP.search(source.text(guard.line)):  # in which each thread stores
        guard = None
    stores = f"thread {scene.thread} stores the first in line {scene.line}"
    if guard is None:
        return f"Zeros are multiplied instead: {stores}{with_values(named_at(scene, source))}.", scene.line
    over = ", and nothing over it" if guard.line > scene.line else ""
    return f"Zeros are multiplied instead: {stores}{over}. {words_of(guard, source)}", guard.line


def _reset(story: Story, source: SourceText) -> str:
    """Return where the sum began that is stored, and whether that is a variable of the store that is set again."""
    value, before = story.besides or "zero", f"They were added before line {story.start}"
    if {*SET.findall(source.text(story.start))} & {*WORD.findall(source.text(story.stored))}:
        return f"{before} set the sum to {value} again."
    return f"{before}, where what line {story.stored} stores began at {value}."


def _multiplied(story: Story, source: SourceText) -> str:
    """Return which line multiplies the factors of a missing term, where its thread does."""
    if not (story.multiplied and story.missing):
        return ""
    copy, _ = _copied(story, source)
    instead = f": it is added to {copy}" if copy else ""
    multiplies = f"Line {story.multiplied} multiplies those of k = {story.missing[0]}"
    return f"{multiplies}, but the product does not stay there{instead}."


def _copied(story: Story, source: SourceText) -> tuple[str, int]:
    """Return the copy of an argument to which a product is added, in words, and its function's line; 0 without one.

    Nothing if the store of the sum is in the same function.
    """
    function, start = source.function_at(story.multiplied)
    changed = CHANGED.search(source.text(story.multiplied).rpartition("{")[2])  # a lambda has a name in its line
    if changed is None or not function or source.function_at(story.stored)[0] == function:
        return "", 0
    name, lines = changed[1], range(start, start + LONGEST_HEADER)
    header = " ".join(source.text(each) for each in lines).partition("{")[0]
    is_parameter = re.search(rf"[(,]\s*(?:const\s+|struct\s+)*[\w:]+(?:<[^<>]*>)?\s+{name}\s*[,)]", header)
    captured = re.search(rf"\[(?:[^]]*,)?\s*(?:=|{name})\s*(?:,[^]]*)?\].*\bmutable\b", header)
    is_own = source.between(re.compile(rf"\w\s+{name}\s*[=;{{]"), start, story.multiplied)
    why = f"it is no reference (&{name})" if is_parameter else ""
    if captured and not (is_own or is_parameter or re.search(rf"&\s*{name}\b", header)):
        why = f"{captured[0].partition(']')[0]}] copies what it captures ([&] refers to {name} itself)"
    return (f"{name}, which {function} has as a copy of its own, because {why}", start) if why else ("", 0)


def _repeated(story: Story, source: SourceText) -> tuple[str, int]:
    """Return which terms a sum has more than once, and the line that adds or loads them again."""
    first, last, number = story.twice
    which = f"k = {first}" if number == 1 else f"{number} terms from k = {first} to {last}"
    sentence = f"The sum of {element_of(story)} contains {which} more than once"
    if not (story.terms and story.terms[-1].line):
        return f"{sentence}.", 0
    again, loop, factor = story.terms[-1], repeating_loop(story, source), _factor_again(story)
    after = f" in the loop in line {loop}, after line {story.terms[0].line}" if loop else ""
    stale = (
        f", because nothing was {put(story)} over what line {story.stale} {put(story)} before" if story.stale else ""
    )
    at_load = story.scene if story.scene and story.scene.line == again.line and not (stale or factor) else None
    values = indices_of(at_load, source) if at_load else ""
    why = f"{after}{stale}{not_since(story, source)}{f', with {values}' if values else ''}"
    sentence += f": line {again.line} adds {added(again, story)} again{why}."
    if factor is None or story.scene is None:
        return sentence, loop or again.line
    loads = f"Thread {story.scene.thread} loads {factor_of(factor, story)} once more in line {factor.line}"
    return f"{sentence} {loads}{with_values(named_at(story.scene, source))}.", loop or factor.line


def _factor_again(story: Story) -> Factor | None:
    """Return the factor of a repeated term at whose second load the scene is."""
    line = story.scene.line if story.scene and not story.stale else 0
    return next((each for each in story.terms[-1].factors[:1] if each.stored and each.line == line > 0), None)
