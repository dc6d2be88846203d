"""Totals of a launch: work that the product does not need, and how the blocks fill the device. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.advice.elements import elements_of, in_terms_of
from grader.model import Advice, Counters, LoopMix, Report
from grader.report.html.wording import digits

LANES = 32


@dataclass(frozen=True, slots=True)
class Total:
    """A quantity and its value, in words."""

    name: str
    value: str


def totals(report: Report) -> tuple[Total, ...]:
    """Return the totals of a counted launch."""
    counters = report.counters
    if counters is None:
        return ()
    if elements := elements_of(report.rubric.interface):
        counters = in_terms_of(elements, counters) or counters
    return (*_counted(counters), *(_filled(report.advice) if report.advice else ()))


def _counted(counters: Counters) -> Iterator[Total]:
    if counters.multiply_adds or counters.tensor_products:
        yield Total("multiply-adds of warps", _multiply_adds(counters))
    if counters.loop:
        yield Total("integer instructions in the innermost loop", _integers(counters.loop))
    blocks = f"{counters.blocks:,}" + (f", of which {counters.working:,} compute" if counters.working else "")
    yield Total("blocks", blocks)


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


def _filled(advice: Advice) -> Iterator[Total]:
    if advice.waves is not None:
        yield Total("waves", f"{digits(advice.waves)} ({advice.device})")
    if advice.tail is not None:
        yield Total("idle in the last wave", f"{advice.tail:.0%} of the places for blocks")
