"""What a launch demands of each resource of a GPU, and the least time that each of them allows. Pure.

The time of a launch is at least the work divided by the rate, for every resource: V. Volkov, "Better performance at
lower occupancy" (GTC 2010); S. Williams, A. Waterman, D. Patterson, "Roofline", CACM 52(4), 2009. Latency follows from
Little's law.
"""

from __future__ import annotations

from dataclasses import dataclass

from grader.advice.devices import GpuFigures
from grader.contract import occupancy
from grader.contract.layout import matrix_bytes
from grader.model import AccessCount, Bound, Counters, Interface, Launch

LANES = 32
SECTOR = 32  # bytes
SCHEDULERS = 4  # of a multiprocessor, one instruction of a warp a clock each
SECTORS_A_CLOCK = 4  # that L1 looks up
DIVISION = 20  # instructions, at least, of an integer division by a number that the compiler does not know
BRANCH = 2  # instructions: the comparison and the jump
BARRIER_CYCLES = 20


@dataclass(frozen=True, slots=True)
class Work:
    """Totals of a launch, in instructions of warps, wavefronts and bytes; `waiting` is in cycles for each warp."""

    issued: float
    multiply_adds: float
    double: float
    shared: float
    l1: float
    l2_bytes: float
    memory_bytes: float
    waiting: float
    blocks: int
    resident: int
    """Blocks on a multiprocessor at a time."""


def work(counters: Counters, launch: Launch, interface: Interface, gpu: GpuFigures) -> Work:
    """Return what a launch demands of a GPU's resources. Address arithmetic is left out of the instructions."""
    stored = sum(access.sectors for access in counters.accesses if access.kind in {"store", "atomic"})
    return Work(
        issued=counters.multiply_adds
        + counters.double
        + counters.divisions * DIVISION
        + counters.branches * BRANCH
        + sum(access.requests for access in counters.accesses),
        multiply_adds=counters.multiply_adds,
        double=counters.double,
        shared=sum(access.wavefronts for access in counters.accesses if access.space == "shared"),
        l1=sum(map(l1_cycles, counters.accesses)),
        l2_bytes=SECTOR * (counters.footprint + stored),
        memory_bytes=matrix_bytes(counters.shape, interface),
        waiting=_waiting(counters, gpu),
        blocks=counters.blocks,
        resident=resident(counters, launch, gpu),
    )


def l1_cycles(access: AccessCount) -> float:
    """Return the cycles in which L1 serves accesses to global memory."""
    return max(access.requests, access.sectors / SECTORS_A_CLOCK) if access.space == "global" else 0.0


def resident(counters: Counters, launch: Launch, gpu: GpuFigures) -> int:
    """Return how many blocks fit on a multiprocessor at a time; at least one."""
    return max(1, occupancy.blocks_per_sm(gpu.limits, launch.threads, counters.registers, counters.shared_bytes))


def bounds(work: Work, gpu: GpuFigures) -> tuple[Bound, ...]:
    """Return the least microseconds of each resource, the largest first.

    For resources of which each multiprocessor has its own, the busiest multiprocessor counts.
    """
    share = -(-work.blocks // gpu.multiprocessors) / work.blocks  # of the work, on the busiest multiprocessor
    rates = gpu.ghz * 1e3  # cycles in a microsecond
    rounds = max(1.0, work.blocks / (gpu.multiprocessors * work.resident))
    each = (
        Bound("instruction issue", work.issued * share / SCHEDULERS / rates),
        Bound("arithmetic", work.multiply_adds * share * LANES / gpu.lanes / rates),
        Bound("double precision", work.double * share * LANES / gpu.double_lanes / rates),
        Bound("shared memory", work.shared * share / gpu.wavefronts / rates),
        Bound("L1 cache", work.l1 * share / gpu.wavefronts / rates),
        Bound("L2 cache", work.l2_bytes / gpu.l2 / 1e3),
        Bound("memory", work.memory_bytes / gpu.memory / 1e3),
        Bound("latency", rounds * work.waiting / rates),
    )
    return tuple(sorted((bound for bound in each if bound.microseconds), key=lambda bound: -bound.microseconds))


def _waiting(counters: Counters, gpu: GpuFigures) -> float:
    """Return the cycles for which a warp waits if no waits overlap. The first read of a sector misses L1."""
    read = sum(access.sectors for access in counters.accesses if access.space == "global" and access.kind == "load")
    missed = min(1.0, counters.footprint / read) if read else 0.0
    of_global = gpu.l1_cycles + missed * (gpu.l2_cycles - gpu.l1_cycles)
    waits = counters.global_waits * of_global + counters.shared_waits * gpu.shared_cycles
    return waits + counters.barriers * BARRIER_CYCLES
