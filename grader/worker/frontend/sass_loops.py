"""The loops of a kernel in SASS, from its jumps. Pure.

A jump back closes a natural loop if its target is on every way to it (Aho, Lam, Sethi, Ullman: Compilers, section 9.6).
A jump back to code that was only moved closes none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

INSTRUCTION_BYTES = 16  # since Volta
ENDS = {"EXIT", "RET"}
JUMP, MEETING, MEET = "BRA", "BSSY", "BSYNC"  # BSYNC continues where the BSSY with its register names
TARGET = re.compile(r"^(.*?)\(?\*?\"?0x([0-9a-f]+)")


@dataclass(frozen=True, slots=True)
class SassInstruction:
    """An instruction: its predicate, such as @P0, its opcode with modifiers, and its operands."""

    predicate: str
    opcode: str
    operands: str

    @property
    def base(self) -> str:
        """The opcode without its modifiers."""
        return self.opcode.partition(".")[0]


def loops(code: Sequence[SassInstruction]) -> list[list[SassInstruction]]:
    """Return the instructions of each loop, without those of loops inside it."""
    following = _following(code)
    preceding: dict[int, set[int]] = {}
    for place, targets in enumerate(following):
        for target in targets:
            preceding.setdefault(target, set()).add(place)
    bodies: dict[int, set[int]] = {}
    for place, targets in enumerate(following):
        for header in targets:
            if header < place and place not in _reached(following, header):
                bodies.setdefault(header, {header}).update(_body(place, header, preceding))
    own = [body.difference(*(other for other in bodies.values() if other < body)) for body in bodies.values()]
    return [[code[place] for place in sorted(places)] for places in own]


def _following(code: Sequence[SassInstruction]) -> list[tuple[int, ...]]:
    """Return for each instruction the places at which the code can continue."""
    meetings = {
        line.operands.partition(",")[0]: target
        for line in code
        if line.base == MEETING and (target := _target(line)) is not None
    }
    following = []
    for place, line in enumerate(code):
        target = _target(line) if line.base == JUMP else meetings.get(line.operands) if line.base == MEET else None
        always = not line.predicate and not (line.base == JUMP and _has_condition(line))
        leaves = line.base in ENDS or target is not None
        ahead = () if leaves and always else (place + 1,)
        places = (*ahead, *(() if target is None else (target,)))
        following.append(tuple(other for other in places if other < len(code)))
    return following


def _target(line: SassInstruction) -> int | None:
    match = TARGET.match(line.operands)
    return int(match[2], 16) // INSTRUCTION_BYTES if match else None


def _has_condition(line: SassInstruction) -> bool:
    """Whether a jump has a predicate among its operands, as those of uniform predicates have."""
    match = TARGET.match(line.operands)
    return bool(match and match[1].strip(", "))


def _reached(following: Sequence[tuple[int, ...]], without: int) -> set[int]:
    """Return what the kernel reaches from its start if it cannot enter one place."""
    seen, ahead = {without}, [0] if without else []
    while ahead:
        place = ahead.pop()
        if place not in seen:
            seen.add(place)
            ahead += following[place]
    return seen - {without}


def _body(end: int, header: int, preceding: dict[int, set[int]]) -> set[int]:
    body, ahead = {header}, [end]
    while ahead:
        place = ahead.pop()
        if place not in body:
            body.add(place)
            ahead += preceding.get(place, ())
    return body
