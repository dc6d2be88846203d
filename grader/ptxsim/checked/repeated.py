"""Faults of variables that a repeated launch proves: values from an earlier launch, and zeros, that affect a result.

A `Repeat` repeats the launch on the same inputs. It returns the bytes of the result, or None if the launch fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.checked.accesses import CHANGES
from grader.ptxsim.checked.findings import left_over_found
from grader.ptxsim.checked.searchable import searchable
from grader.ptxsim.checked.traced_launch import TracedLaunch, last_launch
from grader.ptxsim.checked.unset import LeftOverRead, left_over
from grader.ptxsim.engine.program import GRID_WORKSPACE, Kernel
from grader.ptxsim.engine.session import initial_values
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.generate.layout import GLOBALS, SEGMENT_BITS, window
from grader.ptxsim.records.traced import LeftOver, ZeroVariable
from grader.ptxsim.syntax.declarations import source_name
from grader.ptxsim.syntax.records import Address, Function, Instruction, Operand, Symbol, Variable

Repeat = Callable[[], bytes | None]

MOST = 3  # variables that are tried
OTHER = np.float32(1.0).view(np.uint32).tobytes()  # 1.0, which rounding does not lose as it would a tiny number


def left_over_value(
    simulator: Simulator, result: bytes, repeat: Repeat, is_exact: Callable[[], bool]
) -> LeftOver | None:
    """Return a variable through which an earlier launch changes the `result` of this one; None without one.

    Proof: the repeated launch computes another result, but the same one if the variable is reset to its initial value.
    Or: the result is the same if all variables are reset, but not if this one keeps its value. Inputs must be exact,
    because rounded sums may depend on the order of blocks.
    """
    kernel, memory = simulator.kernel, simulator.variables[GLOBALS]
    first = initial_values(kernel)[GLOBALS]
    if simulator.trace is None or np.array_equal(memory, first) or not is_exact():
        return None
    left, earlier = memory.copy(), kept_launch(simulator)
    if repeat() == result:
        return None
    again = kept_launch(simulator)
    variables = sorted(address for _, address in kernel.variables)
    uses = list(islice(left_over(earlier.events, again.events, np.array(variables, np.int64)), MOST))
    use = _that_reaches_the_result(uses, Contents(kernel, memory, first, left), result, repeat)
    return left_over_found(earlier, again, use) if use else None


def kept_launch(simulator: Simulator) -> TracedLaunch:
    """Return the last launch of a traced simulator, with a copy of its events."""
    launch = last_launch(simulator)
    return launch.with_events(searchable(launch.events).copy())


@dataclass(frozen=True, slots=True)
class Contents:
    """The memory of variables, their initial values, and their values after an earlier launch."""

    kernel: Kernel
    memory: NDArray[np.uint8]
    first: NDArray[np.uint8]
    left: NDArray[np.uint8]

    def place(self, use: LeftOverRead) -> slice:
        """Return the bytes of a variable in the memory."""
        variable, address = next((v, at) for v, at in self.kernel.variables if at <= use.address < at + v.size)
        start = address - window(GLOBALS)
        return slice(start, start + variable.size)

    def reset(self, use: LeftOverRead) -> None:
        """Set one variable to its initial value, and all others to their values after the earlier launch."""
        self.memory[:] = self.left
        self.memory[self.place(use)] = self.first[self.place(use)]

    def leave(self, use: LeftOverRead) -> None:
        """Set one variable to its value after the earlier launch, and all others to their initial values."""
        self.memory[:] = self.first
        self.memory[self.place(use)] = self.left[self.place(use)]


def _that_reaches_the_result(
    uses: Sequence[LeftOverRead], contents: Contents, result: bytes, repeat: Repeat
) -> LeftOverRead | None:
    """Return the use of a variable whose old value changes the result, by either proof; None without one."""
    for use in uses:
        contents.reset(use)
        if repeat() == result:
            return use
    contents.memory[:] = contents.first
    if repeat() != result:
        return None
    for use in uses:
        contents.leave(use)
        if repeat() not in {result, None}:
            return use
    return None


def zero_variable(simulator: Simulator, result: bytes, repeat: Repeat) -> ZeroVariable | None:
    """Return a variable that is never set, if another value in it changes the result; None without one."""
    without_value = [place for place in simulator.kernel.variables if _has_no_value(simulator, *place)]
    if not without_value:
        return None
    simulator.restart()
    repeat()
    zeros = [place for place in without_value if not _is_written(simulator, *place)]
    for variable, address in zeros[:MOST]:
        simulator.restart()
        memory = _memory(simulator, variable, address)
        memory[:] = np.resize(np.frombuffer(OTHER, np.uint8), variable.size)
        if repeat() not in {None, result}:
            line = _first_mention(simulator.function, variable.name) or 0
            return ZeroVariable(source_name(variable.name), variable.space == "const", line)
    return None


def _has_no_value(simulator: Simulator, variable: Variable, _: int) -> bool:
    """Whether the kernel mentions a variable that has no initial value other than zero."""
    is_set = any(variable.initial) or variable.addresses or variable is GRID_WORKSPACE
    return not is_set and _first_mention(simulator.function, variable.name) is not None


def _is_written(simulator: Simulator, variable: Variable, address: int) -> bool:
    """Whether the last launch wrote to a variable, as far as its trace and the memory show."""
    if simulator.trace is None or _memory(simulator, variable, address).any():
        return True
    events = simulator.trace.events()
    words = events["words"][np.isin(events["kind"], CHANGES)]
    return bool(((words >= address) & (words < address + variable.size)).any())


def _memory(simulator: Simulator, variable: Variable, address: int) -> NDArray[np.uint8]:
    segment = address >> SEGMENT_BITS
    start = address - window(segment)
    return simulator.variables[segment][start : start + variable.size]


def _first_mention(function: Function, name: str) -> int | None:
    """Return the line of the first instruction that mentions a variable, 0 if the line is unknown; None without any."""
    lines = (item.line for item in function.body if isinstance(item, Instruction) and _mentions(item.operands, name))
    return next(lines, None)


def _mentions(operands: tuple[Operand, ...], name: str) -> bool:
    bases = (operand.base if isinstance(operand, Address) else operand for operand in operands)
    return any(isinstance(base, Symbol) and base.name == name for base in bases)
