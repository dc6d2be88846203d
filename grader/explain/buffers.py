"""A race in which a thread writes to the buffer that is read: which variables choose both. Pure."""

from __future__ import annotations

import re

from grader.explain.source_lines import values_of
from grader.explain.source_text import Source, constants_in, shared_array, text_of
from grader.model.scenes import Scene
from grader.ptxsim.records.races import Race

FIRST = r"(?<![\w.]){}\s*\[\s*(\w+)\s*\]\s*\["
BUFFERS = range(2, 9)  # of which an array has so many is one of buffers


def same_buffer(race: Race, scene: Scene, source: Source) -> tuple[str, int]:
    """Return that both accesses are to one buffer of an array, and the line that chooses it for the write."""
    name, line, first = race.memory.name, race.second.line, re.compile(FIRST.format(re.escape(race.memory.name)))
    read, write = (first.search(text_of(each.line, source)) for each in (race.first, race.second))
    in_order = race.first.reads and not race.second.reads and scene.line == line
    if read is None or write is None or not in_order or _buffers(name, source) not in BUFFERS:
        return "", 0
    every = {each.name: each for each in reversed(scene.variables)}
    one, other = every.get(read[1]), every.get(write[1])
    if one is None or other is None or one.value != other.value:
        return "", 0
    values = values_of(list(dict.fromkeys((other, one))), {one.name, other.name})
    sentence = (
        f"With {values}, line {line} writes to the buffer that line {race.first.line} reads: {name}[{write[1]}] and "
        f"{name}[{read[1]}]."
    )
    return sentence, (one is not other and other.line) or line


def _buffers(name: str, source: Source) -> int:
    """Return the first length of a shared array of two or more; 0 where that is not known."""
    line = shared_array(name, source)
    length = re.search(FIRST.format(re.escape(name)), text_of(line, source))
    if length is None or length[1].isdigit():
        return int(length[1]) if length else 0
    places = [at for constant, at in constants_in(line, source) if constant == length[1]]
    value = re.search(rf"\b{length[1]}\b\s*=?\s*(\d+)\b", text_of(places[0], source)) if places else None
    return int(value[1]) if value else 0
