"""Arrays that overlap in shared memory: dynamic ones begin at one address, and pointers divide one array. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from grader.explain.source_lines import WORD
from grader.explain.source_text import Source, text_of
from grader.model import AccessKind, Fault

SHARED = re.compile(r"\b__shared__\b([^;{}]{0,200});")
ARRAY, DYNAMIC = re.compile(r"(\w+)\s*\["), re.compile(r"(\w+)\s*\[\s*\]")
POINTER = re.compile(
    r"(?:[*&]\s*(?:const\s+|__restrict__\s+)?|\bauto\s+)(\w+)\)?\s*(?:\[[^];=]{0,99}\]\s*)*=(?!=)((?:(?!,\s*[*&])[^;])*)"
)
ANY_DYNAMIC = ""  # the memory of all arrays without a size


def with_one_memory(fault: Fault, source: Source) -> Fault:
    """Return the fault with the two arrays whose elements it found in one place of shared memory, as its hint."""
    memories = _memories(text := "\n".join(source))
    first, second = _used(fault, source, memories)
    if first == second or memories.get(first) != memories.get(second, second):
        return fault
    (one, above), (other, line) = sorted(((each, _line(each, text)) for each in (first, second)), key=lambda it: it[1])
    where = " and line ".join(map(str, dict.fromkeys((above, line))))
    pair, so = f"{one} and {other}, declared in line {where},", "so what is stored to one is in the other too"
    if {one, other} <= {*_dynamic(text)}:
        hint = (
            f"{pair} begin at the same address: every extern __shared__ array does, {so}. Declare one array, let the "
            f"other begin behind its elements (float *{other} = {one} + ELEMENTS), and let .shared of LAUNCH have the "
            "bytes of both."
        )
    else:
        hint = (
            f"{pair} overlap, {so}. Let {other} begin behind the last element of {one}, rows that are longer than the "
            "tile included: what is added to a float * counts floats, to a char * bytes. If they are to share memory, "
            "put a __syncthreads() between the last use of one and the first of the other."
        )
    return replace(fault, hint=hint, line=line)


def _used(fault: Fault, source: Source, memories: dict[str, str]) -> tuple[str, str]:
    """Return the arrays that two threads write to, or that to which both factors of a term are stored and another read.

    Of a line, that to which it stores comes first.
    """
    factors = fault.story.terms[-1].factors if fault.story and fault.story.terms else ()
    lines = [each.line or 0 for each in fault.accesses if each.does is not AccessKind.READS]
    if len({(each.matrix, each.stored, each.read) for each in factors}) == 1 < len(factors):
        lines = [factors[0].stored, factors[0].read]
    names = [[name for name in WORD.findall(text_of(each, source)) if name in memories] for each in lines]
    match names:
        case [[first, *_], [_, *_] as others]:
            return first, next((each for each in others if each != first), first) if factors else others[0]
    return "", ""


def _memories(text: str) -> dict[str, str]:
    """Return the arrays in shared memory and the pointers to parts of one, each with that one."""
    declared = [name for words in SHARED.findall(text) for name in ARRAY.findall(words)]
    found = {name: name for name in declared} | dict.fromkeys(_dynamic(text), ANY_DYNAMIC)
    for name, value in POINTER.findall(text):
        memory = next((found[word] for word in WORD.findall(value) if word in found), None)
        if memory is not None and name not in declared:
            found[name] = memory
    return found


def _dynamic(text: str) -> list[str]:
    return [name for words in SHARED.findall(text) for name in DYNAMIC.findall(words)]


def _line(name: str, text: str) -> int:
    """Return the line that declares an array or a pointer."""
    declares = re.search(
        rf"\b__shared__\b[^;{{}}]{{0,200}}\b{name}\s*\[|(?:[*&]|\bauto\s)[^;={{}}]{{0,99}}\b{name}\b[^;={{}}]{{0,99}}=(?!=)",
        text,
    )
    return text.count("\n", 0, declares.end() if declares else 0) + 1
