"""Inline all calls, so that later steps have a single function.

Functions that call themselves or each other are copied once, with a stack. System calls (printf, assert) become
the instructions `print` and `assert`, which PTX does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.ptxsim.analysis.call_stack import Member, Names
from grader.ptxsim.analysis.function_copies import Copy, Whole, call_stack, copy_of, cycles, renamed, takes
from grader.ptxsim.analysis.parameters import loads, parameter, stores, word, words_of
from grader.ptxsim.records.lacks import Lack, UnsupportedError
from grader.ptxsim.syntax.records import (
    Address,
    Function,
    Guard,
    Instruction,
    Integer,
    Label,
    Module,
    Operand,
    Register,
    Sink,
    Symbol,
    Vector,
    branch,
)

DEEPEST = 24  # nested calls
MOST_STATEMENTS = 40_000
POINTER_BYTES = 8
_KNOWN = frozenset(
    {"cudaDeviceSynchronize", "cudaGetParameterBufferV2", "cudaLaunchDeviceV2"}
)  # functions of the device
MOST_FORGOTTEN = 1024  # bytes of a local array; each 16 bytes take an instruction


def inlined(module: Module, function: Function) -> Function:
    """Return the function with all calls of functions that have a body inlined."""
    if not any(instruction.opcode == "call" for instruction in function.instructions):
        return function
    functions = {other.name: other for other in module.functions}
    whole = Whole(functions, cycles=cycles(functions))
    _put(whole, copy_of(function, "", {}, None, 0))
    return replace(
        function,
        registers=whole.registers,
        variables=tuple(whole.variables),
        targets=tuple(whole.targets),
        body=tuple(whole.body),
    )


def function_addresses(module: Module) -> dict[str, int]:
    """Return an address for each function. It is outside of all memory: an access counts as one to a null pointer."""
    return {function.name: 16 * (number + 1) for number, function in enumerate(module.functions)}


def _put(whole: Whole, copy: Copy) -> None:
    """Append a copy of a function."""
    whole.declare(copy)
    for statement in copy.function.body:
        if isinstance(statement, Label):
            whole.body.append(Label(statement.name + copy.suffix))
        else:
            _put_one(whole, copy, statement)


def _put_cycle(whole: Whole, called: Function, names: Names, suffix: str, depth: int) -> None:
    """Append copies of the functions of a call cycle, and the first call; `names` are the call's variables."""
    stack = call_stack(whole.cycles[called.name], suffix)
    whole.registers |= stack.registers
    whole.variables.append(stack.variable)
    whole.targets.append(stack.returns_to)
    whole.add(stack.opening(called.name, names[1], whole.stored))
    for member in stack.members.values():
        function = member.function
        formals = {formal.name: member.own(formal.name) for formal in (*function.parameters, *function.results)}
        whole.stored |= member.words
        whole.body.append(Label(member.begin))
        _put(whole, copy_of(function, member.suffix, formals, stack, depth))
        whole.body.append(branch(stack.return_label, 0))
    whole.add(stack.closing(called.name, names[0]))
    _keep_results(whole, stack.members[called.name], names[0])


def _keep_results(whole: Whole, member: Member, results: Sequence[str]) -> None:
    """Record the words of a call's variables that contain its results."""
    for formal, name in zip(member.function.results, results, strict=True):
        whole.stored[name] = member.words[member.own(formal.name)]


def _put_one(whole: Whole, copy: Copy, original: Instruction) -> None:
    instruction, stack = renamed(original, copy.suffix, copy.names), copy.stack
    if instruction.opcode == "call":
        _call(whole, copy, original, instruction)
    elif instruction.opcode == "ret" and copy.depth:
        behind = stack.return_label if stack else copy.end
        whole.body.append(branch(behind, instruction.line, instruction.guard))
    elif "param" in instruction.modifiers and parameter(instruction) in copy.parameters:
        words = whole.stored.setdefault(parameter(instruction), set())
        if instruction.opcode == "ld":
            whole.add(loads(instruction, words, whole.registers))
        else:
            words |= set(words_of(instruction))
            whole.add(stores(instruction))
    elif stack and stack.uses_array(instruction):
        whole.add(stack.own_array(instruction))
    else:
        whole.body.append(instruction)


def _call(whole: Whole, copy: Copy, original: Instruction, instruction: Instruction) -> None:
    operands = list(instruction.operands)
    returned = _symbols(operands)
    target = operands.pop(0)
    given = _symbols(operands)
    for name in returned:
        whole.stored.pop(name, None)
    if isinstance(target, Register) and len(operands) <= 1:
        _call_one_of(whole, copy, original, instruction, target, (returned, given))
    elif isinstance(target, Symbol) and not operands:
        _call_named(whole, copy, original, instruction, target.name, (returned, given))
    else:
        raise UnsupportedError(Lack.CALL, instruction.line)
    for name in given:
        whole.stored.pop(name, None)


def _call_named(
    whole: Whole, copy: Copy, original: Instruction, instruction: Instruction, name: str, names: Names
) -> None:
    """Append a call of a function as a copy of its body, or as a branch to the copy that contains the call."""
    function, stack = whole.functions.get(name), copy.stack
    if function is None:
        whole.add([_system_call(instruction, name, *names)])
        whole.stored |= {result: {(0, 32), (0, 64)} for result in names[0]}
        return
    if stack and name in stack.members:
        site = stack.sites[id(original), name]
        whole.add(stack.call(instruction, site, name, names, whole.stored))
        _keep_results(whole, stack.members[name], names[0])
        return
    if copy.depth >= DEEPEST or len(whole.body) > MOST_STATEMENTS:
        raise UnsupportedError(Lack.MANY_CALLS, instruction.line)
    whole.copies += 1
    suffix = f"#{whole.copies}"
    end = Label(f"end{suffix}")
    if instruction.guard:
        whole.body.append(branch(end.name, instruction.line, instruction.guard.opposite))
    if name in whole.cycles:
        _put_cycle(whole, function, names, suffix, copy.depth + 1)
    else:
        formals = dict(zip((p.name for p in function.parameters), names[1], strict=True))
        formals |= dict(zip((p.name for p in function.results), names[0], strict=True))
        _put(whole, copy_of(function, suffix, formals, None, copy.depth + 1))
    whole.body.append(end)
    if name not in whole.cycles:
        whole.add(_forgotten(function, suffix, instruction.line))


def _forgotten(function: Function, suffix: str, line: int) -> Iterator[Instruction]:
    """Yield the code that fills a function's local arrays with NaN on return, if its result may point to one."""
    if not any(result.size >= POINTER_BYTES for result in function.results):
        return
    unset = Vector((Integer(-1),) * 4)
    for variable in function.variables:
        if variable.space == "local" and variable.size <= MOST_FORGOTTEN:
            for offset in range(0, variable.size - variable.size % 16, 16):
                place = Address(Symbol(variable.name + suffix), offset)
                yield Instruction("st", ("local", "v4", "b32"), (place, unset), None, line)


def _call_one_of(
    whole: Whole, copy: Copy, original: Instruction, instruction: Instruction, target: Register, names: Names
) -> None:
    """Append a call through a pointer: code that compares it with each function that has these parameters."""
    whole.copies += 1
    done = Label(f"called#{whole.copies}")
    if instruction.guard:
        whole.body.append(branch(done.name, instruction.line, instruction.guard.opposite))
    for function in whole.functions.values():
        if not takes(function, *map(len, names)):
            continue
        whole.copies += 1
        other, next_ = Register(f"other#{whole.copies}"), Label(f"next#{whole.copies}")
        whole.registers[other.name] = "pred"
        compared = (other, target, Symbol(function.name))
        whole.body.append(Instruction("setp", ("ne", "u64"), compared, None, instruction.line))
        whole.body.append(branch(next_.name, instruction.line, Guard(other, negated=False)))
        _call_named(whole, copy, original, replace(instruction, guard=None), function.name, names)
        whole.body += [branch(done.name, instruction.line), next_]
    whole.body += [Instruction("trap", (), (), None, instruction.line), done]


def _symbols(operands: list[Operand]) -> list[str]:
    """Remove the first operand if it is a list in parentheses, and return its names; else return none."""
    if not operands or not isinstance(operands[0], Vector):
        return []
    first = operands.pop(0)
    return [item.name for item in first.items if isinstance(item, Symbol)] if isinstance(first, Vector) else []


def _system_call(call: Instruction, name: str, results: Sequence[str], given: Sequence[str]) -> Instruction:
    """Return the instruction that replaces a call; its operands are the words of the call's variables.

    Raises:
        UnsupportedError: the simulator has no such function.

    """
    line, guard = call.line, call.guard
    if name == "vprintf" and len(given) == 2:
        target = word(results[0], 0, 32) if results else Sink()
        return Instruction("print", (), (target, word(given[0], 0, 64), word(given[1], 0, 64)), guard, line)
    if name == "__assertfail" and len(given) == 5:
        return Instruction("assert", (), (word(given[0], 0, 64),), guard, line)
    if name == "malloc" and len(given) == 1 and results:
        return Instruction("malloc", (), (word(results[0], 0, 64), word(given[0], 0, 64)), guard, line)
    if name == "free" and len(given) == 1:
        return Instruction("free", (), (word(given[0], 0, 64),), guard, line)
    if name in _KNOWN:
        raise UnsupportedError(Lack.CALL_OF, line, name=name)
    raise UnsupportedError(Lack.CALL_WITHOUT_BODY, line)
