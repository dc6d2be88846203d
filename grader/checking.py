"""Is it right? Every case in a worker, every answer judged here."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grader.compiling import Artifact
from grader.errors import InfrastructureError
from grader.layout import image, operands
from grader.messages import Check, Ran
from grader.model import Backend, Case, CaseResult, Fault, Interface, Launch, Limits, Resources, Verdict
from grader.process import Stopped
from grader.sandbox import Worker, WorkerLost, worker
from grader.verdicts import Bytes, Remains, judge

TIMEOUTS = 2  # after so many the rest is not tried: a kernel that hangs at two sizes would take an evening for all
SIMULATED_FLOPS = 5e7  # per second, of the slowest machine and kernel that we wait for
LAUNCHES_IN_LIMIT = 10  # launches of a small size that share one case's seconds


@dataclass(frozen=True, slots=True)
class Outcome:
    """A judged case, and what the kernel uses on the device where that is known."""

    result: CaseResult
    resources: Resources | None = None


def check(
    artifact: Artifact, launch: Launch, interface: Interface, limits: Limits, backend: Backend, cases: Sequence[Case]
) -> Iterator[Outcome]:
    """The outcome of every case, in order. A crash or a hang costs its own case; the next has a fresh worker."""
    waiting = deque(cases)
    timeouts = 0
    with ThreadPoolExecutor(max_workers=1) as judges:
        while waiting and timeouts < TIMEOUTS:
            with worker(backend, limits) as one:
                one.install(artifact.files())
                for outcome in _until_spent(one, artifact, launch, interface, limits, backend, waiting, judges):
                    timeouts += outcome.result.verdict is Verdict.TIMEOUT
                    yield outcome
                    if timeouts == TIMEOUTS:
                        break
    yield from (Outcome(_skipped(case)) for case in waiting)


def _until_spent(
    one: Worker,
    artifact: Artifact,
    launch: Launch,
    interface: Interface,
    limits: Limits,
    backend: Backend,
    waiting: deque[Case],
    judges: ThreadPoolExecutor,
) -> Iterator[Outcome]:
    """Cases, until the worker can run no more. While one case is judged, the worker is busy with the next."""
    judging: Future[Outcome] | None = None
    spent = False
    while waiting and not spent:
        case = waiting[0]
        request = Check(artifact.build, launch, case, interface, limits)
        began = time.monotonic()
        verdict: Callable[[], Outcome]
        try:
            answer = one.ask(request, _allowed_seconds(case, limits, backend))
            spent = _expect(answer).spent
            verdict = _verdict(one, _expect(answer), case, interface, launch, backend, time.monotonic() - began)
        except WorkerLost as lost:
            spent = True
            fault = _lost(lost, case, limits, backend)
            verdict = _settled(CaseResult(case, fault.verdict, time.monotonic() - began, fault, printed=lost.printed))
        waiting.popleft()
        if judging is not None:
            yield judging.result()
        judging = judges.submit(verdict)
    if judging is not None:
        yield judging.result()


def _verdict(
    one: Worker, ran: Ran, case: Case, interface: Interface, launch: Launch, backend: Backend, seconds: float
) -> Callable[[], Outcome]:
    """Read what the worker left, now; what remains is to judge it, in another thread."""
    printed = ran.printed or one.printed()
    if ran.fault is not None:
        return _settled(CaseResult(case, ran.fault.verdict, seconds, _placed(ran.fault, case), printed=printed))
    remains = [_read(one.box, case, interface, backend, number) for number in range(case.launches)]
    resources = ran.resources
    return lambda: Outcome(judge(case, interface, launch, backend, remains, seconds, printed), resources)


def _settled(result: CaseResult) -> Callable[[], Outcome]:
    return lambda: Outcome(result)


def _read(box: Path, case: Case, interface: Interface, backend: Backend, number: int) -> Remains:
    memory = operands(interface, case.shape)

    def content(name: str) -> Bytes:
        place = image(memory[name], name, backend)
        size = place.before + place.nbytes + place.after
        found = np.fromfile(box / f"{name}-{number}", np.uint8, size)
        if found.size != size:
            raise InfrastructureError(f"The worker left {found.size} of {size} bytes of {name}", "Is the disk full?")
        return found

    return Remains(content("A"), content("B"), content("C"))


def _allowed_seconds(case: Case, limits: Limits, backend: Backend) -> float:
    seconds = limits.case_seconds * (1 + case.launches // LAUNCHES_IN_LIMIT)
    if backend is Backend.SIMULATOR:
        seconds += case.launches * case.shape.flops * (0.1 if case.sampled else 1) / SIMULATED_FLOPS
    return seconds


def _expect(answer: object) -> Ran:
    if not isinstance(answer, Ran):
        raise InfrastructureError(f"The worker answered with {type(answer).__name__}")
    return answer


def _lost(lost: WorkerLost, case: Case, limits: Limits, backend: Backend) -> Fault:
    """Whose fault a lost worker is, and which."""
    if lost.stopped is Stopped.TIME:
        return Fault(
            Verdict.TIMEOUT,
            f"The kernel did not finish {case.shape} within {_allowed_seconds(case, limits, backend):.0f} s.",
            "Look for a loop whose condition never becomes false, and for threads that wait for each other.",
        )
    if lost.stopped is Stopped.MEMORY:
        return Fault(Verdict.MEMORY, f"More than {limits.memory_mib} MiB of memory were used at {case.shape}.", "Use less.")
    if lost.stopped is Stopped.OUTPUT:
        return Fault(
            Verdict.OUTPUT,
            f"The kernel printed more than {limits.output_bytes} bytes at {case.shape}.",
            "Remove printf, or let one thread of one block print.",
        )
    if lost.code is not None and lost.code > 0:
        raise InfrastructureError("The worker stopped with an error of its own", lost.printed[-2000:])
    return Fault(Verdict.CRASHED, f"The worker crashed at {case.shape} (signal {-(lost.code or 0)}).", "Look for wild indices.")


def _placed(fault: Fault, case: Case) -> Fault:
    """The fault with the size at which it came, where its sentence does not say it."""
    if str(case.shape) in fault.sentence:
        return fault
    sentence = f"At {case.shape}: {fault.sentence[:1].lower()}{fault.sentence[1:]}"
    return Fault(fault.verdict, sentence, fault.hint, fault.line, fault.detail)


def _skipped(case: Case) -> CaseResult:
    why = f"Not run: {TIMEOUTS} cases before it did not finish."
    return CaseResult(case, Verdict.SKIPPED, 0.0, Fault(Verdict.SKIPPED, why, "Mend those first."))
