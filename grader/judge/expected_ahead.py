"""Expected results of the first cases, computed while the kernel is compiled and a device opens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext

from grader.comparison.expectation import Expect, Expectation, ProductKey, expectation, key
from grader.host import cpus, timeline
from grader.judge.grade_plan import GradePlan
from grader.model import Backend, Case, Interface

MOST_THREADS = 4  # each of which divides large products among the CPUs
MOST_ELEMENTS = 5 << 23  # of C in all results computed ahead: those of the square lab. With A and B, 16 bytes each


def expecting(plan: GradePlan, backend: Backend) -> AbstractContextManager[Expect]:
    """Give the function that returns expected results, computed ahead; those of a class are kept.

    For a simulator, nothing is computed ahead, because it needs the CPUs itself.
    """
    computed = plan.shared.products.expect if plan.shared else expectation
    if not backend.capabilities.uses_gpu:
        return nullcontext(computed)
    return ahead(plan.cases(backend), plan.rubric.interface, computed)


@contextmanager
def ahead(cases: Iterable[Case], interface: Interface, computed: Expect) -> Iterator[Expect]:
    """Compute what the first cases have to leave, in this order; others when they are asked for."""
    threads = ThreadPoolExecutor(min(MOST_THREADS, len(cpus.allowed())))
    begun: dict[ProductKey, Future[Expectation]] = {
        key(case, interface, 0): threads.submit(_timed, computed, case, interface) for case in _first(cases)
    }

    def expect(case: Case, interface: Interface, launch: int) -> Expectation:
        future = begun.pop(key(case, interface, launch), None)
        if future is None or future.cancel():
            return computed(case, interface, launch)
        return future.result()

    try:
        yield expect
    finally:
        threads.shutdown(cancel_futures=True)


def _first(cases: Iterable[Case]) -> Iterator[Case]:
    elements = 0
    for case in cases:
        elements += case.shape.M * case.shape.N
        if elements <= MOST_ELEMENTS:
            yield case


def _timed(computed: Expect, case: Case, interface: Interface) -> Expectation:
    with timeline.span(f"expect {case}"):
        return computed(case, interface, 0)
