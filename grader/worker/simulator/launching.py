"""One launch of a case: the kernels that compute C, one after the other, on fresh inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.contract import inputs
from grader.contract.further import Step, further
from grader.contract.layout import arguments, blocks_that_run, operands, store, symbols
from grader.contract.messages import Check
from grader.host import cpus, timeline
from grader.model import Case
from grader.ptxsim.checked.run import extent
from grader.ptxsim.engine.launch import Outcome
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import DrawnBlocks
from grader.ptxsim.generate.layout import GLOBALS

READ_ONLY = (1, 2)  # segments of A and B
ALIGNMENT = 256  # bytes, as cudaMalloc aligns (CUDA C++ Programming Guide, "Device Memory Accesses")

Memory = dict[str, NDArray[np.uint8]]


class LaunchEnd(NamedTuple):
    """The end of a launch: that of its last kernel that ran, with the simulator of it, and all matrices."""

    outcome: Outcome
    memory: Memory
    simulator: Simulator


@dataclass(frozen=True, slots=True)
class Launching:
    """The kernels of a launch, and a simulator for each. All of them have the same variables in global memory."""

    steps: tuple[Step, ...]
    simulators: tuple[Simulator, ...]

    def __post_init__(self) -> None:
        for simulator in self.simulators[1:]:
            simulator.variables[GLOBALS] = self.simulators[0].variables[GLOBALS]

    def watch(self, case: Case) -> None:
        """Set what the traces of the next launches record, and the variables to their initial values."""
        for step, simulator in zip(self.steps, self.simulators, strict=True):
            drawn = DrawnBlocks(*inputs.watched(case, step.launch.grid(case.shape), step.launch.threads))
            if simulator.trace:
                simulator.trace.keep(extent(simulator.kernel, READ_ONLY, drawn))
        self.restart()

    def restart(self) -> None:
        """Set the variables to their initial values."""
        for simulator in self.simulators:
            simulator.restart()

    def launch(self, request: Check, number: int = 0, fresh: Sequence[int | None] = ()) -> LaunchEnd:
        """Run the kernels until one fails. `fresh` has for each the byte in memory that its blocks have not set."""
        memory, printed = _drawn(request, number), b""
        values = symbols(request.interface, request.case.shape, request.launch)
        for at, (step, simulator) in enumerate(zip(self.steps, self.simulators, strict=True)):
            byte = fresh[at] if fresh and fresh[at] is not None else inputs.unset_byte(request.case)
            completes_c = at == len(self.steps) - 1
            simulator.assign(values)
            outcome = _launched(simulator, step, request, memory, byte, of_tiles=completes_c)
            printed += outcome.printed
            if outcome.fault is not None:
                break
        return LaunchEnd(replace(outcome, printed=printed), memory, simulator)


def _launched(
    simulator: Simulator, step: Step, request: Check, memory: Memory, byte: int | None, *, of_tiles: bool
) -> Outcome:
    """Run one kernel: all of its blocks, unless each computes a tile of C."""
    shape = request.case.shape
    with timeline.span("launch"):
        return simulator.launch(
            step.launch.grid(shape),
            memory,
            arguments(step.interface, shape, step.launch),
            blocks=blocks_that_run(request.case, step.launch) if of_tiles else None,
            order=request.case.order,
            seconds=request.limits.case_seconds,
            processors=1 if simulator.trace else len(cpus.allowed()),
            printed_bytes=request.limits.output_bytes,
            fresh=byte,
        )


def _drawn(request: Check, number: int) -> Memory:
    """Return all matrices as they are before a launch."""
    shape, interface = request.case.shape, request.interface
    layout = operands(interface, shape)
    with timeline.span("draw inputs"):
        drawn = inputs.draw(request.case, interface, number)
        matrices = {"A": drawn.A, "B": drawn.B, "C": drawn.C}
        memory = {name: _aligned(store(matrices[name], layout[name], interface)) for name in layout}
        for name, filled in further(interface, shape, inputs.unset_byte(request.case)).items():
            memory[name] = _room(filled.nbytes)
            memory[name][:] = filled.byte
    return memory


def _aligned(elements: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Return a copy of the bytes that starts at a multiple of ALIGNMENT."""
    copy = _room(elements.nbytes)
    copy[:] = elements.view(np.uint8)
    return copy


def _room(nbytes: int) -> NDArray[np.uint8]:
    room = np.empty(nbytes + ALIGNMENT, np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    return room[start : start + nbytes]
