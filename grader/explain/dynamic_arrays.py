"""Arrays of dynamic shared memory, which all begin at the same address. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from grader.explain.source_text import Source
from grader.model import Fault, Verdict

DECLARED = re.compile(r"\b(?:extern\b[^;{}]{0,200}\b__shared__|__shared__\b[^;{}]{0,200}\bextern)\b[^;{}]{0,200};")
ARRAY = re.compile(r"(\w+)\s*\[\s*\]")
FUNCTION = re.compile(r"\b__(?:global|device)__\b")
OF_MEMORY = {Verdict.WRONG_ANSWER, Verdict.DATA_RACE}


def with_one_memory(fault: Fault, source: Source) -> Fault:
    """Return the fault with the two arrays that a function uses as if each had memory of its own, as its hint."""
    if fault.verdict not in OF_MEMORY or not (names := _used_together(text := "\n".join(source))):
        return fault
    one, other = names[:2]
    lines = [_line(name, text) for name in (one, other)]
    where = " and line ".join(map(str, dict.fromkeys(lines)))
    hint = (
        f"{one} and {other}, declared in line {where}, begin at the same address: every extern __shared__ array does, "
        "so what is stored to one is in the other too. Declare one array, let the other begin behind its elements "
        f"(float *{other} = {one} + ELEMENTS), and let .shared of LAUNCH have the bytes of both."
    )
    return replace(fault, hint=hint, line=lines[1])


def _used_together(text: str) -> list[str]:
    """Return the arrays without a size of the first function that uses two, unless it counts an offset of one."""
    names = [*dict.fromkeys(name for words in DECLARED.findall(text) for name in ARRAY.findall(words))]
    for body in FUNCTION.split(DECLARED.sub("", text)) if len(names) > 1 else ():
        used = [name for name in names if re.search(rf"\b{name}\b", body)]
        if len(used) > 1 and not any(re.search(rf"\b{name}\s*\+|&\s*{name}\s*\[", body) for name in used):
            return used
    return []


def _line(name: str, text: str) -> int:
    places = (words.start() + found.start() for words in DECLARED.finditer(text) for found in ARRAY.finditer(words[0])
              if found[1] == name)  # fmt: skip
    return text.count("\n", 0, next(places)) + 1
