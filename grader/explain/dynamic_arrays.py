"""Arrays that overlap in shared memory: dynamic ones begin at one address, and pointers divide one array. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from grader.explain.source_lines import WORD
from grader.explain.source_text import Source, text_of
from grader.model import AccessKind, Fault

SHARED = re.compile(r"\b__shared__\b([^;{}]{0,200});")
ARRAY = re.compile(r"(\w+)\s*\[\s*(\]?)")
POINTER = re.compile(
    r"(?:[*&]\s*(?:const\s+|__restrict__\s+)?|\bauto\s+)(\w+)\)?\s*(?:\[[^];=]{0,99}\]\s*)*=(?!=)((?:(?!,\s*[*&])[^;])*)"
)
Arrays = dict[str, tuple[str, int]]
"""Arrays in shared memory, and pointers to parts of one: that array, nothing for all dynamic ones, and the place."""


def with_one_memory(fault: Fault, source: Source) -> Fault:
    """Return the fault with the two arrays whose elements it found in one place of shared memory, as its hint."""
    arrays = _arrays(text := "\n".join(source))
    used = sorted({*_used(fault, source, arrays)}, key=lambda name: arrays[name][1])
    if len({arrays[name][0] for name in used}) != len(used) - 1:
        return fault
    one, other = used
    places = [arrays[name][1] for name in used]
    lines = [text.count("\n", 0, place) + 1 for place in places]
    how, change = "overlap", "Let"
    if all(ARRAY.match(text, place) for place in places):
        how, change = "begin at the same address, as every extern __shared__ array does", "Declare one array, and let"
    where = " and line ".join(map(str, dict.fromkeys(lines)))
    hint = (
        f"{one} and {other}, declared in line {where}, {how}: what is stored to one is in the other too. {change} "
        f"{other} begin behind the last row of {one} (float *{other} = {one} + ELEMENTS). What is added to a char * is "
        "a number of bytes. If they are to share memory, put a __syncthreads() between the uses of the two."
    )
    return replace(fault, hint=hint, line=lines[1])


def _used(fault: Fault, source: Source, arrays: Arrays) -> tuple[str, ...]:
    """Return the arrays that two threads write to, or that to which both factors of a term are stored and another read.

    Of a line, that to which it stores comes first.
    """
    factors = fault.story.terms[-1].factors if fault.story and fault.story.terms else ()
    lines = [each.line or 0 for each in fault.accesses if each.does is not AccessKind.READS]
    if len({(each.matrix, each.stored, each.read) for each in factors}) == 1 < len(factors):
        lines = [factors[0].stored, factors[0].read]
    names = [[name for name in WORD.findall(text_of(each, source)) if name in arrays] for each in lines]
    match names:
        case [[first, *_], [_, *_] as others]:
            return first, next((each for each in others if each != first), first) if factors else others[0]
    return ()


def _arrays(text: str) -> Arrays:
    found: Arrays = {}
    for words in SHARED.finditer(text):
        for each in ARRAY.finditer(text, words.start(1), words.end(1)):
            found[each[1]] = "" if each[2] else each[1], each.start()
    for each in POINTER.finditer(text):
        memory = next((found[word][0] for word in WORD.findall(each[2]) if word in found), None)
        if memory is not None:
            found.setdefault(each[1], (memory, each.start(1)))
    return found
