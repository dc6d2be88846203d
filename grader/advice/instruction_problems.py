"""Problems of the instructions in the innermost loop. Pure."""

from dataclasses import replace

from grader.advice.situation import Problem, Situation
from grader.advice.work import BARRIER_CYCLES, BRANCH, DIVISION, integers, warps
from grader.model import LoopMix

SHORT = 2  # multiply-adds of a loop that is not unrolled
CHECKED = 0.5  # conditions for each multiply-add
OFTEN = 0.4  # barriers for each multiply-add
USUAL = 8  # multiply-adds for each barrier of a tiled kernel
SCALAR = 0.5  # of the product's multiply-adds


def divisions(situation: Situation) -> Problem | None:
    """The innermost loop divides integers by a number that the compiler does not know."""
    loop, work = situation.counters.loop, situation.work
    if loop is None or not loop.divisions:
        return None
    count = situation.counters.divisions
    beside = f"{loop.tensor} products of fragments" if loop.tensor else f"{loop.multiply_adds} multiply-adds"
    return Problem(
        "integer division in the inner loop",
        loop.division_line or loop.line,
        f"One iteration has {loop.divisions} integer division{'s' if loop.divisions > 1 else ''} or remainders by a "
        f"variable, each of which becomes {DIVISION} instructions or more, for {beside}.",
        "Compute the index before the loop and increment it in the loop, or divide by a constant power of two.",
        replace(work, issued=work.issued - count * DIVISION),
        wasted=1.1,
    )


def double_precision(situation: Situation) -> Problem | None:
    """The innermost loop of a kernel in single precision computes in double precision."""
    loop, work = situation.counters.loop, situation.work
    if loop is None or not loop.double:
        return None
    per_clock = situation.gpu.lanes // situation.gpu.conversions
    return Problem(
        "double precision in the inner loop",
        loop.double_line or loop.line,
        f"One iteration has {loop.double} instructions in double precision or conversions to it; this device executes "
        f"them at 1/{per_clock} of the rate of single precision.",
        "Write constants with f, such as 1.0f, and declare the sum as float.",
        replace(
            work,
            double=0.0,
            conversions=0.0,
            issued=work.issued - situation.counters.double,
            multiply_adds=situation.useful,
        ),
        wasted=1.1,
    )


def bounds_checks(situation: Situation) -> Problem | None:
    """The innermost loop checks a condition for every one or two multiply-adds."""
    counters, loop, work = situation.counters, situation.counters.loop, situation.work
    if loop is None or loop.divisions or loop.multiply_adds * CHECKED > _checks(loop) or not loop.multiply_adds:
        return None
    if loop.global_loads and not loop.shared_loads:  # which take so long that a check costs nothing (measured: 0.3 %)
        return None
    checks, many = _checks(loop), "s" if loop.multiply_adds > 1 else ""
    removed = counters.multiply_adds * checks / loop.multiply_adds
    return Problem(
        "conditions in the inner loop",
        loop.line,
        f"One iteration checks {checks} condition{'s' if checks > 1 else ''} for {loop.multiply_adds} "
        f"multiply-add{many}, besides those of the loop itself and of loads of a tile.",
        "Move them out of the loop over k. If they check bounds, let threads outside C skip the loop or not store, and "
        "store zeros in a tile where A and B have no elements.",
        replace(
            work,
            issued=work.issued - BRANCH * removed,
            shared=work.shared - situation.mergeable,
            waiting=work.waiting / 4,
        ),
        wasted=1.1,
        waits=True,
    )


def _checks(loop: LoopMix) -> int:
    """Return the conditions in one iteration, without the loop's own and two for each element of a tile."""
    of_tile = loop.stores + (loop.global_loads if loop.shared_loads else 0)
    return max(loop.branches, loop.comparisons) - 1 - 2 * of_tile


def not_unrolled(situation: Situation) -> Problem | None:
    """The innermost loop has one or two multiply-adds for each jump."""
    loop, work = situation.counters.loop, situation.work
    if loop is None or not 0 < loop.multiply_adds <= SHORT or loop.barriers or loop.divisions or loop.double:
        return None
    if bounds_checks(situation):  # the compiler may unroll the loop once they are gone
        return None
    overhead = BRANCH * situation.counters.branches + integers(situation.counters)
    return Problem(
        "a loop that is not unrolled",
        loop.line,
        f"One iteration has {loop.multiply_adds} multiply-add{'s' if loop.multiply_adds > 1 else ''} in "
        f"{loop.instructions} instructions, a comparison and a jump among them.",
        "Give the loop a constant number of iterations and write #pragma unroll before it, so that loads and "
        "multiply-adds of several iterations overlap.",
        replace(
            work,
            issued=work.issued - overhead * 7 / 8,
            shared=work.shared - situation.mergeable,
            waiting=work.waiting / 4,
        ),
        wasted=1.15,
        waits=True,
    )


def needless_barriers(situation: Situation) -> Problem | None:
    """A barrier for every few multiply-adds."""
    counters, loop = situation.counters, situation.counters.loop
    each = situation.useful / situation.work.blocks / warps(situation.launch)  # multiply-adds of a warp
    if loop is None or not loop.barriers or counters.barriers < OFTEN * each:
        return None
    most = each / USUAL
    saved = max(0.0, counters.barriers - most) * BARRIER_CYCLES
    work = situation.work
    return Problem(
        "needless barriers",
        loop.barrier_line or loop.line,
        f"Each thread reaches {counters.barriers:,} __syncthreads() for {each:,.0f} multiply-adds.",
        "Put one __syncthreads() after a tile is loaded and one before it is overwritten, and none in the loop over k.",
        replace(
            work,
            waiting=max(1.0, work.waiting - saved),
            shared=work.shared - situation.mergeable,
            barriers=work.barriers * min(1.0, most / counters.barriers),
        ),
        wasted=1.3,
        waits=True,
    )


def scalar_halves(situation: Situation) -> Problem | None:
    """Each instruction multiplies one half, in a lab whose sums are halves."""
    counters, work = situation.counters, situation.work
    scalar = counters.halves - counters.pairs
    if situation.elements.sums != "half" or counters.tensor_products or scalar < SCALAR * situation.useful:
        return None
    return Problem(
        "scalar arithmetic on halves",
        counters.loop.line if counters.loop else 0,
        f"{scalar / counters.halves:.0%} of the multiply-adds are of one half each. On half2, an instruction "
        "computes two in the same time.",
        "Let each thread compute two neighbouring elements of a row of C: load those of B as one half2, and multiply "
        "them with __hfma2 by an element of A in both halves (__half2half2).",
        replace(work, halves=work.halves / 2, issued=work.issued / 2, l1=work.l1 / 2, shared=work.shared / 2),
    )
