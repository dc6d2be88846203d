"""Calls replaced by the body of what they call, so that everything after this sees one function.

A function that calls itself is put into itself until a budget is spent; a call beyond that ends the thread with a
fault, as running out of stack does on the device. Calls of the system (printf, assert) become instructions of their
own: `print` and `assert`, which PTX does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from grader.worker.simulator.syntax.errors import UnsupportedError
from grader.worker.simulator.syntax.records import (
    Address,
    Function,
    Guard,
    Instruction,
    Label,
    Module,
    Negated,
    Operand,
    Pair,
    Register,
    Sink,
    Symbol,
    Targets,
    Variable,
    Vector,
)
from grader.worker.simulator.syntax.types import WIDTHS, types_of

DEEPEST = 24  # calls within calls
MOST_STATEMENTS = 40_000

Statement = Instruction | Label


@dataclass(slots=True)
class _Whole:
    """The function that is being put together."""

    functions: Mapping[str, Function]
    registers: dict[str, str] = field(default_factory=dict)
    variables: list[Variable] = field(default_factory=list)
    targets: list[Targets] = field(default_factory=list)
    body: list[Statement] = field(default_factory=list)
    copies: int = 0


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
    """Return the address of each function: none of memory, so that an access there is one through a null pointer."""
    return {function.name: 16 * (number + 1) for number, function in enumerate(module.functions)}


def _put(whole: _Whole, function: Function, suffix: str, renamed: Mapping[str, str], depth: int) -> None:
    """Append a copy of a function. `renamed` maps its parameters and results to the caller's variables."""
    whole.registers |= {name + suffix: type_ for name, type_ in function.registers.items()}
    own = {variable.name: variable.name + suffix for variable in function.variables if variable.space == "local"}
    for variable in function.variables:
        fresh = replace(variable, name=own.get(variable.name, variable.name))
        if fresh.name not in {known.name for known in whole.variables}:
            whole.variables.append(fresh)
    labels = {s.name for s in function.body if isinstance(s, Label)} | {t.name for t in function.targets}
    names = dict(own) | {label: label + suffix for label in labels}
    names |= {p.name: p.name + suffix for p in function.locals} | dict(renamed)
    whole.targets += [
        Targets(table.name + suffix, tuple(label + suffix for label in table.labels)) for table in function.targets
    ]
    end = f"end{suffix}"
    parameters = {p.name for p in function.locals} | set(renamed)
    for statement in function.body:
        if isinstance(statement, Label):
            whole.body.append(Label(statement.name + suffix))
            continue
        _put_one(whole, _renamed(statement, suffix, names), {names[name] for name in parameters}, end, depth)
    if depth:
        whole.body.append(Label(end))


def _put_one(whole: _Whole, instruction: Instruction, parameters: set[str], end: str, depth: int) -> None:
    if instruction.opcode == "call":
        _call(whole, instruction, depth)
    elif instruction.opcode == "ret" and depth:
        whole.body.append(replace(instruction, opcode="bra", modifiers=(), operands=(Symbol(end),)))
    elif "param" in instruction.modifiers and _parameter(instruction) in parameters:
        whole.body += _moves(whole, instruction)
    else:
        whole.body.append(instruction)


def _parameter(instruction: Instruction) -> str:
    place = 1 if instruction.opcode == "ld" else 0
    address = instruction.operands[place]
    return address.base.name if isinstance(address, Address) and isinstance(address.base, Symbol) else ""


def _moves(whole: _Whole, instruction: Instruction) -> Iterator[Instruction]:
    """Return moves to or from the registers that hold the words of a parameter."""
    is_load = instruction.opcode == "ld"
    value, address = instruction.operands[:2] if is_load else reversed(instruction.operands[:2])
    width = max(16, WIDTHS[types_of(instruction)[-1]])
    items: tuple[Operand, ...] = value.items if isinstance(value, Vector) else (value,)
    offset = address.offset if isinstance(address, Address) else 0
    for number, item in enumerate(items):
        word = Register(f"{_parameter(instruction)}+{offset + number * width // 8}.{width}")
        whole.registers.setdefault(word.name, f"b{width}")
        operands: tuple[Operand, ...] = (item, word) if is_load else (word, item)
        yield Instruction("mov", (f"b{width}",), operands, instruction.guard, instruction.line)


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
    renamed = dict(zip((p.name for p in function.parameters), names, strict=True))
    renamed |= dict(zip((p.name for p in function.results), returned, strict=True))
    if instruction.guard:
        around = f"around{suffix}"
        guard = Guard(instruction.guard.register, not instruction.guard.negated)
        whole.body.append(Instruction("bra", (), (Symbol(around),), guard, instruction.line))
        _put(whole, function, suffix, renamed, depth + 1)
        whole.body.append(Label(around))
        return
    _put(whole, function, suffix, renamed, depth + 1)


def _call_one_of(
    whole: _Whole, instruction: Instruction, target: Register, names: tuple[list[str], list[str]], depth: int
) -> None:
    """Call through a pointer: one function after the other is compared with it, of those that have these parameters."""
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
    """Return the instruction for a function that the device's system has."""

    def word(parameter: str, width: int) -> Register:
        register = Register(f"{parameter}+0.{width}")
        whole.registers.setdefault(register.name, f"b{width}")
        return register

    line, guard = instruction.line, instruction.guard
    if name == "vprintf" and len(arguments) == 2:
        target = word(returned[0], 32) if returned else Sink()
        return Instruction("print", (), (target, word(arguments[0], 64), word(arguments[1], 64)), guard, line)
    if name == "__assertfail" and len(arguments) == 5:
        return Instruction("assert", (), (word(arguments[0], 64),), guard, line)
    if name == "malloc" and len(arguments) == 1 and returned:
        return Instruction("malloc", (), (word(returned[0], 64), word(arguments[0], 64)), guard, line)
    if name == "free" and len(arguments) == 1:
        return Instruction("free", (), (word(arguments[0], 64),), guard, line)
    raise UnsupportedError(f"a call of {name}" if name in _KNOWN else "a call of a function without a body", line)


_KNOWN = frozenset({"cudaDeviceSynchronize", "cudaGetParameterBufferV2", "cudaLaunchDeviceV2"})


def _renamed(instruction: Instruction, suffix: str, names: Mapping[str, str]) -> Instruction:
    guard = instruction.guard
    if guard is not None:
        guard = Guard(Register(guard.register.name + suffix), guard.negated)
    is_call = instruction.opcode == "call"
    operands = tuple(_rename(operand, suffix, names) for operand in instruction.operands)
    if is_call:  # the name of what is called is no name of the caller's
        operands = tuple(
            old if isinstance(old, Symbol) else new for old, new in zip(instruction.operands, operands, strict=True)
        )
    return replace(instruction, operands=operands, guard=guard)


def _rename(operand: Operand, suffix: str, names: Mapping[str, str]) -> Operand:
    match operand:
        case Register(name):
            return Register(name + suffix)
        case Negated(register):
            return Negated(Register(register.name + suffix))
        case Symbol(name, offset):
            return Symbol(names.get(name, name), offset)
        case Address(base, offset):
            fresh = _rename(base, suffix, names) if base is not None else None
            return Address(fresh if isinstance(fresh, Register | Symbol) else None, offset)
        case Vector(items):
            return Vector(tuple(_rename(item, suffix, names) for item in items))
        case Pair(first, second):
            return Pair(
                Register(first.name + suffix) if first else None, Register(second.name + suffix) if second else None
            )
        case _:
            return operand
