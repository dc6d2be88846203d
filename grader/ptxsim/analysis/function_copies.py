"""The function that inlining builds, copies of functions in it, with new names, and functions that call each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from grader.ptxsim.analysis import parameters
from grader.ptxsim.analysis.call_stack import SLOT_BYTES, CallStack, Member, RecursiveCall, Statement
from grader.ptxsim.analysis.graph import build
from grader.ptxsim.analysis.parameters import Word, type_of
from grader.ptxsim.analysis.registers import live_behind, liveness
from grader.ptxsim.records.lacks import Lack, UnsupportedError
from grader.ptxsim.syntax.operands import mapped
from grader.ptxsim.syntax.records import (
    WIDTHS,
    Function,
    Guard,
    Instruction,
    Label,
    Operand,
    Register,
    Symbol,
    Targets,
    Variable,
    Vector,
)


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of a function: the new names in it, and the depth of the call."""

    function: Function
    suffix: str
    names: Mapping[str, str]
    parameters: frozenset[str]
    stack: CallStack | None
    depth: int

    @property
    def end(self) -> str:
        return f"end{self.suffix}"


def copy_of(function: Function, suffix: str, formals: Mapping[str, str], stack: CallStack | None, depth: int) -> Copy:
    """Return a copy of a function. `formals` maps its parameters and results to variables of the inlined function."""
    own = {variable.name: variable.name + suffix for variable in function.variables if variable.space == "local"}
    labels = {s.name for s in function.body if isinstance(s, Label)} | {t.name for t in function.targets}
    names = own | {label: label + suffix for label in labels}
    names |= {p.name: p.name + suffix for p in function.locals} | dict(formals)
    of_calls = frozenset(names[name] for name in {p.name for p in function.locals} | set(formals))
    return Copy(function, suffix, names, of_calls, stack, depth)


@dataclass(slots=True)
class Whole:
    """The function under construction."""

    functions: Mapping[str, Function]
    registers: dict[str, str] = field(default_factory=dict)
    variables: list[Variable] = field(default_factory=list)
    targets: list[Targets] = field(default_factory=list)
    body: list[Statement] = field(default_factory=list)
    cycles: Mapping[str, tuple[Function, ...]] = field(default_factory=dict)
    stored: dict[str, set[Word]] = field(default_factory=dict)
    """The words that each variable of a call has."""
    copies: int = 0

    def add(self, statements: Iterable[Statement]) -> None:
        """Append statements, and declare the registers for parameter words that they use first."""
        for statement in statements:
            self.body.append(statement)
            for operand in statement.operands if isinstance(statement, Instruction) else ():
                if isinstance(operand, Register) and operand.name not in self.registers:
                    self.registers[operand.name] = type_of(operand)

    def declare(self, copy: Copy) -> None:
        """Add the registers, variables and tables of a copy."""
        function, suffix, stack = copy.function, copy.suffix, copy.stack
        self.registers |= {name + suffix: type_ for name, type_ in function.registers.items()}
        variables = [
            replace(variable, name=variable.name + suffix) if variable.space == "local" else variable
            for variable in function.variables
        ]
        if stack:
            variables = [stack.enlarged(own) if own.name in stack.arrays else own for own in variables]
        known = {variable.name for variable in self.variables}
        self.variables += [variable for variable in variables if variable.name not in known]
        self.targets += [
            Targets(table.name + suffix, tuple(label + suffix for label in table.labels)) for table in function.targets
        ]


def renamed(instruction: Instruction, suffix: str, names: Mapping[str, str]) -> Instruction:
    """Return the instruction with `suffix` added to each register's name, and symbols renamed by `names`."""

    def register(own: Register) -> Register:
        return Register(own.name + suffix)

    def symbol(own: Symbol) -> Symbol:
        return Symbol(names.get(own.name, own.name), own.offset)

    guard = instruction.guard and Guard(register(instruction.guard.register), instruction.guard.negated)
    is_call = instruction.opcode == "call"  # the called function's name is not one of the caller's names
    operands = tuple(
        operand if is_call and isinstance(operand, Symbol) else mapped(operand, register, symbol)
        for operand in instruction.operands
    )
    return replace(instruction, operands=operands, guard=guard)


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
    for call in function.instructions:
        if call.opcode != "call":
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
