"""Whether a kernel's speed depends on the values of its inputs, and which rounds count then. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from grader.timing.rounds import Samples
from grader.timing.subjects import LIBRARY, NAIVE, SUBMISSION

LEAST_EFFECT = 1.05  # of slow over fast: five times what rounds differ by on an H200 (docs/measurements.md)
LEAST_ROUNDS = 2  # of each family


@dataclass(frozen=True, slots=True)
class ValueEffect:
    """How much slower the submission is with the slowest family than with the fastest, and the slower families."""

    ratio: float
    slower: frozenset[str]


def value_effect(samples: Mapping[str, Samples]) -> ValueEffect | None:
    """The effect on the submission; None if its times in all families are alike.

    Times are compared with those of a baseline in the same rounds, on which values have an effect too: zeros need less
    power, so that the clock of a device at its power limit rises.
    """
    times = _by_family(samples)
    if not times or any(len(values) < LEAST_ROUNDS for values in times.values()):
        return None
    typical = {family: median(values) for family, values in times.items()}
    slow, fast = max(typical, key=typical.__getitem__), min(typical, key=typical.__getitem__)
    ratio = typical[slow] / typical[fast]
    if ratio < LEAST_EFFECT or min(times[slow]) <= max(times[fast]):
        return None
    return ValueEffect(ratio, frozenset(name for name in typical if typical[name] * LEAST_EFFECT > typical[slow]))


def with_families(samples: Mapping[str, Samples], families: frozenset[str]) -> dict[str, Samples]:
    """The rounds with inputs of these families."""
    return {name: _part(of, [family in families for family in of.families]) for name, of in samples.items()}


def _by_family(samples: Mapping[str, Samples]) -> dict[str, list[float]]:
    mine = samples.get(SUBMISSION, Samples())
    baseline = next((samples[name] for name in (LIBRARY, NAIVE) if name in samples and not samples[name].kept), None)
    below: Sequence[float] = baseline.seconds if baseline else [1.0] * len(mine.seconds)
    times: dict[str, list[float]] = {}
    for family, seconds, unit in zip(mine.families, mine.seconds, below, strict=False):
        times.setdefault(family, []).append(seconds / unit)
    return times


def _part(samples: Samples, chosen: Sequence[bool]) -> Samples:
    seconds = [value for value, counts in zip(samples.seconds, chosen, strict=False) if counts]
    families = [value for value, counts in zip(samples.families, chosen, strict=False) if counts]
    return replace(samples, seconds=seconds, families=families) if seconds else samples
