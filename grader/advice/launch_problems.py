"""Problems of the launch and of the resources that a block takes. Pure."""

from dataclasses import replace

from grader.advice.elements import LANES
from grader.advice.situation import Problem, Situation, requests
from grader.advice.work import l2_bytes, spill_requests, warps
from grader.contract import launch_limits

LEAST_WASTE = 1.05
LEAST_TAIL = 1.3
LEAST_OUTSIDE = 1.1
MANY_RESULTS = 8  # of a thread: they keep the units busy with few warps
LOW = 0.3  # of the warps that a multiprocessor holds


def spills(situation: Situation) -> Problem | None:
    """The compiler keeps variables of a thread in local memory."""
    counters, work = situation.counters, situation.work
    if not counters.spilled:
        return None
    spills = spill_requests(counters)
    return Problem(
        "spills to local memory",
        counters.loop.line if counters.loop else 0,
        f"The kernel needs more than its {counters.registers} registers per thread: instructions store and load "
        f"{counters.spilled:,} bytes of local memory, which is in device memory.",
        "Compute fewer results per thread, or allow more registers: remove the second argument of __launch_bounds__.",
        replace(
            work, issued=work.issued - spills, l1=work.l1 - spills, l2_bytes=l2_bytes(counters, ("store", "atomic"))
        ),
        wasted=1.3,
        waits=True,
    )


def partial_warps(situation: Situation) -> Problem | None:
    """The last warp of each block has threads that do not exist."""
    threads, count = situation.launch.threads, warps(situation.launch)
    waste = count * LANES / threads
    if waste < LEAST_WASTE:
        return None
    sides = " x ".join(str(side) for side in situation.launch.block if side > 1) or "1"
    work = situation.work
    return Problem(
        "a block size that is not a multiple of 32",
        0,
        f"A block has {sides} = {threads} threads, which take {count} warps of 32: {1 - 1 / waste:.0%} "
        "of their lanes do nothing.",
        "Make the number of threads of a block a multiple of 32, for example 16 x 16.",
        replace(
            work,
            issued=work.issued / waste,
            l1=requests(situation.of("global", "load", "store", "atomic", "copy")) / waste,  # a line for each request
            shared=work.shared / waste,
            multiply_adds=work.multiply_adds / waste,
        ),
    )


def too_small_tile(situation: Situation) -> Problem | None:
    """Blocks that compute several of the tiles from which the number of blocks follows."""
    tiles, work = situation.tiles, situation.work
    if situation.tile is None or tiles == 1:
        return None
    columns, rows = situation.tile
    return Problem(
        "more blocks than C needs",
        0,
        f"By its LAUNCH line, a block computes {rows} rows and {columns} columns of C. Each block computes {tiles} "
        "times as many elements, so most blocks compute what C does not have, or what others compute.",
        f"Write in LAUNCH how many columns and rows a block computes: for example .tile = {_tile(tiles, situation)}.",
        replace(
            work,
            issued=work.issued / tiles,
            multiply_adds=work.multiply_adds / tiles,
            shared=work.shared / tiles,
            l1=work.l1 / tiles,
            barriers=work.barriers / tiles,
            l2_bytes=work.l2_bytes / tiles,
            blocks=work.blocks // tiles,
        ),
    )


def _tile(tiles: int, situation: Situation) -> str:
    """Return the tile closest to a square that has as many elements as a block computes, as LAUNCH has it."""
    columns, rows = situation.launch.tile
    across = [count for count in range(1, tiles + 1) if tiles % count == 0]
    possible = [(columns * count, rows * (tiles // count)) for count in across]
    return "{{{}, {}}}".format(*min(possible, key=sum))


def too_few_blocks(situation: Situation) -> Problem | None:
    """Multiprocessors without a block, or with one block fewer than others."""
    blocks, most = situation.work.blocks, situation.gpu.multiprocessors
    tail = -(-blocks // most) * most / blocks
    if tail < LEAST_TAIL:
        return None
    tile, work = situation.tile, situation.work
    count = f"{blocks:,} blocks of {tile[1]} x {tile[0]} elements" if tile else f"{blocks:,} blocks that compute"
    return Problem(
        "too few blocks for the device",
        0,
        f"The launch has {count} for {most} multiprocessors, of which the busiest computes {tail:.1f} times the "
        "average.",
        "Choose a smaller tile for each block, or split K among several blocks.",
        replace(work, blocks=most * -(-blocks // most) * 4),
    )


def outside(situation: Situation) -> Problem | None:
    """Blocks at the edges compute elements that C does not have."""
    if situation.tile is None:
        return None
    shape, (columns, rows) = situation.counters.shape, situation.tile
    covered = -(-shape.N // columns) * columns * -(-shape.M // rows) * rows
    waste = covered / (shape.M * shape.N)
    if waste < LEAST_OUTSIDE:
        return None
    return Problem(
        "blocks that compute outside C",
        0,
        f"At {shape}, tiles of {rows} x {columns} cover {waste - 1:.0%} more elements than C has.",
        "Choose a tile that divides the size more closely.",
        situation.work,
        wasted=waste,
    )


def low_occupancy(situation: Situation) -> Problem | None:
    """Few warps on a multiprocessor, where waiting is the limit."""
    counters, launch, work = situation.counters, situation.launch, situation.work
    limits, count = situation.gpu.limits, warps(launch)
    reached = work.resident * count / (limits.threads // LANES)
    if reached > LOW or (situation.limiter != "latency" and situation.results >= MANY_RESULTS):
        return None
    without_shared = launch_limits.blocks_per_sm(limits, launch.threads, counters.registers, 0)
    without_registers = launch_limits.blocks_per_sm(limits, launch.threads, 0, counters.shared_bytes)
    more = {"shared memory": without_shared, "registers": without_registers}
    reason = max(more, key=lambda name: more[name])
    amount = {
        "shared memory": f"{counters.shared_bytes:,} bytes of shared memory of a block",
        "registers": f"{counters.registers} registers of a thread",
    }[reason]
    if more[reason] <= work.resident:
        reason, amount = "block size", f"{launch.threads} threads of a block"
    changes = {
        "shared memory": "Use a smaller tile in shared memory, or more threads for the same tile.",
        "registers": "Compute fewer results per thread, or limit registers with __launch_bounds__.",
        "block size": "Use larger blocks, of 128 to 256 threads.",
    }
    resident = max(work.resident, limits.threads // launch.threads // 2)
    return Problem(
        f"occupancy limited by {reason}",
        0,
        f"{work.resident} block{'s' if work.resident > 1 else ''} of {count} warps fit on a multiprocessor, "
        f"{reached:.0%} of what it can hold: the limit is the {amount}.",
        changes[reason],
        replace(work, resident=resident),
        wasted=1.2,
        waits=True,
    )
