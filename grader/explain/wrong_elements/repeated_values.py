"""Elements of C that share one value, or include that of an earlier launch. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from grader.comparison.compare import Exact
from grader.comparison.expectation import exact_result
from grader.contract.inputs import RUNS, draw
from grader.explain.wrong_elements.evidence import TOLERANCE, Evidence, Hypothesis, wrong_numbers

LEAST = 8  # elements: fewer prove nothing
FEW = 0.25  # different values, as a share of those that there should be

SHARED = "Many elements hold the same value: does each of them have a sum of its own?"
ONE_FOR_ALL = f"{SHARED} A variable in shared memory is one for all threads of a block."
LANES = (
    f"{SHARED} Each also needs factors of its own: the lane of a shuffle counts the threads of a warp along x first, "
    "(threadIdx.x + blockDim.x * threadIdx.y) % 32."
)
ROUNDING = 2.0**-20  # of the earlier result: what float32 loses when a smaller sum is added to it
HINT = (
    "Each of these also includes the result of an earlier launch: a sum in global memory keeps its value. Set it to "
    "zero in the kernel, or keep it in a variable of the thread."
)


def one_for_all(e: Evidence) -> Iterator[Hypothesis]:
    """The hypothesis that wrong elements share one value."""
    if _shared(e):
        uses = e.trial.uses
        yield Hypothesis(ONE_FOR_ALL if uses.shared_memory else LANES if uses.shuffles else SHARED, _shared)


def _shared(e: Evidence) -> bool:
    """Whether the wrong elements, none of them zero, have few values where they should have many."""
    places = wrong_numbers(e.comparison, e.comparison.got.size)
    values, want = e.comparison.got[places], e.comparison.want[places]
    return values.size >= LEAST and bool(values.all()) and _distinct(values) <= FEW * _distinct(want)


def _distinct(values: Exact) -> int:
    """How many different values there are; sorting takes a tenth of the time of `np.unique`."""
    return int(np.count_nonzero(np.diff(np.sort(values)))) + 1


def earlier_launches(e: Evidence) -> Iterator[Hypothesis]:
    """Yield the hypothesis that the result of the run before this one is part of the result."""
    if _includes_earlier(e):
        yield Hypothesis(HINT, _includes_earlier)


def _includes_earlier(e: Evidence) -> bool:
    case, interface = e.trial.case, e.trial.interface
    before = RUNS[: RUNS.index(case.run)] if case.run in RUNS else ()
    if not before:
        return False
    results = [e.values(exact_result(draw(replace(case, run=name), interface), interface)) for name in before]
    off = np.abs(e.got - e.values(e.comparison.want) - np.sum(results, 0))
    allowed = ROUNDING * np.abs(results).sum(0) + TOLERANCE * np.abs(e.terms).sum(1)
    return bool((off <= allowed).all()) and bool(np.any(results))
