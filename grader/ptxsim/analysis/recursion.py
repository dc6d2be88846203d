"""Recursive functions, and the registers to save during each of their calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.ptxsim.analysis import parameters
from grader.ptxsim.analysis.call_stack import SLOT_BYTES, CallStack, Member, RecursiveCall
from grader.ptxsim.analysis.graph import build
from grader.ptxsim.analysis.registers import live_behind, liveness
from grader.ptxsim.records.lacks import Lack, UnsupportedError
from grader.ptxsim.syntax.records import WIDTHS, Function, Instruction, Label, Operand, Register, Symbol, Vector

ARRAY_BYTES = 16  # a multiple of the alignment of every local array


def cycles(functions: Mapping[str, Function]) -> dict[str, tuple[Function, ...]]:
    """Return, for each recursive function, all functions that it calls and that call it, directly or indirectly."""
    called = {name: {other.name for _, other in _calls(function, functions)} for name, function in functions.items()}
    reached = {name: _reached(name, called) for name in functions}
    return {
        name: tuple(functions[other] for other in functions if other in reached[name] and name in reached[other])
        for name in functions
        if name in reached[name]
    }


def takes(function: Function, results: int, count: int) -> bool:
    """Whether a call through a pointer with so many results and parameters may call this function."""
    return not function.is_entry and (len(function.results), len(function.parameters)) == (results, count)


def call_stack(functions: Sequence[Function], suffix: str) -> CallStack:
    """Return the call stack of a copy of functions that call each other; `suffix` is that of the copy."""
    members = {function.name: Member(function, f"{suffix}.{number}") for number, function in enumerate(functions)}
    sites: dict[tuple[int, str], RecursiveCall] = {}
    for member in members.values():
        live = _live_after_calls(member.function)
        words = _words_loaded_late(member)
        for call, callee in _calls(member.function, {function.name: function for function in functions}):
            registers = {name + member.suffix: member.function.registers[name] for name in live.get(id(call), ())}
            sites[id(call), callee.name] = RecursiveCall(len(sites), registers | words)
            if any(WIDTHS[type_] > 8 * SLOT_BYTES for type_ in registers.values()):
                raise UnsupportedError(Lack.RECURSIVE_REGISTERS, call.line)
    arrays = {
        array.name + member.suffix: -(-array.size // ARRAY_BYTES) * ARRAY_BYTES
        for member in members.values()
        for array in member.function.variables
        if array.space == "local"
    }
    return CallStack(suffix, members, sites, arrays)


def _calls(function: Function, functions: Mapping[str, Function]) -> Iterator[tuple[Instruction, Function]]:
    """Yield the calls in a function, each with a function that it calls, or may call through a pointer."""
    for call in function.body:
        if not isinstance(call, Instruction) or call.opcode != "call":
            continue
        names = [operand.name for operand in call.operands if isinstance(operand, Symbol)]
        if any(isinstance(operand, Register) for operand in call.operands):
            pointer = next(i for i, operand in enumerate(call.operands) if isinstance(operand, Register))
            results, count = (_length(call.operands[part]) for part in (slice(pointer), slice(pointer + 1, None)))
            names = [other.name for other in functions.values() if takes(other, results, count)]
        yield from ((call, functions[name]) for name in names if name in functions)


def _length(operands: Sequence[Operand]) -> int:
    """Return the total number of variables in the lists in parentheses."""
    return sum(len(operand.items) for operand in operands if isinstance(operand, Vector))


def _reached(name: str, called: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    left = set(called[name])
    while left:
        other = left.pop()
        reached.add(other)
        left |= called[other] - reached
    return reached


def _words_loaded_late(member: Member) -> dict[str, str]:
    """Return the words of parameters that are loaded after the first label or call, which a call may overwrite."""
    function = member.function
    first = next(i for i, s in enumerate(function.body) if isinstance(s, Label) or s.opcode == "call")
    later = [s for s in function.body[first:] if isinstance(s, Instruction)]
    late = {parameters.parameter(s) for s in later if s.opcode == "ld" and "param" in s.modifiers}
    return {
        parameters.word(member.own(formal.name), offset, width).name: f"b{max(parameters.NARROWEST, width)}"
        for formal in function.parameters
        if formal.name in late
        for offset, width in sorted(parameters.words(function, formal.name))
    }


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
