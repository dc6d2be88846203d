"""The counters of a submission: from the worker that has checked it, or from a simulator beside a GPU."""

from __future__ import annotations

from dataclasses import replace

from grader.contract.messages import CountAccesses, Counted
from grader.errors import InfrastructureError, SubmissionError
from grader.host import machine, timeline
from grader.model import AccessCount, Backend, Counters, Launch, Rubric, Shape
from grader.sandbox.client import Worker, WorkerLostError, worker
from grader.timing.stages import Conditions, compile_kernel
from grader.timing.subjects import Subject

SECONDS = 20.0
LANES = 32
TOLERANCE = 0.1  # of the multiply-adds: prologues and epilogues compute too


def counted_shape(rubric: Rubric) -> Shape:
    """Return the largest size that is timed, or that is checked in a lab without timing."""
    return max(rubric.timed_sizes or rubric.sizes, key=lambda shape: shape.flops)


def counters(
    conditions: Conditions, kernel: Subject, content: bytes, name: str, checker: Worker | None
) -> Counters | None:
    """Return the counters of a correct kernel; None where there is no way to count. It never fails a grade."""
    try:
        with timeline.span("count"):
            if conditions.machine.backend.capabilities.counts_accesses:
                return _counted(conditions, kernel, checker)
            return _counted(*_on_the_simulator(conditions, content, name), None)
    except (InfrastructureError, SubmissionError, WorkerLostError, OSError):
        return None


def _on_the_simulator(conditions: Conditions, content: bytes, name: str) -> tuple[Conditions, Subject]:
    """Compile for the backend that counts. Raises InfrastructureError if none works here."""
    backend = next(backend for backend in Backend if backend.capabilities.counts_accesses)
    if missing := machine.missing_for(backend):
        raise InfrastructureError(f"Accesses are not counted here: {missing[0].problem}.", missing[0].fix)
    simulated = replace(conditions, machine=replace(conditions.machine, backend=backend))
    return simulated, compile_kernel(simulated, content, name)


def _counted(conditions: Conditions, kernel: Subject, checker: Worker | None) -> Counters | None:
    if checker is not None and not checker.running.poll():
        return _ask(checker, conditions, kernel)
    with worker(conditions.machine.backend, conditions.rubric.limits, conditions.start) as fresh:
        return _ask(fresh, conditions, kernel)


def _ask(counter: Worker, conditions: Conditions, kernel: Subject) -> Counters | None:
    if kernel.artifact is None:
        raise ValueError("a product of the library is not counted")
    counter.finish_opening()
    counter.carry(kernel.artifact.bundle())
    counter.install(kernel.files)
    rubric = conditions.rubric
    shape = counted_shape(rubric)
    request = CountAccesses(kernel.artifact.build, kernel.launch, shape, rubric.interface, rubric.limits)
    answer = counter.ask(request, SECONDS)
    counted = answer.counters if isinstance(answer, Counted) else None
    return counted if counted and is_plausible(counted, kernel.launch) else None


def is_plausible(counted: Counters, launch: Launch) -> bool:
    """Whether the multiply-adds are those of the blocks' tiles, fused or not; what a worker returns is not trusted.

    They are not where a kernel chooses its algorithm by the size: then the small sizes that ran say little.
    """
    grid = launch.grid(counted.shape)
    if counted.blocks != grid[0] * grid[1] * grid[2] or not all(map(_is_access, counted.accesses)):
        return False
    expected = counted.blocks * launch.tile[0] * launch.tile[1] * counted.shape.K / LANES
    ratio = counted.multiply_adds / expected
    return not counted.multiply_adds or any(abs(ratio / factor - 1) < TOLERANCE for factor in (1, 2))


def _is_access(access: AccessCount) -> bool:
    return access.requests > 0 and 0 < access.lanes <= LANES and 0 < access.width <= LANES
