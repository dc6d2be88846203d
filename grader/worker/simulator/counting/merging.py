"""Loads from shared memory that PTX has one by one, and that the assembler merges into wider ones. Pure.

ptxas makes one LDS.64 or LDS.128 of loads of neighbouring words if the first address is a multiple of their size: the
16 x 16 tile of reference/tiled_16.cu has 32 loads in PTX, and 16 LDS and 4 LDS.128 in the machine code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grader.worker.simulator.analysis.graph import Graph
from grader.worker.simulator.analysis.registers import results
from grader.worker.simulator.counting.sites import CodeSite, access_kind
from grader.worker.simulator.generate.barriers import is_barrier
from grader.worker.simulator.syntax.records import Address, Instruction, Operand
from grader.worker.simulator.syntax.types import WIDTHS, types_of

Loads = dict[int, int]  # offset -> number of the instruction
WORD = 4


def merged(graph: Graph, alignments: Mapping[CodeSite, int]) -> Iterator[tuple[CodeSite, ...]]:
    """Yield groups of four or two loads of neighbouring words, in the order of their addresses.

    `alignments` has a number of bytes for each load, of which all its addresses are multiples.
    """
    for block, content in enumerate(graph.blocks):
        for loads in _of_one_base(content.instructions):
            for offset in sorted(loads):
                alignment = alignments.get(CodeSite(block, loads.get(offset, -1)), 0)
                for count in (4, 2):
                    if alignment >= WORD * count and _has(loads, offset, count):
                        yield tuple(CodeSite(block, loads.pop(offset + WORD * place)) for place in range(count))


def _has(loads: Mapping[int, int], offset: int, count: int) -> bool:
    return all(offset + WORD * place in loads for place in range(count))


def _of_one_base(instructions: tuple[Instruction, ...]) -> Iterator[Loads]:
    """Yield loads that have one base register, with no store and no barrier between them."""
    waiting: dict[Operand | None, Loads] = {}
    for number, instruction in enumerate(instructions):
        if orders(instruction):
            yield from waiting.values()
            waiting = {}
        elif _is_narrow_load(instruction) and isinstance(address := instruction.operands[1], Address):
            waiting.setdefault(address.base, {})[address.offset] = number
        for register in results(instruction):
            if loads := waiting.pop(register, None):
                yield loads
    yield from waiting.values()


def orders(instruction: Instruction) -> bool:
    """Whether loads before and after an instruction are not merged: it writes to memory, or is a barrier."""
    return is_barrier(instruction) or access_kind(instruction) in {"store", "atomic", "copy"}


def _is_narrow_load(instruction: Instruction) -> bool:
    types = types_of(instruction)
    is_vector = bool({"v2", "v4"} & set(instruction.modifiers))
    return (
        instruction.opcode == "ld"
        and "shared" in instruction.modifiers
        and not is_vector
        and WIDTHS[types[-1]] == 8 * WORD
    )
