"""The counters of a submission: from the worker that has checked it, or from a simulator beside a GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import TypeAlias

from grader.advice.machine_code import reads_agree, unrolled
from grader.contract.messages import CountAccesses, Counted
from grader.errors import InfrastructureError, SubmissionError
from grader.host import machine, timeline
from grader.model import AccessCount, Counters, Launch, Rubric, SassMix, Shape
from grader.sandbox.client import Worker, WorkerLostError, worker
from grader.timing.stages import Conditions
from grader.timing.subjects import Subject

Count: TypeAlias = Callable[[], Counters | None]

SECONDS = 20.0
LANES = 32
TOLERANCE = 0.1  # of the multiply-adds: prologues and epilogues compute too


def counted_shape(rubric: Rubric) -> Shape:
    """Return the largest size that is timed, or that is checked in a lab without timing."""
    return max(rubric.timed_sizes or rubric.sizes, key=lambda shape: shape.flops)


@contextmanager
def counting(conditions: Conditions, kernel: Subject, checker: Worker | None, iterations: int = 1) -> Iterator[Count]:
    """Yield a function that returns the counters of a correct kernel, or None if it cannot be counted; it never fails.

    The worker that checked the kernel counts on request. If its backend cannot count, a worker of the tracing backend
    starts to count now, concurrently with the device's work. `iterations` of the innermost loop are one iteration of
    the machine code.
    """
    backend = conditions.machine.backend
    traced, tracer = kernel.artifact.traced if kernel.artifact else None, backend.tracer
    if backend.capabilities.counts_accesses:
        yield lambda: _counted(conditions, kernel, checker, iterations)
    elif traced is None or tracer is None or machine.missing_for(tracer):
        yield lambda: None
    else:
        simulated = replace(conditions, machine=replace(conditions.machine, backend=tracer))
        with _beside(simulated, replace(kernel, artifact=traced), iterations) as counted:
            yield counted


def recounted(conditions: Conditions, kernel: Subject, counters: Counters, mix: SassMix) -> Counters:
    """Return the counters with loads merged across the iterations that the machine code unrolls.

    The counters stay as they are where the widths of the loads would not be those of the machine code.
    """
    iterations = unrolled(counters.loop, mix)
    if iterations == 1 or reads_agree(counters, mix):
        return counters
    with counting(conditions, kernel, None, iterations) as count:
        fresh = count()
    return fresh if fresh and reads_agree(fresh, mix) else counters


@contextmanager
def _beside(conditions: Conditions, kernel: Subject, iterations: int) -> Iterator[Count]:
    with (
        worker(conditions.machine.backend, conditions.rubric.limits, conditions.start) as counter,
        ThreadPoolExecutor(max_workers=1) as beside,
    ):
        counted = beside.submit(_asked, nullcontext(counter), conditions, kernel, iterations)
        try:
            yield counted.result
        finally:
            counter.running.kill()  # otherwise, leaving the block waits for it


def _counted(conditions: Conditions, kernel: Subject, checker: Worker | None, iterations: int) -> Counters | None:
    if checker is not None and not checker.running.poll():
        return _asked(nullcontext(checker), conditions, kernel, iterations)
    fresh = worker(conditions.machine.backend, conditions.rubric.limits, conditions.start)
    return _asked(fresh, conditions, kernel, iterations)


def _asked(
    counter: AbstractContextManager[Worker], conditions: Conditions, kernel: Subject, iterations: int
) -> Counters | None:
    try:
        with timeline.span("count"), counter as running:
            return _ask(running, conditions, kernel, iterations)
    except (InfrastructureError, SubmissionError, WorkerLostError, OSError):
        return None


def _ask(counter: Worker, conditions: Conditions, kernel: Subject, iterations: int) -> Counters | None:
    if kernel.artifact is None:
        raise ValueError("a product of the library is not counted")
    counter.finish_opening()
    counter.carry(kernel.artifact.bundle())
    counter.install(kernel.files)
    rubric = conditions.rubric
    shape = counted_shape(rubric)
    request = CountAccesses(kernel.artifact.build, kernel.launch, shape, rubric.interface, rubric.limits, iterations)
    answer = counter.ask(request, SECONDS)
    counted = answer.counters if isinstance(answer, Counted) else None
    return counted if counted and is_plausible(counted, kernel.launch) else None


def is_plausible(counted: Counters, launch: Launch) -> bool:
    """Whether the multiply-adds are those of the blocks' tiles, fused or not; what a worker returns is not trusted.

    They are not if a kernel chooses its algorithm by the size: then the small sizes that ran do not represent the large
    one.
    """
    grid = launch.grid(counted.shape)
    if counted.blocks != grid[0] * grid[1] * grid[2] or not all(map(_is_access, counted.accesses)):
        return False
    most = counted.blocks * launch.tile[0] * launch.tile[1] * counted.shape.K / LANES
    least = counted.shape.flops / 2 / LANES  # where threads outside C compute nothing
    return not counted.multiply_adds or any(
        least * (1 - TOLERANCE) < counted.multiply_adds / instructions < most * (1 + TOLERANCE)
        for instructions in (1, 2)
    )


def _is_access(access: AccessCount) -> bool:
    counts = (access.line, access.sectors, access.wavefronts, access.stride)
    shares = 0 < access.lanes <= LANES and 0 < access.width <= LANES and 0 <= access.repeated <= 1
    return access.requests > 0 and min(counts) >= 0 and shares
