"""The function that inlining builds, and the copies of functions in it, with the new names that they have there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from grader.ptxsim.analysis.call_stack import CallStack, Statement
from grader.ptxsim.analysis.parameters import Word, type_of
from grader.ptxsim.syntax.records import (
    Address,
    Function,
    Guard,
    Instruction,
    Label,
    Negated,
    Operand,
    Pair,
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
    guard = instruction.guard
    if guard is not None:
        guard = Guard(Register(guard.register.name + suffix), guard.negated)
    operands = tuple(_rename(operand, suffix, names) for operand in instruction.operands)
    if instruction.opcode == "call":  # the called function's name is not one of the caller's names
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
