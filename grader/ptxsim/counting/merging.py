"""Loads from shared memory that PTX has one by one, and that the assembler merges into wider ones. Pure.

ptxas makes one LDS.64 or LDS.128 of loads of neighbouring words if the first address is a multiple of their size: the
16 x 16 tile of reference/tiled_16.cu has 32 loads in PTX, and 16 LDS and 4 LDS.128 in the machine code. Three of four
words become one LDS.128 too, which also reads the word that nothing needs. Short conditional parts become predicated
instructions before that, so that loads around them are merged. Loads of two words, and of a double, take part, those of
four do not. Loads of halves become loads of two or four of them, and no wider ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from grader.ptxsim.analysis.graph import EXIT, Graph
from grader.ptxsim.analysis.ordering import is_barrier
from grader.ptxsim.analysis.registers import results
from grader.ptxsim.counting.sites import CodeSite, access_kind
from grader.ptxsim.syntax.records import WIDTHS, Address, Instruction, Integer, Operand, address_of, types_of

Loads: TypeAlias = dict[int, tuple[CodeSite, int]]  # by offset: the load, and how many elements it has
Region: TypeAlias = list[tuple[int, bool]]  # blocks in sequence, and whether each is conditional
HALF, WORD = 2, 4  # bytes of an element; a double is taken for two words
WIDE = (4, 3), (2, 2)  # elements of a wide load, and how many of them have to be needed
MOST_PREDICATED = 16  # instructions of a conditional part
Value: TypeAlias = tuple[int, int]  # the number of a value, and a constant that is added to it

_FUNCTIONS = frozenset(
    {"add", "sub", "mul", "mad", "shl", "shr", "and", "or", "xor", "not", "neg", "min", "max", "cvt", "cvta", "mov"}
)


def merged(graph: Graph, alignments: Mapping[CodeSite, int]) -> Iterator[tuple[int, tuple[CodeSite, ...]]]:
    """Yield the bytes of each wide load with the loads that it replaces, in the order of their addresses.

    `alignments` has a number of bytes for each load, of which all its addresses are multiples.
    """
    for region in regions(graph):
        for element, loads in _of_one_base(graph, region):
            for elements, least in WIDE:
                yield from _wide(loads, alignments, element * elements, least)


def _wide(
    loads: Loads, alignments: Mapping[CodeSite, int], size: int, least: int
) -> Iterator[tuple[int, tuple[CodeSite, ...]]]:
    """Yield the wide loads of so many bytes, and remove what they replace."""
    start = next((offset for offset, (site, _) in loads.items() if alignments.get(site, 0) >= size), None)
    if start is None:
        return
    together: dict[int, list[int]] = {}
    for offset in sorted(loads):
        together.setdefault((offset - start) // size, []).append(offset)
    for offsets in together.values():
        if len(offsets) > 1 and sum(loads[offset][1] for offset in offsets) >= least:
            yield size, tuple(loads.pop(offset)[0] for offset in offsets)


def regions(graph: Graph) -> list[Region]:
    """Return the code without jumps after short conditional parts are predicated: each block once, in sequence."""
    predecessors = graph.predecessors()
    following = {number: _following(graph, predecessors, number) for number in range(len(graph.blocks))}
    continued = {block for region in following.values() for block, _ in region}
    starts = [number for number in following if number not in continued]
    return [_from(start, following) for start in starts]


def _from(start: int, following: Mapping[int, Region]) -> Region:
    region = [(start, False)]
    while more := following[region[-1][0]]:
        region += more
    return region


def _following(graph: Graph, predecessors: Sequence[Sequence[int]], number: int) -> Region:
    """Return what continues a block without a jump: a conditional part and what is behind it, or one block."""
    successors = set(graph.blocks[number].successors) - {EXIT}
    if len(successors) == 1 and len(graph.blocks[number].successors) == 1:
        (only,) = successors
        return [(only, False)] if only and predecessors[only] == [number] else []
    for part in successors:
        behind = graph.blocks[part].successors
        if (
            len(successors) == 2
            and {part, *behind} == successors
            and predecessors[part] == [number]
            and set(predecessors[behind[0]]) == {number, part}
            and len(graph.blocks[part].instructions) <= MOST_PREDICATED
            and not any(map(_orders, graph.blocks[part].instructions))
        ):
            return [(part, True), (behind[0], False)]
    return []


def _of_one_base(graph: Graph, region: Region) -> Iterator[tuple[int, Loads]]:
    """Yield the bytes of an element with loads whose addresses differ by constants; no store or barrier is between."""
    waiting: dict[tuple[int, int], Loads] = {}
    values = ValueNumbers()
    for block, is_conditional in region:
        for number, instruction in enumerate(graph.blocks[block].instructions):
            if _orders(instruction):
                yield from _by_element(waiting)
                waiting = {}
            elif not is_conditional and (elements := _mergeable_elements(instruction)):
                base, offset = values.address(address_of(instruction) or Address(None, 0))
                element, count = elements
                waiting.setdefault((base, element), {}).setdefault(offset, (CodeSite(block, number), count))
            values.follow(instruction, is_conditional=is_conditional)
    yield from _by_element(waiting)


def _by_element(waiting: Mapping[tuple[int, int], Loads]) -> Iterator[tuple[int, Loads]]:
    return ((element, loads) for (_, element), loads in waiting.items())


def _orders(instruction: Instruction) -> bool:
    """Whether loads before and after an instruction are not merged: it writes to memory, or is a barrier."""
    return is_barrier(instruction) or access_kind(instruction) in {"store", "atomic", "copy"}


def _mergeable_elements(instruction: Instruction) -> tuple[int, int] | None:
    """Return the bytes and the number of the elements of a load of shared memory that the assembler may merge."""
    is_load = instruction.opcode == "ld" and "shared" in instruction.modifiers
    if not is_load or {"v4", "volatile"} & set(instruction.modifiers):
        return None
    size = WIDTHS[types_of(instruction)[-1]] // 8 * (2 if "v2" in instruction.modifiers else 1)
    return {HALF: (HALF, 1), WORD: (WORD, 1), 2 * WORD: (WORD, 2)}.get(size)


class ValueNumbers:
    """The values of registers after the instructions so far, in code without jumps.

    The compiler computes an address again where that is cheaper than keeping it in a register. See Aho, Lam, Sethi,
    Ullman: Compilers, section 8.5.1, on local value numbering.
    """

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self._values: dict[Operand | None, Value] = {}

    def address(self, address: Address) -> Value:
        """Return the value of an address."""
        number, offset = self._of(address.base)
        return number, offset + address.offset

    def follow(self, instruction: Instruction, *, is_conditional: bool) -> None:
        """Execute an instruction; nothing is known about the results of one that not all lanes execute."""
        written = results(instruction)
        is_known = len(written) == 1 and instruction.opcode in _FUNCTIONS
        is_known = is_known and instruction.guard is None and not is_conditional
        for register in written:
            self._values[register] = self._result(instruction) if is_known else self._new(object())

    def _result(self, instruction: Instruction) -> Value:
        _, first, *others = instruction.operands
        if instruction.opcode == "mov":
            return self._of(first)
        if instruction.opcode == "add" and len(others) == 1 and isinstance(others[0], Integer):
            number, offset = self._of(first)
            return number, offset + others[0].value
        return self._new((instruction.name, *map(self._of, instruction.operands[1:])))

    def _of(self, operand: Operand | None) -> Value:
        if operand not in self._values:
            self._values[operand] = self._new(operand)
        return self._values[operand]

    def _new(self, key: object) -> Value:
        return self._numbers.setdefault(key, len(self._numbers)), 0
