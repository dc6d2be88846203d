"""One launch of a kernel: PTX and memory in, memory and findings out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import Dim3
from grader.ptxsim.checked import run
from grader.ptxsim.engine.faults import DeviceFault
from grader.ptxsim.engine.launch import Argument
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import Trace
from grader.ptxsim.records.traced import Traced
from grader.ptxsim.syntax.parser import parse


@dataclass(frozen=True, slots=True)
class Launched:
    """How a launch ended: the fault that stopped it, what its trace shows, and what threads printed."""

    stopped: DeviceFault | None
    found: tuple[Traced, ...]
    printed: bytes


def launch(
    ptx: str,
    kernel: str,
    grid: Dim3,
    block: Dim3,
    buffers: Mapping[str, NDArray[np.generic]],
    arguments: Sequence[Argument],
    *,
    shared: int = 0,
    seconds: float = 20.0,
) -> Launched:
    """Run a kernel, and search what its threads did for mistakes.

    Buffers are contiguous arrays, read and written in place; an argument is a number, or the name of a buffer. `shared`
    are bytes of dynamic shared memory. Lines are those of the first file that the PTX names.

    Raises:
        PtxError: the simulator lacks an instruction, or the text is no PTX.

    """
    simulator = Simulator(parse(ptx), kernel, block, shared, trace=(trace := Trace(2 * run.MOST_EVENTS)))
    trace.keep(run.extent(simulator.kernel))
    outcome = simulator.launch(grid, buffers, arguments, seconds=seconds, processors=1)
    return Launched(outcome.fault, _found(simulator, outcome.fault), outcome.printed)


def _found(simulator: Simulator, fault: DeviceFault | None) -> tuple[Traced, ...]:
    if fault:
        reason = run.reason_of_index(simulator, fault)
        return (reason,) if reason else ()
    outside, race = run.outside_arrays(simulator), run.search_for_races(simulator).race
    others = (search(simulator) for search in (run.left_out, run.missing_source, run.unset_read))
    return tuple(found for found in (outside, race, *others) if found)
