"""What a sum loses: terms, by a loop that ends early; what is added to a copy; what a short type cannot hold. Pure."""

from __future__ import annotations

import re

from grader.explain.source_lines import LOOP, STEP, condition_in, named_in, quoted, values_of, words_of
from grader.explain.source_text import Source, body_of, callers_of, constants_in, function_at, lines_between, text_of
from grader.model.scenes import Condition, Narrowing, Story


def end_of_loop(story: Story, source: Source) -> str:
    """Return with which values a loop ended that leaves out terms; nothing where there is none."""
    if (loop := _last_loop(story, source)) is None:
        return ""
    named = named_in(loop.variables, text_of(loop.line, source))
    values = values_of(named, {each.name for each in named if each.line not in {0, loop.line}})
    sentence = f"The loop in line {loop.line} ended{f' with {values}' if values else ''}{quoted(loop.line, source)}."
    if (rest := _rest(story, loop, source)) is None:
        return sentence
    return f"{sentence} {words_of(rest, source)} An if adds its terms only once, a loop all that are left."


def line_of_loop(story: Story, source: Source) -> int:
    """Return the line that ends a loop too early, or that of its bound; 0 where no loop leaves out terms."""
    if (loop := _last_loop(story, source)) is None:
        return 0
    if rest := _rest(story, loop, source):
        return rest.line
    named = named_in(loop.variables, text_of(loop.line, source))
    counters = {each.value for each in named if each.line == loop.line}
    others = [each for each in named if each.line not in {0, loop.line} and not _begins_at(each.name, loop, source)]
    bounds = [each.line for each in others if each.value in counters]
    return bounds[0] if len(bounds) == 1 else loop.line  # the counter has come to a bound of its own line


def _rest(story: Story, loop: Condition, source: Source) -> Condition | None:
    """Return the `if` behind a loop of several terms at a time, with which a thread adds one of the rest."""
    counts = re.search(r"(\w+)\s*\+=", text_of(loop.line, source))
    if counts is None or story.scene is None:
        return None
    end = body_of(loop.line, source).stop
    behind = ((each, condition_in(each.line, source)) for each in story.scene.conditions if each.line >= end)
    ifs = ((each, text) for each, text in behind if each.held and not LOOP.search(text))
    return next((each for each, text in ifs if re.search(rf"\b{counts[1]}\b", text)), None)


def repeating_loop(story: Story, source: Source) -> int:
    """Return the line of the loop that adds a term which another line has added before; 0 where there is none."""
    *before, again = [each.line for each in story.terms]
    if not before or again in before:
        return 0
    loops = [number for number in range(1, again + 1) if LOOP.search(text_of(number, source))]
    around = [each for each in loops if again in (body := body_of(each, source)) and not set(before) & set(body)]
    return around[-1] if around else 0


def _last_loop(story: Story, source: Source) -> Condition | None:
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


def _loops(story: Story, source: Source) -> tuple[list[Condition], list[Condition]]:
    """Return the loops that a thread came to, and those of them around the products."""
    products = _lines_of_products(story, source)
    every = story.scene.conditions if story.scene else ()
    loops = [each for each in every if LOOP.search(text_of(each.line, source))]
    return loops, [each for each in loops if products & set(body_of(each.line, source))]


def ends_early(story: Story) -> bool:
    """Whether the last terms are missing and no others, and none is there twice."""
    first, last, number = story.missing or (0, 0, 0)
    return bool(story.missing) and not story.twice and last == story.total - 1 and last - first + 1 == number


def _lines_of_products(story: Story, source: Source) -> set[int]:
    """Return the lines of the products, and those that call their functions."""
    lines = {term.line for term in story.terms}
    return lines | {call for line in lines for call in callers_of(function_at(line, source)[0], source)}


def _has_no_step(loop: Condition, source: Source) -> bool:
    text = text_of(loop.line, source)
    return any(re.search(rf"\b{each.name}\s*=\s*{each.value}\s*;", text) for each in named_in(loop.variables, text))


def _has_passed(k: int, loop: Condition, source: Source) -> bool:
    """Return whether a loop has counted beyond a term, which it has come to if it began at a number."""
    named = named_in(loop.variables, text_of(loop.line, source))
    beyond = any(int(each.value) > k for each in named if each.line == loop.line and each.value.isdigit())
    return beyond and not _begins_at_a_variable(loop, source)


def _begins_at_a_variable(loop: Condition, source: Source) -> bool:
    """Return whether a loop takes steps from a variable on, as one that each thread begins at its own place."""
    text = text_of(loop.line, source)
    named = named_in(loop.variables, text) if STEP.search(text) else []
    return any(_begins_at(each, loop, source) for each in ("threadIdx[^;]*", *(each.name for each in named)))


def _begins_at(name: str, loop: Condition, source: Source) -> bool:
    return bool(re.search(rf"=\s*{name}\s*;", text_of(loop.line, source)))


ASSIGNED = re.compile(r"\b(\w+)\s*(?:\[[^\]]*\]\s*)*[-+*]?=(?!=)")
FRACTIONS = "float16", "float32"
CHANGED = re.compile(r"(?<![\w.\]])(\w+)\s*(?:\.\s*\w+\s*|\[[^\]]*\]\s*)*(?:[-+*/]|(?=\s*=[^=]))=")
MUTABLE = re.compile(r"\[[^\]&]*\]\s*\([^()]*\)\s*mutable\b")  # a lambda that may change its copies
LONGEST_HEADER = 12  # lines


def narrowed(change: Narrowing, c: str, source: Source) -> str:
    """Return what changed on the way to an element of C, and where the type is declared that is too short."""
    kind = change.kind if change.kind in FRACTIONS else f"{change.kind}, which has no fractions"
    return (
        f"On the way to {c}, line {change.line} converts {change.before} to {kind}: that leaves {change.after}."
        f"{_declared(change.line, change.kind, source)}"
    )


def _declared(line: int, kind: str, source: Source) -> str:
    """Return the line that declares the variable to which a line assigns, with a type that the file names if any.

    A variable that holds more is not to blame.
    """
    assigned = ASSIGNED.search(text_of(line, source))
    if assigned is None:
        return ""
    declares = re.compile(rf"^\s*(?:\w+\s+)+{re.escape(assigned[1])}\s*[\[;=,{{]")
    lines = lines_between(declares, 0, line + 1, source)
    before = text_of(lines[-1], source).partition(assigned[1])[0].split() if lines else ["double"]
    if "double" in before or ("float" in before and kind != "float32"):
        return ""
    types = [f" ({name} is in line {at})" for name, at in constants_in(lines[-1], source) if name in before]
    return f" Line {lines[-1]} declares {assigned[1]}{''.join(types[:1])}."


def copied(line: int, stored: int, source: Source) -> tuple[str, int]:
    """Return how a line changes a copy of a variable, in words, and the line that makes the copy; 0 if it does not.

    A function has copies of its arguments, and a lambda of what it captures by value. Nothing if the store of the sum
    is in the same function.
    """
    for start in range(line, max(0, line - LONGEST_HEADER), -1):
        capture = MUTABLE.search(text_of(start, source))
        if (
            capture
            and line in [start, *body_of(start, source)]
            and (changed := CHANGED.search(text_of(line, source), capture.end() * (start == line)))
        ):
            return f"{changed[1]}, of which the lambda has a copy of its own: [&] captures it by reference", start
    function, start = function_at(line, source)
    changed = CHANGED.search(text_of(line, source))
    if changed is None or not function or function_at(stored, source)[0] == function:
        return "", 0
    header = " ".join(text_of(each, source) for each in range(start, start + LONGEST_HEADER)).partition("{")[0]
    by_value = re.search(rf"[(,]\s*(?:const\s+|struct\s+)*[\w:]+(?:<[^<>]*>)?\s+{changed[1]}\s*[,)]", header)
    words = f"{changed[1]}, which {function} has as a copy of its own, because it is no reference (&{changed[1]})"
    return (words, start) if by_value else ("", 0)
