"""The instructions of one iteration of a loop, by what they do. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from grader.model.counters import LoopMix
from grader.ptxsim.analysis.graph import Graph
from grader.ptxsim.analysis.ordering import is_barrier
from grader.ptxsim.counting import sites
from grader.ptxsim.syntax.records import Instruction

ARITHMETIC: Mapping[str, Callable[[Instruction], bool]] = {  # the first that an instruction is of counts
    "multiply_adds": sites.is_multiply_add,
    "double": sites.is_double,
    "divisions": sites.is_division,
    "integer": sites.is_integer_arithmetic,
    "tensor": sites.is_tensor,
}


def mix(graph: Graph, loop: sites.LoopBlocks) -> LoopMix:
    """Return the instructions of one iteration, as if each of its blocks ran once."""
    inside = [instruction for block in sorted(loop.blocks) for instruction in graph.blocks[block].instructions]
    branches = sum(len(set(graph.blocks[block].successors)) > 1 for block in loop.blocks)
    counted = Counter(name for instruction in inside for name in _classes(instruction))
    if short := any(map(sites.is_half, inside)) or any(map(sites.is_half_conversion, inside)):
        counted["multiply_adds"] -= len(sites.fused(inside))
    return LoopMix(
        line=_line(inside, sites.computes),
        comparisons=sum(instruction.opcode == "setp" for instruction in inside),
        division_line=_line(inside, sites.is_division),
        double_line=_line(inside, sites.is_double),
        barrier_line=_line(inside, is_barrier),
        half_conversions=sites.half_conversions(inside, sites.constants(graph)) if short else 0,
        instructions=branches + sum(map(sites.is_issued, inside)),
        branches=branches,
        **{
            name: counted[name]
            for name in (
                "multiply_adds", "global_loads", "shared_loads", "stores", "integer", "divisions", "double", "barriers",
                "integer_multiply_adds", "tensor", "double_conversions",
            )
        },
    )  # fmt: skip


def _line(inside: list[Instruction], kind: Callable[[Instruction], int]) -> int:
    """Return the line with the most instructions of a kind; 0 where none has a line."""
    lines = Counter(instruction.line for instruction in inside if kind(instruction) and instruction.line)
    return max(lines, key=lambda line: lines[line]) if lines else 0


def _classes(instruction: Instruction) -> Iterator[str]:
    kind = sites.access_kind(instruction)
    if kind in {"load", "copy"}:
        yield "shared_loads" if "shared" in instruction.modifiers and kind == "load" else "global_loads"
    elif kind:
        yield "stores"
    elif is_barrier(instruction):
        yield "barriers"
    elif arithmetic := next((name for name, is_of in ARITHMETIC.items() if is_of(instruction)), ""):
        yield arithmetic
        if arithmetic == "double" and sites.is_conversion(instruction):
            yield "double_conversions"
        if arithmetic == "integer" and sites.is_integer_multiply_add(instruction):
            yield "integer_multiply_adds"
