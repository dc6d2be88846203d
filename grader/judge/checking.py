"""Check a kernel: run every case in a worker, and judge every answer here."""

from collections import deque
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from threading import BoundedSemaphore

from grader.contract.inputs import RUNS
from grader.explain.several_cases import CheckedCase
from grader.explain.timed_launches import Settled, not_checked
from grader.host import cpus
from grader.judge.cases import SoFar, smallest_shape
from grader.judge.kernel_setup import KernelSetup
from grader.judge.one_case import AskLibrary, RanCase, library_product, run_case
from grader.model import Case, CaseResult, Verdict
from grader.sandbox.client import Worker
from grader.sandbox.starting import worker

DRAWN_AHEAD = 8  # cases; drawing their inputs takes the worker three times as long as all else
MOST_JUDGES = 6
MOST_ELEMENTS = 3 << 26  # of all matrices C that are judged at a time; each takes about 80 bytes
# Elements of C of cases that ran and are not judged yet. There are more such cases than judges, so that the worker
# never waits for a slow judge, and no judge for a slow launch.
MOST_READ = 3 << 24


Judging = tuple[RanCase, Future[CheckedCase]]  # a case that ran, and its future verdict


def check(
    setup: KernelSetup, cases: Sequence[Case], first: Worker | None = None, library: Worker | None = None
) -> Iterator[CheckedCase]:
    """Check every case, and yield them in order. A crash affects its own case only; the next case has a new worker.

    After `MOST_FAULTS` cases of a size have failed, its other cases are skipped: the size is wrong, and two sets of
    inputs suffice to confirm a reason. After a case that reaches the time limit, the other cases of its size are
    skipped, and if it is the smallest size, those of all sizes. `first` is a worker that has been started. `library` is
    a process that computes the same products with cuBLAS, for a report of both errors.
    """
    waiting = deque(cases)
    so_far = SoFar(smallest_shape(cases))
    for checked in _judged(setup, waiting, first, library, so_far):
        if so_far.correct and checked.result.case.shared_out and checked.result.verdict is not Verdict.OK:
            checked = _with_all_blocks(setup, checked, waiting)  # noqa: PLW2901 - it replaces the launch of some blocks
        if settled := so_far.settles(checked.result.case):
            yield _skipped(checked.result.case, settled)
        else:
            yield checked
            so_far.add(checked)
    yield from (_skipped(case, settled) for case in waiting if (settled := so_far.settles(case)))


def _skipped(case: Case, why: Settled) -> CheckedCase:
    """The result of a skipped case, even if it ran before: the report must not depend on the speed of a machine."""
    return CheckedCase(CaseResult(case, Verdict.SKIPPED, 0.0, not_checked(why)))


def _with_all_blocks(setup: KernelSetup, checked: CheckedCase, waiting: deque[Case]) -> CheckedCase:
    """Run a case again with every block, because some may compute other tiles, or depend on blocks that did not run.

    If that is correct, replace the waiting cases by ones with every block.
    """
    (again,) = _judged(setup, deque([replace(checked.result.case, shared_out=False)]), None, None, SoFar())
    if again.result.verdict is Verdict.OK:
        for place, case in enumerate(waiting):
            waiting[place] = replace(case, shared_out=False)
    return again


def _judged(
    setup: KernelSetup, waiting: deque[Case], first: Worker | None, library: Worker | None, so_far: SoFar
) -> Iterator[CheckedCase]:
    """Judge cases while the worker runs the next one and the library computes its product.

    The library has its own thread, because it computes one product at a time. Cases that wait for it do not delay
    others: most cases are judged while the library opens.
    """
    at_a_time = _judges(waiting)
    threads, permits = at_a_time + sum(case.run == RUNS[1] for case in waiting), BoundedSemaphore(at_a_time)
    with ThreadPoolExecutor(threads) as judges, ThreadPoolExecutor(max_workers=1) as asking:
        ask = (lambda request: asking.submit(library_product, library, setup, request)) if library else None
        judging: deque[Judging] = deque()
        for ran in _run_all(setup, waiting, first, ask, so_far):
            judging.append((ran, judges.submit(_judge_with_permit, permits, ran)))
            at_once = ran.spent or ran.stopped_at_a_limit  # the verdict may make the next worker or wait unnecessary
            while judging and (
                at_once
                or judging[0][1].done()
                or _is_full(judging, at_a_time)
                or _may_be_settled(waiting, judging, so_far)
            ):
                yield judging.popleft()[1].result()
        yield from (verdict.result() for _, verdict in judging)


def _judge_with_permit(permits: BoundedSemaphore, ran: RanCase) -> CheckedCase:
    if ran.product:
        wait([ran.product])
    with permits:
        return ran.judge()


def _judges(cases: Iterable[Case]) -> int:
    """How many cases are judged at a time: at most one per CPU, and as many as fit into the memory."""
    largest = max((case.shape.M * case.shape.N for case in cases), default=1)
    return max(1, min(MOST_JUDGES, len(cpus.allowed()), MOST_ELEMENTS // largest))


def _is_full(judging: Collection[Judging], at_a_time: int) -> bool:
    """Whether so many cases wait for judges that the next one must not run yet."""
    return len(judging) > at_a_time and sum(ran.elements for ran, _ in judging) > MOST_READ


def _may_be_settled(waiting: Sequence[Case], judging: Collection[Judging], so_far: SoFar) -> bool:
    """Whether a case that is being judged could make the next one, of the same size, unnecessary."""
    return bool(waiting) and so_far.doubts(waiting[0]) and any(ran.shape == waiting[0].shape for ran, _ in judging)


def _run_all(
    setup: KernelSetup, waiting: deque[Case], first: Worker | None, ask_library: AskLibrary | None, so_far: SoFar
) -> Iterator[RanCase]:
    """Run the waiting cases; yield those that have become unnecessary as skipped."""
    with closing(_workers(setup, first)) as workers:
        while not all(so_far.settles(case) for case in waiting):
            current = next(workers)
            current.open_beside(setup.conditions.gpu)
            setup.artifact.put_into(current)
            spent = False
            while waiting and not spent:
                case = waiting.popleft()
                if settled := so_far.settles(case):
                    yield RanCase(case.shape, partial(_skipped, case, settled))
                    continue
                ran = run_case(current, setup, case, tuple(islice(waiting, DRAWN_AHEAD)), ask_library)
                spent = ran.spent
                if spent:
                    current.running.kill()  # it runs no other launch, checked or timed
                yield ran


def _workers(setup: KernelSetup, first: Worker | None) -> Generator[Worker]:
    """Yield workers without end; each ends when the next one is requested. A process is forked in little time."""
    if first is not None:
        yield first
    while True:
        with worker(setup.backend, setup.limits, setup.conditions.start) as current:
            yield current
