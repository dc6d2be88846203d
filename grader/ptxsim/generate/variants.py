"""The variants of an instruction that the simulator translates, as the PTX ISA lists them: its opcode and modifiers.

A line such as `add|sub [rn|rz] [ftz] f32` has the opcodes, then a slot for each modifier: one of several words, which
may be missing where the slot is in brackets. Assemblers accept modifiers in any order, so a slot is filled by the first
modifier that it has; but every modifier needs a slot, and an instruction has no word twice unless two slots have it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from grader.ptxsim.generate.code import Code
from grader.ptxsim.syntax.records import Instruction

Translate = Callable[[Code, Instruction], None]
ANY = "*"  # a line's only slot, for instructions of our own that keep the modifiers of another one


@dataclass(frozen=True, slots=True)
class Slot:
    """The words of which one stands in a place."""

    words: tuple[str, ...]
    optional: bool


@dataclass(frozen=True, slots=True)
class InstructionVariant:
    """A line of a table, for one of its opcodes, and the function that translates it."""

    opcode: str
    slots: tuple[Slot, ...]
    translate: Translate

    def has(self, modifiers: Sequence[str]) -> bool:
        """Whether the modifiers fill the slots."""
        left = list(self.slots)
        if left and left[0].words == (ANY,):
            return True
        for modifier in modifiers:
            slot = next((slot for slot in left if modifier in slot.words), None)
            if slot is None:
                return False
            left.remove(slot)
        return all(slot.optional for slot in left)

    def spellings(self) -> Iterator[tuple[str, ...]]:
        """Yield the modifiers of all instructions that the line describes, in its order."""
        for words in product(*(("",) * slot.optional + slot.words for slot in self.slots)):
            yield tuple(word for word in words if word)


def variants(table: Mapping[Translate, str]) -> Iterator[InstructionVariant]:
    """Yield the variants of a table, which has the lines that each function translates."""
    for translate, lines in table.items():
        for line in lines.strip().splitlines():
            opcodes, *words = line.split()
            slots = tuple(Slot(tuple(word.strip("[]").split("|")), word.startswith("[")) for word in words)
            yield from (InstructionVariant(opcode, slots, translate) for opcode in opcodes.split("|"))
