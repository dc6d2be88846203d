"""What a launch demands of each resource of a GPU, and the least time that each of them allows. Pure.

The time of a launch is at least the work divided by the rate, for every resource: V. Volkov, "Better performance at
lower occupancy" (GTC 2010); S. Williams, A. Waterman, D. Patterson, "Roofline", CACM 52(4), 2009. Latency follows from
Little's law.
"""

from collections.abc import Collection
from dataclasses import dataclass

from grader.advice.devices import GpuFigures
from grader.advice.elements import LANES, elements_of
from grader.contract import launch_limits
from grader.contract.layout import matrix_bytes
from grader.model import AccessCount, Bound, Counters, Interface, Launch

SECTOR = 32  # bytes
SCHEDULERS = 4  # of a multiprocessor, one instruction of a warp a clock each
SECTORS_A_CLOCK = 4  # that L1 looks up
SPILLED = 4 * LANES  # bytes of an instruction of a warp that stores to local memory or loads from it
# A write costs what two reads of as many bytes from L2 do: data and requests take one way to L2, in 32-byte packets.
WRITES = 2
DIVISION = 20  # instructions, at least, of an integer division by a number that the compiler does not know
BRANCH = 2  # instructions: the comparison and the jump
BARRIER_CYCLES = 20  # of waiting
IN_TENSOR_INSTRUCTION = 64  # multiply-adds of warps: HMMA.16816 has 16 x 8 x 16 of elements
BARRIER_SLOTS = 2  # cycles of a multiprocessor's ADU: with 1 for each LDC, as Nsight Compute counts on an H200


@dataclass(frozen=True, slots=True)
class Work:
    """Totals of a launch, in instructions of warps, wavefronts and bytes; `waiting` is in cycles for each warp."""

    issued: float
    multiply_adds: float
    """Without those of halves."""
    halves: float
    """Multiply-adds of one half or two."""
    tensor: float
    """Cycles of a multiprocessor's tensor cores."""
    double: float
    """Without conversions."""
    conversions: float
    shared: float
    l1: float
    barriers: float
    l2_bytes: float
    memory_bytes: float
    waiting: float
    blocks: int
    resident: int
    """Blocks on a multiprocessor at a time."""


def work(counters: Counters, launch: Launch, interface: Interface, gpu: GpuFigures) -> Work:
    """Return what a launch demands of a GPU's resources."""
    elements = elements_of(interface)
    rate = gpu.tensor.get(elements.tensor, 0) if elements else 0
    spills, blocks = spill_requests(counters), counters.working or counters.blocks
    return Work(
        issued=spills
        + counters.multiply_adds
        + counters.half_conversions
        + counters.tensor_products / IN_TENSOR_INSTRUCTION
        + counters.double
        + counters.divisions * DIVISION
        + counters.branches * BRANCH
        + integers(counters)
        + sum(access.requests for access in counters.accesses),
        multiply_adds=counters.multiply_adds - counters.halves,
        halves=counters.halves,
        tensor=tensor_cycles(counters.tensor_products, rate),
        double=counters.double - counters.conversions,
        conversions=counters.conversions,
        shared=sum(access.wavefronts for access in counters.accesses if access.space == "shared"),
        l1=spills + sum(map(l1_cycles, counters.accesses)),
        barriers=float(counters.barriers * blocks * warps(launch)),
        l2_bytes=l2_bytes(counters, ("store", "atomic"), spills),
        memory_bytes=matrix_bytes(counters.shape, interface),
        waiting=_waiting(counters, gpu),
        blocks=blocks,
        resident=resident(counters, launch, gpu),
    )


def warps(launch: Launch) -> int:
    """Return the warps of a block; the last one may have threads that do not exist."""
    return -(-launch.threads // LANES)


def tensor_cycles(products: float, rate: int) -> float:
    """Return the cycles of a multiprocessor's tensor cores for so many multiply-adds of warps."""
    return products * LANES / rate if rate else 0.0


def l1_cycles(access: AccessCount) -> float:
    """Return the cycles in which L1 serves accesses to global and local memory: one for each line of a request."""
    if access.space == "shared":
        return 0.0
    return max(access.requests, access.wavefronts, access.sectors / SECTORS_A_CLOCK)


def integers(counters: Counters) -> float:
    """Return the integer instructions, without the comparisons before jumps.

    Those of the machine code have three operands (IADD3, IMAD, LEA, LOP3), so that one does what two of PTX do. An
    innermost loop that is one block has few of them, each for a counter or an address of its own.
    """
    loop = counters.loop
    is_one_block = loop is not None and loop.branches == 1 and not loop.barriers
    return max(0, counters.integer - counters.branches) / (1 if is_one_block else 2)


def l2_bytes(counters: Counters, kinds: Collection[str], spills: float = 0.0) -> float:
    """Return the bytes that L2 serves, by the busier of its two directions: reads, or these kinds of writes.

    Half of the accesses to local memory are taken for stores, which L1 passes on.
    """
    stored = SECTOR * sum(access.sectors for access in counters.accesses if access.kind in kinds)
    return max(SECTOR * counters.footprint, WRITES * (stored + spills * SPILLED / 2))


def spill_requests(counters: Counters) -> float:
    """Return how often warps store to local memory or load from it, as if all of that were in the innermost loop."""
    loop, iterations = counters.loop, 0.0
    if loop and loop.tensor:
        iterations = counters.tensor / loop.tensor
    elif loop and loop.multiply_adds:
        iterations = counters.multiply_adds / loop.multiply_adds
    return counters.spilled / 4 * iterations


def resident(counters: Counters, launch: Launch, gpu: GpuFigures) -> int:
    """Return how many blocks fit on a multiprocessor at a time; at least one."""
    return max(1, launch_limits.blocks_per_sm(gpu.limits, launch.threads, counters.registers, counters.shared_bytes))


def waves(work: Work, gpu: GpuFigures) -> float:
    """Return the rounds in which the blocks run if all that fit on the device run at a time."""
    return work.blocks / (gpu.multiprocessors * work.resident)


def tail(work: Work, gpu: GpuFigures) -> float:
    """Return the share of the places for blocks that are empty in the last round."""
    places = gpu.multiprocessors * work.resident
    return -work.blocks % places / places


def bounds(work: Work, gpu: GpuFigures) -> tuple[Bound, ...]:
    """Return the least microseconds of each resource, the largest first.

    For resources of which each multiprocessor has its own, the busiest multiprocessor counts. Shared memory and L1 have
    one data path: the bound of the one that takes more of it includes the other.
    """
    share = -(-work.blocks // gpu.multiprocessors) / work.blocks  # of the work, on the busiest multiprocessor
    rates = gpu.ghz * 1e3  # cycles in a microsecond
    rounds = max(1.0, waves(work, gpu))
    path = work.shared + work.l1
    shared, l1 = (path, work.l1) if work.shared >= work.l1 else (work.shared, path)
    arithmetic = max(work.multiply_adds / gpu.lanes, work.halves / gpu.half_lanes)
    double = max(work.double / gpu.double_lanes, work.conversions / gpu.conversions)
    each = (
        Bound("instruction issue", work.issued * share / SCHEDULERS / rates),
        Bound("arithmetic", arithmetic * share * LANES / rates),
        Bound("tensor cores", work.tensor * share / rates),
        Bound("double precision", double * share * LANES / rates),
        Bound("shared memory", shared * share / gpu.wavefronts / rates),
        Bound("L1 cache", l1 * share / gpu.wavefronts / rates),
        Bound("barriers", work.barriers * share * BARRIER_SLOTS / rates),
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
