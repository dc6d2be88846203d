"""What a repeated launch proves about variables: values left by an earlier launch, and zeros that reach a result.

A `Repeat` repeats the launch on the same inputs. It returns the result, or None where it fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.checked.accesses import CHANGES
from grader.ptxsim.checked.findings import left_over_found
from grader.ptxsim.checked.left_over import LeftOverRead, left_over
from grader.ptxsim.checked.searchable import searchable
from grader.ptxsim.checked.traced_launch import TracedLaunch, last_launch
from grader.ptxsim.engine.program import GRID_WORKSPACE, Kernel
from grader.ptxsim.engine.session import initial_values
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.source_names import source_name
from grader.ptxsim.generate.layout import GLOBALS, SEGMENT_BITS, window
from grader.ptxsim.records.traced import LeftOver, ZeroVariable
from grader.ptxsim.syntax.records import Address, Function, Instruction, Operand, Symbol, Variable

Repeat = Callable[[], bytes | None]

MOST = 3  # variables that are tried
OTHER = np.float32(1.0).view(np.uint32).tobytes()  # no rounding loses it, unlike a tiny number


def left_over_value(
    simulator: Simulator, result: bytes, repeat: Repeat, is_exact: Callable[[], bool]
) -> LeftOver | None:
    """Return a variable through which an earlier launch changes the `result` of this one.

    That is proved if the repeated launch gives another result, but the same one once the variable has its first value
    again. It is also proved if the result is the same once all variables have their first values, but not if this one
    keeps its value. The sums of the inputs must be exact, because other sums may depend on the order of the blocks.
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
    """Return the launch that a traced simulator has just made, with a copy of its events."""
    launch = last_launch(simulator)
    return launch.with_events(searchable(launch.events).copy())


@dataclass(frozen=True, slots=True)
class Contents:
    """The memory of variables, their first values, and what an earlier launch has left in them."""

    kernel: Kernel
    memory: NDArray[np.uint8]
    first: NDArray[np.uint8]
    left: NDArray[np.uint8]

    def place(self, use: LeftOverRead) -> slice:
        """Return where the memory of a variable is."""
        variable, address = next((v, at) for v, at in self.kernel.variables if at <= use.address < at + v.size)
        start = address - window(GLOBALS)
        return slice(start, start + variable.size)

    def reset(self, use: LeftOverRead) -> None:
        """Give one variable its first value, and all others what was left in them."""
        self.memory[:] = self.left
        self.memory[self.place(use)] = self.first[self.place(use)]

    def leave(self, use: LeftOverRead) -> None:
        """Give one variable what was left in it, and all others their first values."""
        self.memory[:] = self.first
        self.memory[self.place(use)] = self.left[self.place(use)]


def _that_reaches_the_result(
    uses: Sequence[LeftOverRead], contents: Contents, result: bytes, repeat: Repeat
) -> LeftOverRead | None:
    """Return the use of a variable whose left value changes the result: alone, or because nothing else does."""
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
    """Return the reason of a wrong answer: a variable that is never set, if its value changes the result."""
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
    """Whether the kernel mentions a variable and the declaration gives it no value but zero."""
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
    """Return the line of the first instruction that mentions a variable, 0 for an unknown line; None without any."""
    lines = (item.line for item in function.body if isinstance(item, Instruction) and _mentions(item.operands, name))
    return next(lines, None)


def _mentions(operands: tuple[Operand, ...], name: str) -> bool:
    bases = (operand.base if isinstance(operand, Address) else operand for operand in operands)
    return any(isinstance(base, Symbol) and base.name == name for base in bases)
