"""Executes the PTX of a submission: parses it, makes its code, and runs the launches of each case."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from grader.contract import inputs
from grader.contract.layout import arguments, blocks_that_run, matrix_file, operands, store, surround, symbols
from grader.contract.messages import Check, Checked, CountAccesses, Counted, Replay, Replayed
from grader.errors import InfrastructureError
from grader.host import cpu_affinity, timeline
from grader.model import Build, Operand, Order
from grader.model.findings import AtLimit, Stop
from grader.ptxsim.analysis.geometry import Dim3
from grader.ptxsim.checked.repeated import left_over_value, zero_variable
from grader.ptxsim.checked.run import (
    extent,
    left_out,
    missing_source,
    odd,
    outside_arrays,
    reason_of_index,
    search_for_races,
    unset_memory,
)
from grader.ptxsim.checked.second_launch import race_of_second_launch
from grader.ptxsim.engine.faults import DeviceFault
from grader.ptxsim.engine.launch import FRESH, Outcome
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import DrawnBlocks
from grader.ptxsim.generate.layout import FaultKind
from grader.ptxsim.records.lacks import PtxError
from grader.ptxsim.records.races import AnyRace
from grader.worker.backend import Runner
from grader.worker.found import FoundError
from grader.worker.launch_limits import refusal
from grader.worker.simulator.counting.count import count
from grader.worker.simulator.loading import Simulators, facts_of, source_of
from grader.worker.simulator.stopped import not_supported, stop_of

if TYPE_CHECKING:
    from grader.contract.found import Finding

READ_ONLY = (1, 2)  # segments of A and B
REPEAT_SECONDS = 2.0  # of a launch that is made again
# In unset memory: a NaN and -1, a flag that is not set, and numbers that are larger and smaller than any limit.
UNSET = (FRESH, 0x00, 0x7E, 0xFE)
ALIGNMENT = 256  # bytes, as cudaMalloc aligns (CUDA C++ Programming Guide, "Device Memory Accesses")

Memory = dict[str, NDArray[np.uint8]]


class Executor(Runner):
    """Executes PTX on the CPU. It measures no speed."""

    def __init__(self) -> None:
        self._simulators = Simulators()
        self._too_slow: tuple[Check, Stop] | None = None

    def check(self, request: Check, box: Path) -> Checked:
        """Run a case: every launch on fresh inputs."""
        if request.build is None:
            raise InfrastructureError("The simulator has no library of matrix products.")
        grid, demands = request.launch.grid(request.case.shape), request.build.demands
        if refused := refusal(request.launch, grid, demands):
            raise FoundError(refused)
        if too_slow := self._known_too_slow(request):
            return Checked(too_slow)
        return self._run(request, request.build, grid, box)

    def _run(self, request: Check, build: Build, grid: Dim3, box: Path) -> Checked:
        printed = b""
        try:
            checked = request.case.run == inputs.CHECKED
            simulator = (self._simulators.traced if checked else self._simulators.plain)(build, request.launch, box)
            if simulator.trace:
                drawn = DrawnBlocks(*inputs.watched(request.case, grid, request.launch.threads))
                simulator.trace.keep(extent(simulator.kernel, READ_ONLY, drawn))
                simulator.restart()
            for number in range(request.case.launches):
                outcome, buffers = _launch(simulator, request, number)
                _leave(buffers, operands(request.interface, request.case.shape), box, number)
                printed += outcome.printed
                if len(printed) >= request.limits.output_bytes:
                    return Checked(AtLimit("output"), _text(printed))
                if outcome.fault is not None:
                    reason = reason_of_index(simulator, outcome.fault) if checked else None
                    found = reason or self._stop(outcome.fault, request)
                    timed_out = outcome.fault.kind is FaultKind.TIME
                    return Checked(found, _text(printed), ended=False, timed_out=timed_out)
            if checked:
                result = buffers["C"].tobytes()
                judged = self._judge_trace(simulator, build, request, box, result)
                return replace(judged, printed=_text(printed))
        except PtxError as error:
            return Checked(not_supported(error), _text(printed), ended=False)
        return Checked(None, _text(printed))

    def _known_too_slow(self, request: Check) -> Stop | None:
        """Return the finding of a kernel that was too slow at this size, or at a smaller one."""
        if self._too_slow is None or self._too_slow[0].build != request.build:
            return None
        before, found = self._too_slow
        return found if request.case.shape.flops >= before.case.shape.flops else None

    def _stop(self, fault: DeviceFault, request: Check) -> Stop:
        found = stop_of(fault)
        if fault.kind is FaultKind.SLOW:
            self._too_slow = request, found
        return found

    def count(self, request: CountAccesses, box: Path) -> Counted:
        """Count what a launch does; None where the simulator lacks an instruction."""
        try:
            simulator = self._simulators.traced(request.build, request.launch, box)
            return Counted(count(simulator, request, facts_of(request.build)))
        except PtxError:
            return Counted(None)

    def replay(self, request: Replay, box: Path) -> Replayed:
        """Run a launch again, in another way than all others."""
        from grader.worker.replay.replay import replay

        with timeline.span("replay"):
            text = (box / request.build.artifact).read_bytes().decode()
            return replay(request, text, source_of(request.build))

    def _judge_trace(self, simulator: Simulator, build: Build, request: Check, box: Path, result: bytes) -> Checked:
        """Return what the trace of a launch shows, and what repeated launches prove."""
        # Before the repeated launches, which leave traces of their own.
        races = search_for_races(simulator)
        noticed = None if races.race else odd(simulator)
        repeat = partial(_result, simulator, request)
        found = (
            self._found_in_trace(simulator, build, request, box, result, races.race)
            or left_over_value(simulator, result, repeat, partial(_is_exact, request))
            or race_of_second_launch(simulator, partial(_result_in_order, simulator, request))
        )
        if found:
            return Checked(found)
        if_wrong = zero_variable(simulator, result, repeat)
        return Checked(remarks=(noticed,) if noticed else (), partly_searched=races.left_out, if_wrong=if_wrong)

    def _found_in_trace(
        self, simulator: Simulator, build: Build, request: Check, box: Path, result: bytes, race: AnyRace | None
    ) -> Finding | None:
        """Return what is proven: for a read of unset values, these have to change C."""
        if found := outside_arrays(simulator) or race or left_out(simulator):
            return found
        if unset := missing_source(simulator) or unset_memory(simulator):
            other = self._simulators.plain(build, request.launch, box)
            results = (_result_with(other, request, byte) for byte in UNSET)
            return unset if any(other_result not in {None, result} for other_result in results) else None
        return None


def _launch(simulator: Simulator, request: Check, number: int, fresh: int | None = None) -> tuple[Outcome, Memory]:
    """Run one launch. Return A, B and C as they are afterwards."""
    shape, interface = request.case.shape, request.interface
    memory = operands(interface, shape)
    with timeline.span("draw inputs"):
        drawn = inputs.draw(request.case, interface, number)
        matrices = {"A": drawn.A, "B": drawn.B, "C": drawn.C}
        buffers = {name: _aligned(store(matrices[name], memory[name], interface)) for name in memory}
    grid = request.launch.grid(shape)
    simulator.assign(symbols(interface, shape, request.launch))
    with timeline.span("launch"):
        outcome = simulator.launch(
            grid,
            buffers,
            arguments(interface, shape, request.launch),
            blocks=blocks_that_run(request.case, request.launch),
            order=request.case.order,
            seconds=request.limits.case_seconds,
            processors=1 if simulator.trace else len(cpu_affinity.allowed()),
            printed_bytes=request.limits.output_bytes,
            fresh=inputs.unset_byte(request.case) if fresh is None else fresh,
        )
    return outcome, buffers


def _result(simulator: Simulator, request: Check, fresh: int | None = None) -> bytes | None:
    """Run the first launch once more. Return C; None where it fails."""
    outcome, buffers = _launch(simulator, _within(REPEAT_SECONDS, request), 0, fresh)
    return buffers["C"].tobytes() if outcome.fault is None else None


def _result_in_order(simulator: Simulator, request: Check, order: Order) -> bytes | None:
    """Run the first launch once more, with its warps in another order."""
    return _result(simulator, replace(request, case=replace(request.case, order=order)))


def _is_exact(request: Check) -> bool:
    return inputs.draw(request.case, request.interface).all_exact


def _result_with(simulator: Simulator, request: Check, fresh: int) -> bytes | None:
    """Run the first launch with a byte in unset memory and first values in variables. Return C; None where it fails."""
    simulator.restart()
    return _result(simulator, request, fresh)


def _within(seconds: float, request: Check) -> Check:
    limits = replace(request.limits, case_seconds=min(request.limits.case_seconds, seconds))
    return replace(request, limits=limits)


def _aligned(elements: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Return a copy of the bytes that starts at a multiple of ALIGNMENT."""
    room = np.empty(elements.nbytes + ALIGNMENT, np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    copy = room[start : start + elements.nbytes]
    copy[:] = elements.view(np.uint8)
    return copy


def _leave(buffers: Memory, memory: dict[str, Operand], box: Path, number: int) -> None:
    with timeline.span("write results"):
        for name, buffer in buffers.items():
            place = matrix_file(memory[name], str(box / f"{name}-{number}"))
            surround(buffer, place).tofile(place.path)


def _text(printed: bytes) -> str:
    return printed.decode("utf-8", "replace")
