"""Is it right? Every case in a worker, every answer judged here."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from grader.contract.inputs import REAL
from grader.contract.layout import matrix_file, operands
from grader.contract.limit_faults import kernel_stopped
from grader.contract.messages import Check, Checked
from grader.errors import InfrastructureError
from grader.host import cpu_affinity
from grader.judge.compare import Trial
from grader.judge.compiling import Artifact, worker_failed
from grader.judge.verdicts import Bytes, Remains, judge
from grader.model import Backend, Case, CaseResult, Fault, Interface, Launch, Limits, Resources, Verdict
from grader.sandbox.box_files import open_plain
from grader.sandbox.client import Start, Worker, WorkerLostError, start_process, worker

OPEN_AHEAD = 3  # workers: a GPU's takes a second to open
STOPS = 2  # at a limit; then the rest is not tried: a kernel that hangs at two sizes would take an evening for all
SIMULATED_FLOPS = 5e7  # per second, of the slowest machine and kernel that we wait for
SAMPLED_SHARE = 0.1  # of a sampled launch's work, at most
REPORT_SECONDS = 10.0  # beyond the limit, for a backend that reports where the kernel was then
LIBRARY_SECONDS = 60.0
MOST_JUDGES, PROCESSORS_EACH = 3, 4  # the worker and the library want some too
LAUNCHES_IN_LIMIT = 10  # launches of a small size that share one case's seconds


@dataclass(frozen=True, slots=True)
class Setting:
    """What all cases of a submission have in common."""

    artifact: Artifact
    launch: Launch
    interface: Interface
    limits: Limits
    backend: Backend
    start: Start = start_process


@dataclass(frozen=True, slots=True)
class Outcome:
    """A judged case, and what the kernel uses on the device where that is known."""

    result: CaseResult
    resources: Resources | None = None


@dataclass(frozen=True, slots=True)
class _Tried:
    """A case that was tried, still to be judged: stopped at a limit or not. A spent worker can run no more."""

    judge: Callable[[], Outcome]
    spent: bool = False
    stopped: bool = False


_Ask: TypeAlias = Callable[[Check], Future[Bytes]]  # the library for its product


def check(
    setting: Setting, cases: Sequence[Case], first: Worker | None = None, library: Worker | None = None
) -> Iterator[Outcome]:
    """The outcome of every case, in order. A crash or a hang costs its own case; the next has a fresh worker.

    `first` is a worker that already started. `library` is one that computes the same products by cuBLAS, in a process
    of its own, so that its errors can stand beside the kernel's.
    """
    waiting = deque(cases)
    right = True
    for outcome in _in_turn(setting, waiting, first, library):
        settled = _whole(setting, outcome, waiting) if right and _chose_its_tiles(outcome.result) else outcome
        right = right and settled.result.verdict is Verdict.OK
        yield settled
    why = f"Not run: {STOPS} cases before it did not finish."
    yield from (Outcome(_skipped(case, why)) for case in waiting)


def _chose_its_tiles(result: CaseResult) -> bool:
    """Whether the sampled blocks wrote elsewhere than LAUNCH says, as those that reorder their tiles do.

    It is no mistake, but then what they left out proves nothing.
    """
    return result.case.sampled and result.mismatch is not None and result.mismatch.region.never_written > 0


def _whole(setting: Setting, outcome: Outcome, waiting: deque[Case]) -> Outcome:
    """The case again with every block, and where that is right, so all that wait."""
    (again,) = _in_turn(setting, deque([replace(outcome.result.case, sampled=False)]), None, None)
    if again.result.verdict is Verdict.OK:
        for place, case in enumerate(waiting):
            waiting[place] = replace(case, sampled=False)
    return again


def _in_turn(setting: Setting, waiting: deque[Case], first: Worker | None, library: Worker | None) -> Iterator[Outcome]:
    """While some cases are judged, the worker is busy with the next, and the library with its product of one."""
    most = _judges()
    with ThreadPoolExecutor(most) as judges, ThreadPoolExecutor(max_workers=1) as asking:
        ask = _asking(asking, setting, library)
        judging: deque[Future[Outcome]] = deque()
        for tried in _try_all(setting, waiting, first, ask):
            while judging and (len(judging) == most or judging[0].done()):
                yield judging.popleft().result()
            judging.append(judges.submit(tried.judge))
        yield from (one.result() for one in judging)


def _judges() -> int:
    """How many cases are judged at a time: much of it is one thread's work."""
    return max(1, min(MOST_JUDGES, len(cpu_affinity.allowed()) // PROCESSORS_EACH))


def _try_all(setting: Setting, waiting: deque[Case], first: Worker | None, ask: _Ask | None) -> Iterator[_Tried]:
    """Takes cases from those that wait, until none is left or too many did not finish."""
    stops = 0
    with closing(_workers(setting, first)) as workers:
        while waiting and stops < STOPS:
            one = next(workers)
            one.finish_opening()
            one.install(setting.artifact.files())
            spent = False
            while waiting and stops < STOPS and not spent:
                tried = _try(one, setting, waiting.popleft(), next(iter(waiting), None), ask)
                yield tried
                stops += tried.stopped
                spent = tried.spent


def _workers(setting: Setting, first: Worker | None) -> Generator[Worker]:
    """Workers without end; the one before ends when the next is taken.

    A kernel that crashes once does so at every size, so from then on some open ahead, side by side.
    """
    if first is not None:
        yield first
    else:
        with worker(setting.backend, setting.limits, setting.start) as one:
            yield one
    with ExitStack() as all_ahead:
        ahead = deque(_open(setting, all_ahead) for _ in range(OPEN_AHEAD))
        while True:
            one, end = ahead.popleft()
            yield one
            end()
            ahead.append(_open(setting, all_ahead))


def _open(setting: Setting, keeper: ExitStack) -> tuple[Worker, Callable[[], None]]:
    """A worker that begins to open, and how to end it before `keeper` does."""
    mine = keeper.enter_context(ExitStack())
    one = mine.enter_context(worker(setting.backend, setting.limits, setting.start))
    one.begin_opening()
    return one, mine.close


def _try(one: Worker, setting: Setting, case: Case, following: Case | None, ask: _Ask | None) -> _Tried:
    seconds = _kernel_seconds(setting, case)
    limits = replace(setting.limits, case_seconds=seconds)
    request = Check(setting.artifact.build, setting.launch, case, setting.interface, limits, following)
    grace = REPORT_SECONDS if setting.backend.capabilities.reports_timeout else 0.0
    began = time.monotonic()
    try:
        ran = _expect(one.ask(request, seconds + grace))
    except WorkerLostError as lost:
        fault = _lost(lost, case, limits)
        return _failed(case, fault, time.monotonic() - began, lost.printed, spent=True)
    taken, printed = time.monotonic() - began, ran.printed or one.printed()
    if ran.fault is not None:
        return _failed(case, _placed(ran.fault, case), taken, printed, spent=ran.spent)
    product = ask(request) if ask and case.family == REAL else None
    remains = [_read(one.box, case, setting, number) for number in range(case.launches)]

    def verdict() -> Outcome:
        trial = Trial(case, setting.interface, setting.launch, setting.backend)
        by_library = product.result() if product else None
        return Outcome(judge(trial, remains, taken, printed, by_library), ran.resources)

    return _Tried(verdict, ran.spent)


def _asking(thread: ThreadPoolExecutor, setting: Setting, library: Worker | None) -> _Ask | None:
    """How to ask the library, where there is one: it has a thread for itself, since it can do one thing at a time."""
    return (lambda request: thread.submit(_by_library, library, setting, request)) if library else None


def _by_library(library: Worker, setting: Setting, request: Check) -> Bytes:
    """The bytes of C as the library leaves them for the same inputs."""
    library.finish_opening()
    try:
        ran = _expect(library.ask(replace(request, build=None, following=None), LIBRARY_SECONDS))
    except WorkerLostError as lost:
        raise worker_failed(f"computing {request.case.shape} by the library", lost) from lost
    if ran.fault is not None:
        raise InfrastructureError(f"The library failed at {request.case.shape}: {ran.fault.sentence}")
    return _read(library.box, request.case, setting, 0).C


def _failed(case: Case, fault: Fault, seconds: float, printed: str, *, spent: bool) -> _Tried:
    outcome = Outcome(CaseResult(case, fault.verdict, seconds, fault, printed=printed))
    return _Tried(lambda: outcome, spent, fault.verdict.stopped_at_a_limit)


def _read(box: Path, case: Case, setting: Setting, number: int) -> Remains:
    memory = operands(setting.interface, case.shape)

    def content(name: str) -> Bytes:
        place = matrix_file(memory[name], name, setting.backend.capabilities.guard)
        size = place.before + place.nbytes + place.after
        with open_plain(box / f"{name}-{number}") as file:
            found = np.fromfile(file, np.uint8, size)
        if found.size != size:
            raise InfrastructureError(f"The worker left {found.size} of {size} bytes of {name}.", "Is the disk full?")
        return found

    return Remains(content("A"), content("B"), content("C"))


def _kernel_seconds(setting: Setting, case: Case) -> float:
    """What a case may take; on a backend that computes slowly it grows with the size."""
    seconds = setting.limits.case_seconds * (1 + case.launches // LAUNCHES_IN_LIMIT)
    if setting.backend.capabilities.limit_grows_with_size:
        seconds += case.launches * case.shape.flops * (SAMPLED_SHARE if case.sampled else 1) / SIMULATED_FLOPS
    return seconds


def _expect(answer: object) -> Checked:
    if not isinstance(answer, Checked):
        raise InfrastructureError(f"The worker answered with {type(answer).__name__}.")
    return answer


def _lost(lost: WorkerLostError, case: Case, limits: Limits) -> Fault:
    """Whose fault a lost worker is, and which."""
    if lost.stopped:
        return _placed(kernel_stopped(lost.stopped, limits), case)
    if lost.code is not None and lost.code > 0:
        raise worker_failed(f"checking {case.shape}", lost)
    signal = f" (signal {-lost.code})" if lost.code else ""
    sentence = f"The kernel's process crashed at {case.shape}{signal}."
    return Fault(Verdict.CRASHED, sentence, "Look for indices that leave their array.")


def _placed(fault: Fault, case: Case) -> Fault:
    """The fault with the size at which it came, where its sentence does not say it."""
    if str(case.shape) in fault.sentence:
        return fault
    sentence = f"At {case.shape}: {fault.sentence[:1].lower()}{fault.sentence[1:]}"
    return Fault(fault.verdict, sentence, fault.hint, fault.line, fault.detail)


def _skipped(case: Case, why: str) -> CaseResult:
    return CaseResult(case, Verdict.SKIPPED, 0.0, Fault(Verdict.SKIPPED, why, "Fix those first."))
