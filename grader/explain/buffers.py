"""Two threads in one of several buffers, of which one stores there what is for a later step: in a student's words."""

from __future__ import annotations

import re
from itertools import chain

from grader.explain.reruns import Told
from grader.explain.source_lines import LOOP, WORD, named_in, values_of
from grader.explain.source_text import SourceText
from grader.model.scenes import NamedValue, Scene
from grader.ptxsim.records.races import Race, Scope

MOST_BUFFERS = 4
BARRIER = re.compile(r"\b__syncthreads\s*\(|(?:\.|::)sync\s*\(")
NUMBERS = re.compile(r"\b(?:float|double|int|unsigned|half)\b")


def is_of_buffers(race: Race, source: SourceText) -> bool:
    """Return whether a thread stores to one of several buffers what another one still reads there."""
    name, text = race.memory.name, source.text(line := source.shared_array(race.memory.name))
    found = re.search(rf"\b{re.escape(name)}\s*\[\s*(\w+)\s*\]\s*(\[?)", text) if name and line else None
    has_reader = race.first.reads != race.second.reads and race.scope is not Scope.GRID
    if found is None or not has_reader or not (found[2] or not NUMBERS.search(text[: found.start()])):
        return False
    return 1 < source.number_of(found[1], line) <= MOST_BUFFERS


def of_buffers(race: Race, first: Scene, second: Scene, source: SourceText) -> Told | None:
    """Tell by which indices two threads are in one buffer; None if these change, or the loop has no barrier."""
    around = [each for each in source.between(LOOP, 0, min(first.line, second.line) + 1)
              if {first.line, second.line} <= set(source.body_of(each))]  # fmt: skip
    body = source.body_of(around[-1]) if around else range(0)
    if not source.between(BARRIER, body.start, body.stop) or first.line == second.line:
        return None
    name, (reader, writer) = race.memory.name, (first, second) if race.first.reads else (second, first)
    (own, here), (others, there) = (_indices(name, each, source) for each in (first, second))
    read, written = (own, others) if race.first.reads else (others, own)
    is_filled = source.between(re.compile(rf"\b{re.escape(name)}\s*\["), source.shared_array(name), around[-1])
    takes_turns = not set(read) <= set(writer.variables)
    if not (read and written) or takes_turns or not (race.first.reads or is_filled):
        return None
    places = f"line {first.line} with {values_of(here)}, and line {second.line} with {values_of(there)}"
    sentence = f"Both are in the same buffer of {name}: {places}."
    barrier = f"put a __syncthreads() between line {first.line} and line {second.line}"
    assigns = re.compile(rf"\b{written[0].name}\s*[-+*/%&|^]?=(?!=)")
    sets = next(iter(source.between(assigns, body.start, body.stop)), 0) or writer.line
    if second.line < first.line:
        barrier += ", which follows in the next iteration of the loop"
    elif written[0] in read:  # in one step, it is the wrong variable
        sets = writer.line
    return Told("", sentence, sets, f"Let line {writer.line} use another buffer than line {reader.line}, or {barrier}.")


def _indices(name: str, scene: Scene, source: SourceText) -> tuple[list[NamedValue], list[NamedValue]]:
    """Return the variables in the index of a buffer, and with them those in the lines that declare these.

    A pointer or a reference may have the buffer.
    """
    of_buffer = rf"\b{re.escape(name)}\s*\[([^]]*)\]"
    words = "|".join(WORD.findall(source.text(scene.line)))
    as_pointer = re.compile(rf"\b(?:{words})\)?\s*(?:\[[^]]*\]\s*)*=\s*&?\s*{of_buffer}")
    lines = scene.line, *reversed(source.between(as_pointer, 0, scene.line))
    found = (re.search(of_buffer, source.text(each)) for each in lines)
    index = next((place[1] for place in found if place), "")
    own = named_in(scene.variables, index)
    others = chain.from_iterable(named_in(scene.variables, source.text(each.line)) for each in own if each.line)
    return own, list(dict.fromkeys((*own, *others)))
