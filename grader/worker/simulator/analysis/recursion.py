"""Functions that call themselves, and what has to be kept while such a call runs."""

from __future__ import annotations

from collections.abc import Mapping

from grader.worker.simulator.analysis import parameters
from grader.worker.simulator.analysis.call_stack import SLOT_BYTES, CallStack, RecursiveCall, Statement
from grader.worker.simulator.analysis.graph import build
from grader.worker.simulator.analysis.liveness import live_behind, liveness
from grader.worker.simulator.syntax.errors import UnsupportedError
from grader.worker.simulator.syntax.records import (
    Function,
    Instruction,
    Label,
    Symbol,
)
from grader.worker.simulator.syntax.types import WIDTHS

ARRAY_BYTES = 16  # a multiple of the alignment of every local array


def is_call_of(function: Function, statement: Statement) -> bool:
    """Whether a statement of a function calls that function."""
    return (
        isinstance(statement, Instruction)
        and statement.opcode == "call"
        and any(isinstance(operand, Symbol) and operand.name == function.name for operand in statement.operands)
    )


def call_stack(function: Function, suffix: str, formals: Mapping[str, str]) -> CallStack | None:
    """Return what the copy of a function with this suffix needs for its calls of itself; None if it has none.

    `formals` maps its parameters and results to variables of the function that contains the copy.
    """
    calls = [s for s in function.body if isinstance(s, Instruction) and is_call_of(function, s)]
    if not calls:
        return None
    late = _loaded_late(function)
    words = {
        parameters.word(formals[formal.name], offset, width).name: f"b{width}"
        for formal in function.parameters
        if formal.name in late
        for offset, width in sorted(parameters.words(function, formal.name))
    }
    live = _live_after_calls(function)
    sites = {
        id(call): RecursiveCall(
            number, {name + suffix: function.registers[name] for name in live.get(id(call), ())} | words
        )
        for number, call in enumerate(calls)
    }
    if any(WIDTHS[type_] > 8 * SLOT_BYTES for site in sites.values() for type_ in site.saved.values()):
        raise UnsupportedError("a recursive function with registers of 128 bits", calls[0].line)
    arrays = {
        array.name + suffix: -(-array.size // ARRAY_BYTES) * ARRAY_BYTES
        for array in function.variables
        if array.space == "local"
    }
    return CallStack(function, suffix, formals, sites, arrays)


def _loaded_late(function: Function) -> set[str]:
    """Return the parameters that are loaded after the first label or call, where a call may have replaced them."""
    first = next(i for i, s in enumerate(function.body) if isinstance(s, Label) or s.opcode == "call")
    later = [s for s in function.body[first:] if isinstance(s, Instruction)]
    return {parameters.parameter(s) for s in later if s.opcode == "ld" and "param" in s.modifiers}


def _live_after_calls(function: Function) -> dict[int, list[str]]:
    """Return the names of the registers that are read after each call, by the identity of the call."""
    graph = build(function)
    live = liveness(graph)
    return {
        id(instruction): live.names(live_behind(block, place, live.live_out[number], live.numbers))
        for number, block in enumerate(graph.blocks)
        for place, instruction in enumerate(block.instructions)
        if instruction.opcode == "call"
    }
