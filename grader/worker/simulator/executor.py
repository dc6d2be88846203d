"""Executes the PTX of a submission: parses it, makes its code, and runs the launches of each case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from grader.contract import inputs
from grader.contract.files import matrix_file
from grader.contract.found import Finding
from grader.contract.further import Step, steps_at
from grader.contract.launch_limits import refusal
from grader.contract.layout import guarded, operands
from grader.contract.messages import MOST_REMARKS, Check, Checked, CountAccesses, Counted, Replay, Replayed
from grader.errors import InfrastructureError
from grader.host import timeline
from grader.model import Operand, Order
from grader.model.findings import AtLimit, Stop
from grader.ptxsim.checked import run
from grader.ptxsim.engine.faults import DeviceFault
from grader.ptxsim.engine.session import FRESH
from grader.ptxsim.generate.layout import FaultKind
from grader.ptxsim.records.lacks import PtxError
from grader.ptxsim.records.races import AnyRace
from grader.worker.backend import Runner
from grader.worker.found import FoundError, of_kernel
from grader.worker.simulator.counting import count
from grader.worker.simulator.launching import Launching, Memory
from grader.worker.simulator.loading import Simulators, facts_of, source_of
from grader.worker.simulator.stopped import not_supported, stop_of

REPEAT_SECONDS = 2.0  # of a launch that is made again
# In unset memory: a NaN and -1, a flag that is not set, and numbers that are larger and smaller than any limit.
UNSET = (FRESH, 0x00, 0x7E, 0xFE)


class Executor(Runner):
    """Executes PTX on the CPU. It measures no speed."""

    def __init__(self) -> None:
        self._simulators = Simulators()
        self._too_slow: tuple[Check, Stop] | None = None

    def check(self, request: Check, box: Path) -> Checked:
        """Run a case: every launch on fresh inputs."""
        if request.build is None:
            raise InfrastructureError("The simulator has no library of matrix products.")
        steps = steps_at(request.build, request.launch, request.interface, request.case.shape)
        for number, step in enumerate(steps):
            with of_kernel(number, len(steps)):
                if refused := refusal(step.launch, step.launch.grid(request.case.shape), step.build.demands):
                    raise FoundError(refused)
        if too_slow := self._known_too_slow(request):
            return Checked(too_slow)
        return self._run(request, steps, box)

    def _run(self, request: Check, steps: tuple[Step, ...], box: Path) -> Checked:
        printed = b""
        try:
            checked = request.case.run == inputs.CHECKED
            launching = self._launching(steps, box, traced=checked)
            if checked:
                launching.watch(request.case)
            for number in range(request.case.launches):
                outcome, buffers, simulator = launching.launch(request, number)
                _leave(buffers, operands(request.interface, request.case.shape), box, number)
                printed += outcome.printed
                if len(printed) >= request.limits.output_bytes:
                    return Checked(AtLimit("output"), _text(printed))
                if outcome.fault is not None:
                    reason = run.reason_of_index(simulator, outcome.fault) if checked else None
                    found = reason or self._stop(outcome.fault, request)
                    timed_out = outcome.fault.kind is FaultKind.TIME
                    return Checked(found, _text(printed), ended=False, timed_out=timed_out)
            if checked:
                judged = self._judge_traces(launching, request, box, buffers["C"].tobytes())
                return replace(judged, printed=_text(printed))
        except PtxError as error:
            return Checked(not_supported(error), _text(printed), ended=False)
        return Checked(None, _text(printed))

    def _launching(self, steps: tuple[Step, ...], box: Path, *, traced: bool) -> Launching:
        simulator, simulators = self._simulators.traced if traced else self._simulators.plain, []
        for number, step in enumerate(steps):
            with of_kernel(number, len(steps)):
                simulators.append(simulator(step.build, step.launch, box))
        return Launching(steps, tuple(simulators))

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

    def _judge_traces(self, launching: Launching, request: Check, box: Path, result: bytes) -> Checked:
        """Return what the traces of all kernels show, the first fault if there is one."""
        judged = list[Checked]()
        for number in range(len(launching.steps)):
            if number:  # after the launches that were repeated for the kernel before
                launching.restart()
                launching.launch(request)
            judged.append(self._judge_trace(launching, number, request, box, result))
            if judged[-1].finding:
                return judged[-1]
        return Checked(
            remarks=tuple(remark for each in judged for remark in each.remarks)[:MOST_REMARKS],
            partly_searched=next((each.partly_searched for each in judged if each.partly_searched), None),
        )

    def _judge_trace(self, launching: Launching, number: int, request: Check, box: Path, result: bytes) -> Checked:
        """Return what the trace of a kernel shows, or of its second launch."""
        simulator = launching.simulators[number]
        # Before the second launch, which leaves a trace of its own.
        races = run.search_for_races(simulator)
        noticed = None if races.race else run.odd(simulator)
        found = self._found_in_trace(launching, number, request, box, result, races.race) or run.race_of_second_launch(
            simulator, partial(_result_in_order, launching, request)
        )
        if found:
            return Checked(found)
        return Checked(remarks=(noticed,) if noticed else (), partly_searched=races.left_out)

    def _found_in_trace(
        self, launching: Launching, number: int, request: Check, box: Path, result: bytes, race: AnyRace | None
    ) -> Finding | None:
        """Return what is proven: for a read of unset values, these have to change C."""
        simulator = launching.simulators[number]
        if found := run.outside_arrays(simulator) or race or run.left_out(simulator):
            return found
        if unset := run.missing_source(simulator) or run.unset_memory(simulator):
            other = self._launching(launching.steps, box, traced=False)
            results = (_result_with(other, number, request, byte) for byte in UNSET)
            return unset if any(other_result not in {None, result} for other_result in results) else None
        return None


def _result(launching: Launching, request: Check, fresh: Sequence[int | None] = ()) -> bytes | None:
    """Run the first launch once more. Return C; None where it fails."""
    limits = replace(request.limits, case_seconds=min(request.limits.case_seconds, REPEAT_SECONDS))
    ended = launching.launch(replace(request, limits=limits), 0, fresh)
    return ended.memory["C"].tobytes() if ended.outcome.fault is None else None


def _result_in_order(launching: Launching, request: Check, order: Order) -> bytes | None:
    """Run the first launch once more, with its warps in another order."""
    return _result(launching, replace(request, case=replace(request.case, order=order)))


def _result_with(launching: Launching, number: int, request: Check, byte: int) -> bytes | None:
    """Run the first launch with a byte in memory that one kernel has not set. Return C; None where it fails."""
    launching.restart()
    return _result(launching, request, [byte if at == number else None for at in range(len(launching.steps))])


def _leave(buffers: Memory, memory: dict[str, Operand], box: Path, number: int) -> None:
    with timeline.span("write results"):
        for name, operand in memory.items():
            guarded(buffers[name], operand).tofile(matrix_file(box, name, number))


def _text(printed: bytes) -> str:
    return printed.decode("utf-8", "replace")
