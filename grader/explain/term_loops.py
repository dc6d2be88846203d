"""The loops over the terms of a sum: which one ends too early, and which one adds a term again. Pure."""

from __future__ import annotations

import re

from grader.explain.source_lines import LOOP, STEP, condition_in, named_at, quoted, with_values, words_of
from grader.explain.source_text import SourceText
from grader.model.scenes import Condition, Story

LEAVES = re.compile(r"\bif\b.*\b(?:break|return)\s*;")
SEVERAL = re.compile(  # k + 3 < N; k += 4
    r"\b(\w+)\s*(?:\+\s*(?:\d+|\w+\s*-\s*1)\s*<[^;]*|<=?\s*\w+\s*-\s*\d+\s*);[^;]*\b\1\s*\+=\s*(?!1\b)"
)


def ended_loop(story: Story, source: SourceText) -> tuple[str, int]:
    """Return with which values a loop ended that leaves out terms, and the line that ends it; nothing without one."""
    if (loop := _last_loop(story, source)) is None:
        return _left(story, source)
    named = named_at(loop, source)
    others = [each for each in named if each.line not in {0, loop.line}]
    values = with_values(named, {each.name for each in others})
    sentence = f"The loop in line {loop.line} ended{values}{quoted(loop.line, source)}."
    if rest := _rest(story, loop, source):
        return (
            f"{sentence} {words_of(rest, source)} An if adds its terms only once, a loop all that are left.",
            rest.line,
        )
    if SEVERAL.search(source.text(loop.line)):
        behind = source.body_of(loop.line)[-1]
        sentence += f" It takes several terms at a time: add the rest below line {behind}."
    counters = {each.value for each in named if each.line == loop.line}
    bounds = [each.line for each in others if each.value in counters and not _begins_at(each.name, loop, source)]
    return sentence, bounds[0] if len(bounds) == 1 else loop.line  # the counter has come to a bound of its own line


def _left(story: Story, source: SourceText) -> tuple[str, int]:
    """Return the condition by which a thread has left a loop before the last terms, and its line; nothing without."""
    if story.scene is None or not ends_early(story):
        return "", 0
    for each in reversed(story.scene.conditions):
        is_in_loop = any(each.line in source.body_of(at) for at in source.between(LOOP, 0, each.line))
        if each.held and is_in_loop and LEAVES.search(source.text(each.line)):
            values = with_values(named_at(each, source))
            return (
                f"Thread {story.scene.thread} left the loop in line {each.line}{values}{quoted(each.line, source)}.",
                each.line,
            )
    return "", 0


def repeating_loop(story: Story, source: SourceText) -> int:
    """Return the line of the loop that adds a term which another line has added before; 0 where there is none."""
    *before, again = [each.line for each in story.terms]
    if not before or again in before:
        return 0
    loops = [number for number in range(1, source.until(again + 1)) if LOOP.search(source.text(number))]
    around = [each for each in loops if again in (body := source.body_of(each)) and not set(before) & set(body)]
    return around[-1] if around else 0


def _rest(story: Story, loop: Condition, source: SourceText) -> Condition | None:
    """Return the `if` behind a loop of several terms at a time, with which a thread adds one of the rest."""
    counts = re.search(r"(\w+)\s*\+=", source.text(loop.line))
    if counts is None or story.scene is None:
        return None
    end = source.body_of(loop.line).stop
    behind = ((each, condition_in(each.line, source)) for each in story.scene.conditions if each.line >= end)
    ifs = ((each, text) for each, text in behind if each.held and not LOOP.search(text))
    return next((each for each, text in ifs if re.search(rf"\b{counts[1]}\b", text)), None)


def _last_loop(story: Story, source: SourceText) -> Condition | None:
    """Return the loop that leaves out terms: the last one that ended, if the last terms are missing.

    Of a sum that threads share, that is no loop around the products, because each thread has its own part of these.
    """
    loops, around = _loops(story, source)
    ended = [each for each in loops if not each.held]
    if story.lost:
        return ended[-1] if ended and ended[-1] not in around else None
    if not ends_early(story) or any(each.held for each in around):  # a thread has left one by another condition
        return None
    before = [each for each in around if not _has_passed(story.missing[0], each, source)]
    return next((each for each in before if _has_no_step(each, source)), before[-1] if before else None)


def _loops(story: Story, source: SourceText) -> tuple[list[Condition], list[Condition]]:
    """Return the loops that a thread came to, and those of them around the products."""
    products = _lines_of_products(story, source)
    every = story.scene.conditions if story.scene else ()
    loops = [each for each in every if LOOP.search(source.text(each.line))]
    return loops, [each for each in loops if products & set(source.body_of(each.line))]


def ends_early(story: Story) -> bool:
    """Whether the last terms are missing and no others, and none is there twice."""
    first, last, number = story.missing or (0, 0, 0)
    return bool(story.missing) and not story.twice and last == story.total - 1 and last - first + 1 == number


def _lines_of_products(story: Story, source: SourceText) -> set[int]:
    """Return the lines of the products, and those that call their functions."""
    lines = {term.line for term in story.terms}
    return lines | {call for line in lines for call in source.callers_of(source.function_at(line)[0])}


def _has_no_step(loop: Condition, source: SourceText) -> bool:
    text = source.text(loop.line)
    return any(re.search(rf"\b{each.name}\s*=\s*{each.value}\s*;", text) for each in named_at(loop, source))


def _has_passed(k: int, loop: Condition, source: SourceText) -> bool:
    """Return whether a loop has counted beyond a term, which it has come to if it began at a number."""
    named = named_at(loop, source)
    beyond = any(int(each.value) > k for each in named if each.line == loop.line and each.value.isdigit())
    return beyond and not _begins_at_a_variable(loop, source)


def _begins_at_a_variable(loop: Condition, source: SourceText) -> bool:
    """Return whether a loop takes steps from a variable on, as one that each thread begins at its own place."""
    named = named_at(loop, source) if STEP.search(source.text(loop.line)) else []
    return any(_begins_at(each, loop, source) for each in ("threadIdx[^;]*", *(each.name for each in named)))


def _begins_at(name: str, loop: Condition, source: SourceText) -> bool:
    return bool(re.search(rf"=\s*{name}\s*;", source.text(loop.line)))
