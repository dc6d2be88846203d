"""Sums that continue from the result of an earlier launch of the same worker. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from grader.comparison.expectation import exact_result
from grader.contract.inputs import FAMILIES, draw
from grader.explain.wrong_elements.evidence import TOLERANCE, Evidence, Hypothesis

ROUNDING = 2.0**-20  # of the earlier result: what float32 loses when a smaller sum is added to it
HINT = (
    "Each of these also includes the result of an earlier launch: a sum in global memory keeps its value. Set it to "
    "zero in the kernel, or keep it in a variable of the thread."
)


def earlier_launches(e: Evidence) -> Iterator[Hypothesis]:
    """Yield the hypothesis that results of the families before this one are part of the result."""
    if _includes_earlier(e):
        yield Hypothesis(HINT, _includes_earlier)


def _includes_earlier(e: Evidence) -> bool:
    case, interface = e.trial.case, e.trial.interface
    before = FAMILIES[: FAMILIES.index(case.family)] if case.family in FAMILIES else ()
    if not before:
        return False
    results = [e.values(exact_result(draw(replace(case, family=name), interface), interface)) for name in before]
    off = np.abs(e.got - e.values(e.comparison.want) - np.sum(results, 0))
    allowed = ROUNDING * np.abs(results).sum(0) + TOLERANCE * np.abs(e.terms).sum(1)
    return bool((off <= allowed).all()) and bool(np.any(results))
