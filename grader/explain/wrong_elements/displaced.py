"""Elements of C that hold, or include, the value of another element or of an earlier launch. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from grader.comparison.compare import Exact
from grader.comparison.expectation import exact_result
from grader.contract.inputs import RUNS, draw
from grader.explain.wrong_elements.evidence import TOLERANCE, Evidence, Hypothesis, Indices, wrong_numbers

MOSTLY = 0.9  # of the sample must be the value of an element
LEAST = 8  # elements of the sample: fewer prove nothing
DISTINCT = 0.8  # of the elements of C must differ, or a value says nothing of its place
FEW = 0.25  # different values, as a share of those that there should be
REGULAR = 0.8  # of the elements that are at one distance

SHARED = "Many elements hold the same value: does each of them have a sum of its own?"
ONE_FOR_ALL = f"{SHARED} A variable in shared or global memory is one for all threads."
LANES = (
    f"{SHARED} Each also needs factors of its own: the lane of a shuffle counts the threads of a warp along x first, "
    "(threadIdx.x + blockDim.x * threadIdx.y) % 32."
)
ROUNDING = 2.0**-20  # of the earlier result: what float32 loses when a smaller sum is added to it
HINT = (
    "Each of these also includes the result of an earlier launch: a sum in global memory keeps its value. Set it to "
    "zero in the kernel, or keep it in a variable of the thread."
)


@dataclass(frozen=True, slots=True)
class _Places:
    """For each element of the sample, another one of C with its value: numbers in row order, -1 without any."""

    own: Indices
    other: Indices
    width: int
    counted: int  # elements of the sample with a value to look for, which zero is not

    @property
    def known(self) -> bool:
        return bool(np.count_nonzero(self.other >= 0) >= max(LEAST, MOSTLY * self.counted))


def displaced(e: Evidence) -> Iterator[Hypothesis]:
    """The hypotheses that wrong elements share one value, hold the values of others, or include them."""
    if _shared(e):
        uses = e.trial.uses
        yield Hypothesis(LANES if uses.shuffles and not uses.shared_memory else ONE_FOR_ALL, _shared)
    places = _places(e, e.got)
    if places.known:
        yield Hypothesis(_held(places), lambda other: _places(other, other.got).known)
    places = _places(e, _excess(e))
    if places.known:
        yield Hypothesis(_included(places), lambda other: _places(other, _excess(other)).known)


def _shared(e: Evidence) -> bool:
    """Whether the wrong elements, none of them zero, have few values where they should have many."""
    places = wrong_numbers(e.comparison, e.comparison.got.size)
    values, want = e.comparison.got[places], e.comparison.want[places]
    return values.size >= LEAST and bool(values.all()) and _distinct(values) <= FEW * _distinct(want)


def _distinct(values: Exact) -> int:
    """How many different values there are; sorting takes a tenth of the time of `np.unique`."""
    return int(np.count_nonzero(np.diff(np.sort(values)))) + 1


def _excess(e: Evidence) -> Exact:
    return np.asarray(e.got - e.comparison.want[e.rows, e.columns])


def _places(e: Evidence, values: Exact) -> _Places:
    """Where C has these values, apart from zero; of several places the last in row order."""
    want = e.comparison.want.reshape(-1)
    own = e.rows * e.comparison.want.shape[1] + e.columns
    order = np.argsort(want, kind="stable")
    ascending = want[order]
    if np.count_nonzero(np.diff(ascending)) < DISTINCT * want.size:
        return _Places(own, np.full(own.size, -1), e.comparison.want.shape[1], own.size)
    slack = 0.0 if e.exact else TOLERANCE * np.abs(e.terms).sum(1)
    place = np.searchsorted(ascending, values + slack, side="right") - 1
    other = order[np.maximum(place, 0)]
    near = (place >= 0) & (np.abs(want[other] - values) <= slack) & (values != 0)
    return _Places(own, np.where(near, other, -1), e.comparison.want.shape[1], int(np.count_nonzero(values)))


def _held(places: _Places) -> str:
    where = _distance(places)
    if where:
        return (
            f"Each of these holds the correct value of the element {where}: check row and col in the store, and which "
            "elements of A and B are multiplied for it."
        )
    return (
        f"These hold the correct values of other elements: {_example(places, 'holds')}. The sums are correct but "
        "stored in the wrong places: compare the row and column that a thread computes with those that it stores to."
    )


def _included(places: _Places) -> str:
    where = _distance(places)
    if where:
        return f"Each of these also includes the sum of the element {where}: reset the sum for each element."
    return (
        f"Each of these also includes the sum of another element: {_example(places, 'includes')}. "
        "Does each element have a sum of its own, which starts at zero?"
    )


def _example(places: _Places, verb: str) -> str:
    at = int(np.flatnonzero(places.other >= 0)[0])
    own, other = (divmod(int(number), places.width) for number in (places.own[at], places.other[at]))
    return f"C[{own[0]}][{own[1]}] {verb} the value of C[{other[0]}][{other[1]}]"


def _distance(places: _Places) -> str:
    """The distance that most of the elements have from the other one, in words."""
    known = places.other >= 0
    down = places.other[known] // places.width - places.own[known] // places.width
    right = places.other[known] % places.width - places.own[known] % places.width
    distance, count = Counter(zip(down.tolist(), right.tolist(), strict=True)).most_common(1)[0]
    if count < REGULAR * down.size or not any(distance):
        return ""
    words = [
        f"{abs(steps)} {name}{'s' if abs(steps) > 1 else ''} {after if steps > 0 else before}"
        for steps, name, before, after in ((distance[0], "row", "above", "below"),
                                           (distance[1], "column", "to the left", "to the right"))
        if steps
    ]  # fmt: skip
    return " and ".join(words)


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
