"""What limits the kernel's speed, what to change, and the counters and totals behind it. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from grader.advice.elements import LANES, elements_of, in_terms_of
from grader.model import AccessCount, Advice, Bound, Counters, LoopMix, Report
from grader.report.html.facts import Fact
from grader.text.numbers import NONE, three_digits_with_zeros

MOST_BOUNDS = 5
MOST_LINES = 40


def bars(advice: Advice) -> tuple[Bound, ...]:
    """Return the measured time, if there is one, and the largest bounds."""
    measured = (Bound("measured", advice.microseconds),) if advice.microseconds else ()
    return (*measured, *advice.bounds[:MOST_BOUNDS])


def what(access: AccessCount) -> str:
    """Return the kind of an access."""
    of = " of fragments" if access.of_fragment else ""
    return f"{access.space} {access.kind}{of}, {access.width} bytes"


def cells(access: AccessCount) -> tuple[str, ...]:
    """Return the requests, what each takes of global and of shared memory, and its threads."""

    def each(quantity: int) -> str:
        return f"{quantity / access.requests:.2f}"

    transactions = {
        "global": (each(access.sectors), NONE), "shared": (NONE, each(access.wavefronts)), "local": (NONE, NONE)
    }[access.space]  # fmt: skip
    return (f"{access.requests:,}", *transactions, f"{access.lanes:g}")


def totals(report: Report) -> tuple[Fact, ...]:
    """Return the totals of a counted launch."""
    counters = report.counters
    if counters is None:
        return ()
    if elements := elements_of(report.rubric.interface):
        counters = in_terms_of(elements, counters) or counters
    return (*_counted(counters), *(_filled(report.advice) if report.advice else ()))


def _counted(counters: Counters) -> Iterator[Fact]:
    if counters.multiply_adds or counters.tensor_products:
        yield Fact("multiply-adds of warps", _multiply_adds(counters))
    if counters.loop:
        yield Fact("integer instructions in the innermost loop", _integers(counters.loop))
    blocks = f"{counters.blocks:,}" + (f", of which {counters.working:,} compute" if counters.working else "")
    yield Fact("blocks", blocks)


def _multiply_adds(counters: Counters) -> str:
    """Return the multiply-adds, and how many the product does not need. One that is not fused is two instructions."""
    computed = counters.multiply_adds + counters.pairs + counters.tensor_products
    wasted = computed - counters.shape.flops // 2 // LANES
    if wasted <= 0:
        return f"{computed:,}: the product needs all"
    return f"{computed:,}, of which {wasted:,} ({wasted / computed:.1%}) more than the product needs"


def _integers(loop: LoopMix) -> str:
    if not loop.multiply_adds:
        return f"{loop.integer:,} in each iteration"
    each = f"{loop.integer / loop.multiply_adds:.2g}"
    return f"{loop.integer:,} in each iteration: {each} for each multiply-add"


def _filled(advice: Advice) -> Iterator[Fact]:
    if advice.waves is not None:
        yield Fact("waves", f"{three_digits_with_zeros(advice.waves)} ({advice.device})")
    if advice.tail is not None:
        yield Fact("idle in the last wave", f"{advice.tail:.0%} of the places for blocks")
