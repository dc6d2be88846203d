"""Replaces calls by the bodies of the called functions, so that later steps have a single function.

A function that calls itself becomes one copy with a stack. Functions that call each other are inlined into each other
until a budget is spent; a call beyond that ends the thread with a fault, as a stack overflow does on the device. System
calls (printf, assert) become the instructions `print` and `assert`, which PTX does not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from grader.worker.simulator.analysis.call_stack import CallStack, Statement
from grader.worker.simulator.analysis.parameters import moves, parameter, word
from grader.worker.simulator.analysis.recursion import call_stack, is_call_of
from grader.worker.simulator.analysis.renaming import renamed
from grader.worker.simulator.syntax.errors import UnsupportedError
from grader.worker.simulator.syntax.records import (
    Function,
    Guard,
    Instruction,
    Label,
    Module,
    Operand,
    Register,
    Sink,
    Symbol,
    Targets,
    Variable,
    Vector,
)

DEEPEST = 24  # calls within calls
MOST_STATEMENTS = 40_000


@dataclass(slots=True)
class _Whole:
    """The function under construction."""

    functions: Mapping[str, Function]
    registers: dict[str, str] = field(default_factory=dict)
    variables: list[Variable] = field(default_factory=list)
    targets: list[Targets] = field(default_factory=list)
    body: list[Statement] = field(default_factory=list)
    copies: int = 0

    def add(self, statements: Iterable[Statement]) -> None:
        """Append statements whose moves may name words of parameters for the first time."""
        for statement in statements:
            self.body.append(statement)
            if isinstance(statement, Instruction) and statement.opcode == "mov":
                for operand in statement.operands:
                    if isinstance(operand, Register):
                        self.registers.setdefault(operand.name, statement.modifiers[0])


def inlined(module: Module, function: Function) -> Function:
    """Return the function without calls of functions that have a body."""
    if not any(isinstance(s, Instruction) and s.opcode == "call" for s in function.body):
        return function
    whole = _Whole({other.name: other for other in module.functions})
    _put(whole, function, "", {}, 0)
    return replace(
        function,
        registers=whole.registers,
        variables=tuple(whole.variables),
        targets=tuple(whole.targets),
        body=tuple(whole.body),
    )


def function_addresses(module: Module) -> dict[str, int]:
    """Return an address for each function, outside of all memory: an access there counts as one to a null pointer."""
    return {function.name: 16 * (number + 1) for number, function in enumerate(module.functions)}


@dataclass(frozen=True, slots=True)
class _Copy:
    """A copy of a function: the new names of what it contains, and the number of calls that it is nested in."""

    function: Function
    suffix: str
    names: Mapping[str, str]
    parameters: frozenset[str]
    stack: CallStack | None
    depth: int

    @property
    def end(self) -> str:
        return f"end{self.suffix}"


def _put(whole: _Whole, function: Function, suffix: str, formals: Mapping[str, str], depth: int) -> None:
    """Append a copy of a function. `formals` maps its parameters and results to the caller's variables."""
    own = {variable.name: variable.name + suffix for variable in function.variables if variable.space == "local"}
    labels = {s.name for s in function.body if isinstance(s, Label)} | {t.name for t in function.targets}
    names = dict(own) | {label: label + suffix for label in labels}
    names |= {p.name: p.name + suffix for p in function.locals} | dict(formals)
    parameters = frozenset(names[name] for name in {p.name for p in function.locals} | set(formals))
    stack = call_stack(function, suffix, formals) if depth else None
    copy = _Copy(function, suffix, names, parameters, stack, depth)
    _declare(whole, copy, own)
    if stack:
        whole.add(stack.opening())
    for statement in function.body:
        if isinstance(statement, Label):
            whole.body.append(Label(statement.name + suffix))
        else:
            _put_one(whole, copy, statement)
    if stack:
        whole.add(stack.closing(copy.end))
    if depth:
        whole.body.append(Label(copy.end))


def _declare(whole: _Whole, copy: _Copy, own: Mapping[str, str]) -> None:
    """Add the registers, variables and tables of a copy. `own` maps its local arrays to their names in the copy."""
    function, suffix, stack = copy.function, copy.suffix, copy.stack
    whole.registers |= {name + suffix: type_ for name, type_ in function.registers.items()}
    variables = [replace(variable, name=own.get(variable.name, variable.name)) for variable in function.variables]
    if stack:
        whole.registers |= stack.registers
        variables = [stack.enlarged(one) if one.name in stack.arrays else one for one in variables] + [stack.variable]
        whole.targets.append(stack.returns_to)
    known = {variable.name for variable in whole.variables}
    whole.variables += [variable for variable in variables if variable.name not in known]
    whole.targets += [
        Targets(table.name + suffix, tuple(label + suffix for label in table.labels)) for table in function.targets
    ]


def _put_one(whole: _Whole, copy: _Copy, original: Instruction) -> None:
    instruction, stack = renamed(original, copy.suffix, copy.names), copy.stack
    if stack and is_call_of(copy.function, original):
        groups = [operand for operand in instruction.operands if isinstance(operand, Vector)]
        names = [item.name for group in groups for item in group.items if isinstance(item, Symbol)]
        whole.add(stack.call(instruction, original, names))
    elif instruction.opcode == "call":
        _call(whole, instruction, copy.depth)
    elif instruction.opcode == "ret" and copy.depth:
        behind = stack.return_label if stack else copy.end
        whole.body.append(replace(instruction, opcode="bra", modifiers=(), operands=(Symbol(behind),)))
    elif "param" in instruction.modifiers and parameter(instruction) in copy.parameters:
        whole.add(moves(instruction))
    elif stack and stack.uses_array(instruction):
        whole.add(stack.own_array(instruction))
    else:
        whole.body.append(instruction)


def _call(whole: _Whole, instruction: Instruction, depth: int) -> None:
    operands = list(instruction.operands)
    returned = _symbols(operands)
    target = operands.pop(0)
    names = _symbols(operands)
    if isinstance(target, Register) and len(operands) <= 1:
        _call_one_of(whole, instruction, target, (returned, names), depth)
        return
    if not isinstance(target, Symbol) or operands:
        raise UnsupportedError("a call", instruction.line)
    function = whole.functions.get(target.name)
    if function is None:
        whole.body.append(_system(whole, instruction, target.name, names, returned))
        return
    if depth >= DEEPEST or len(whole.body) > MOST_STATEMENTS:
        whole.body.append(Instruction("overflow", (), (), instruction.guard, instruction.line))
        return
    whole.copies += 1
    suffix = f"#{whole.copies}"
    formals = dict(zip((p.name for p in function.parameters), names, strict=True))
    formals |= dict(zip((p.name for p in function.results), returned, strict=True))
    if instruction.guard:
        around = f"around{suffix}"
        guard = Guard(instruction.guard.register, not instruction.guard.negated)
        whole.body.append(Instruction("bra", (), (Symbol(around),), guard, instruction.line))
        _put(whole, function, suffix, formals, depth + 1)
        whole.body.append(Label(around))
        return
    _put(whole, function, suffix, formals, depth + 1)


def _call_one_of(
    whole: _Whole, instruction: Instruction, target: Register, names: tuple[list[str], list[str]], depth: int
) -> None:
    """Translate a call through a pointer, which is compared with each function that has these parameters."""
    whole.copies += 1
    done = Label(f"called#{whole.copies}")
    if instruction.guard:
        around = Guard(instruction.guard.register, not instruction.guard.negated)
        whole.body.append(Instruction("bra", (), (Symbol(done.name),), around, instruction.line))
    for function in whole.functions.values():
        if function.is_entry or (len(function.results), len(function.parameters)) != tuple(map(len, names)):
            continue
        whole.copies += 1
        other, next_ = Register(f"other#{whole.copies}"), Label(f"next#{whole.copies}")
        whole.registers[other.name] = "pred"
        compared = (other, target, Symbol(function.name))
        whole.body.append(Instruction("setp", ("ne", "u64"), compared, None, instruction.line))
        whole.body.append(Instruction("bra", (), (Symbol(next_.name),), Guard(other, negated=False), instruction.line))
        lists = [Vector(tuple(Symbol(name) for name in group)) for group in names]
        operands: tuple[Operand, ...] = (Symbol(function.name), lists[1])
        operands = (lists[0], *operands) if names[0] else operands
        _call(whole, replace(instruction, operands=operands, guard=None), depth)
        whole.body += [Instruction("bra", (), (Symbol(done.name),), None, instruction.line), next_]
    whole.body += [Instruction("trap", (), (), None, instruction.line), done]


def _symbols(operands: list[Operand]) -> list[str]:
    """Remove a list in parentheses from the operands, if there is one, and return its names."""
    if not operands or not isinstance(operands[0], Vector):
        return []
    first = operands.pop(0)
    return [item.name for item in first.items if isinstance(item, Symbol)] if isinstance(first, Vector) else []


def _system(
    whole: _Whole, instruction: Instruction, name: str, arguments: list[str], returned: list[str]
) -> Instruction:
    """Return the instruction for a system call of the device."""

    def first(parameter: str, width: int) -> Register:
        register = word(parameter, 0, width)
        whole.registers.setdefault(register.name, f"b{width}")
        return register

    line, guard = instruction.line, instruction.guard
    if name == "vprintf" and len(arguments) == 2:
        target = first(returned[0], 32) if returned else Sink()
        return Instruction("print", (), (target, first(arguments[0], 64), first(arguments[1], 64)), guard, line)
    if name == "__assertfail" and len(arguments) == 5:
        return Instruction("assert", (), (first(arguments[0], 64),), guard, line)
    if name == "malloc" and len(arguments) == 1 and returned:
        return Instruction("malloc", (), (first(returned[0], 64), first(arguments[0], 64)), guard, line)
    if name == "free" and len(arguments) == 1:
        return Instruction("free", (), (first(arguments[0], 64),), guard, line)
    raise UnsupportedError(f"a call of {name}" if name in _KNOWN else "a call of a function without a body", line)


_KNOWN = frozenset({"cudaDeviceSynchronize", "cudaGetParameterBufferV2", "cudaLaunchDeviceV2"})
