"""The counters of a submission: from the worker that has checked it, or from a simulator beside a GPU."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace

from grader.advice.elements import LANES, TOLERANCE, needed, of_tiles, tiles_of_a_block
from grader.contract.layout import launch_at
from grader.contract.messages import CountAccesses, Counted
from grader.errors import InfrastructureError, SubmissionError
from grader.host import machine, timeline
from grader.judge.conditions import Conditions
from grader.judge.stages import CompiledKernel
from grader.model import AccessCount, Counters, Launch
from grader.sandbox.client import Worker, WorkerLostError
from grader.sandbox.starting import worker

Count = Callable[[], Counters | None]

SECONDS = 20.0


@contextmanager
def counting(
    conditions: Conditions, kernel: CompiledKernel, checker: Worker | None, tracer: Worker | None = None
) -> Iterator[Count]:
    """Yield a function that returns the counters of a correct kernel, or None if it cannot be counted; it never fails.

    One block is counted for all that compute a part of C in the same way, so the launch must have tiles, from which
    these parts follow. A kernel that depends on what other kernels have computed is not counted.

    The worker that checked the kernel counts on request. If its backend cannot count, the worker that traced the
    kernel, and has its code already, counts from now on, beside the device's work. If the worker has ended, a new one
    counts.
    """
    backend = conditions.backend
    traced, tracing = kernel.artifact.traced, backend.tracer
    if not (kernel.launch.has_tiles and conditions.rubric.interface.is_alone):
        yield lambda: None
    elif backend.capabilities.counts_accesses:
        yield lambda: _asked(_alive(conditions, checker), conditions, kernel)
    elif traced is None or tracing is None or machine.missing_for(tracing):
        yield lambda: None
    else:
        simulated = conditions.on(tracing)
        with _beside(simulated, replace(kernel, artifact=traced), tracer) as counted:
            yield counted


@contextmanager
def _beside(conditions: Conditions, kernel: CompiledKernel, tracer: Worker | None) -> Iterator[Count]:
    with _alive(conditions, tracer) as counter, ThreadPoolExecutor(max_workers=1) as beside:
        counted = beside.submit(_asked, nullcontext(counter), conditions, kernel)
        try:
            yield counted.result
        finally:
            counter.running.kill()  # otherwise, leaving the block waits for it


def _alive(conditions: Conditions, known: Worker | None) -> AbstractContextManager[Worker]:
    """Return the worker if its process is alive, or a new one."""
    if known is not None and not known.running.poll():
        return nullcontext(known)
    return worker(conditions.backend, conditions.rubric.limits, conditions.start)


def _asked(counter: AbstractContextManager[Worker], conditions: Conditions, kernel: CompiledKernel) -> Counters | None:
    try:
        with timeline.span("count"), counter as running:
            return _ask(running, conditions, kernel)
    except (InfrastructureError, SubmissionError, WorkerLostError, OSError):
        return None


def _ask(counter: Worker, conditions: Conditions, kernel: CompiledKernel) -> Counters | None:
    counter.finish_opening()
    kernel.artifact.put_into(counter)
    rubric = conditions.rubric
    shape = rubric.largest_timed or max(rubric.sizes, key=lambda shape: shape.flops)
    launch = launch_at(kernel.launch, shape)
    request = CountAccesses(kernel.artifact.build, launch, shape, rubric.interface, rubric.limits)
    answer = counter.ask(request, SECONDS)
    counted = answer.counters if isinstance(answer, Counted) else None
    return counted if counted and is_plausible(counted, kernel.launch) else None


def is_plausible(counted: Counters, launch: Launch) -> bool:
    """Whether the multiply-adds are those of the blocks' tiles, fused or not; what a worker returns is not trusted.

    Where the launch names too small a tile, a block computes several of them. The multiply-adds are not those of tiles
    if a kernel chooses its algorithm by the size: then the small sizes that ran do not represent the large one.
    """
    grid = launch.grid(counted.shape)
    if counted.blocks != grid[0] * grid[1] * grid[2] or not all(map(_is_access, counted.accesses)):
        return False
    most = of_tiles(counted, launch)
    least = needed(counted.shape)  # where threads outside C compute nothing
    if not counted.pairs <= counted.halves <= counted.multiply_adds:
        return False
    instructions = counted.multiply_adds + counted.pairs + counted.tensor_products
    # Two products may be added to each other before the sum, which is neither one instruction for each nor two, and
    # fragments may be scaled.
    possible = (instructions, instructions / 2, counted.products, counted.tensor_products)
    if not instructions or tiles_of_a_block(counted, launch) > 1:
        return True
    return any(least * (1 - TOLERANCE) < each < most * (1 + TOLERANCE) for each in possible)


def _is_access(access: AccessCount) -> bool:
    counts = (access.line, access.sectors, access.wavefronts, access.stride)
    shares = 0 < access.lanes <= LANES and 0 < access.width <= LANES and 0 <= access.repeated <= 1
    return access.requests > 0 and min(counts) >= 0 and shares
