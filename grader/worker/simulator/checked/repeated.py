"""What a repeated launch proves about variables: values left by an earlier launch, and zeros that reach C.

A `Repeat` repeats the launch on the same inputs. It returns C, or None where it fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from grader.contract import inputs
from grader.contract.messages import Check
from grader.model import Fault
from grader.worker.simulator.analysis.symbols import first_mention
from grader.worker.simulator.checked import wording
from grader.worker.simulator.checked.accesses import CHANGES
from grader.worker.simulator.checked.findings import left_over_found
from grader.worker.simulator.checked.left_over import LeftOver, left_over
from grader.worker.simulator.engine.program import GRID_WORKSPACE, Kernel
from grader.worker.simulator.engine.session import initial_values
from grader.worker.simulator.engine.simulate import Simulator
from grader.worker.simulator.generate.layout import GLOBALS, SEGMENT_BITS, window
from grader.worker.simulator.syntax.records import Variable

Repeat = Callable[[], bytes | None]

MOST = 3  # variables that are tried
OTHER = np.float32(1.0).view(np.uint32).tobytes()  # no rounding loses it, unlike a tiny number


def left_over_value(simulator: Simulator, request: Check, result: bytes, repeat: Repeat) -> Fault | None:
    """Return the fault of a variable through which an earlier launch changes the `result` of this one.

    That is proved if the repeated launch gives another C, but the same C when the variable has its first value again.
    It needs inputs whose sums are exact, because other sums may depend on the order of the blocks.
    """
    kernel, memory, trace = simulator.kernel, simulator.variables[GLOBALS], simulator.trace
    first = initial_values(kernel)[GLOBALS]
    if trace is None or np.array_equal(memory, first) or not _is_exact(request):
        return None
    left, earlier = memory.copy(), trace.events().copy()
    if repeat() == result:
        return None
    events = trace.events().copy()
    for place, use in islice(_by_variable(kernel, left_over(earlier, events)), MOST):
        memory[:] = left
        memory[place] = first[place]
        if repeat() == result:
            found = left_over_found(kernel, request.launch.grid(request.case.shape), earlier, events, use)
            return wording.left_over(found, request.interface, request.case.shape)
    return None


def zero_variable(simulator: Simulator, result: bytes, repeat: Repeat) -> Fault | None:
    """Return the reason of a wrong answer: a variable that is never set, if another value in it gives another C."""
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
        if repeat() != result:
            return wording.zero_variable(variable, first_mention(simulator.function, variable.name))
    return None


def _is_exact(request: Check) -> bool:
    return inputs.draw(request.case, request.interface).exact


def _by_variable(kernel: Kernel, uses: Iterator[LeftOver]) -> Iterator[tuple[slice, LeftOver]]:
    """Yield the first use of each variable, and where its memory is."""
    seen = set()
    for use in uses:
        for variable, address in kernel.variables:
            if address <= use.address < address + variable.size and variable.name not in seen:
                seen.add(variable.name)
                start = address - window(GLOBALS)
                yield slice(start, start + variable.size), use


def _has_no_value(simulator: Simulator, variable: Variable, _: int) -> bool:
    """Whether the kernel mentions a variable and the declaration gives it no value but zero."""
    is_set = any(variable.initial) or variable.addresses or variable is GRID_WORKSPACE
    return not is_set and first_mention(simulator.function, variable.name) is not None


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
