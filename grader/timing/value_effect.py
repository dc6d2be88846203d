"""Whether a kernel's speed depends on the values of its inputs, and which rounds count if it does. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from grader.timing.rounds import Samples
from grader.timing.subjects import LIBRARY, NAIVE, SUBMISSION

LEAST_EFFECT = 1.05  # slowest over fastest: five times the spread of rounds on an H200 (docs/measurements.md)
LEAST_ROUNDS = 2  # of each family
ROUNDS_THAT_SETTLE = 8  # of each family: two are often both disturbed, eight hardly ever all
SECONDS_THAT_SETTLE = 10.0  # after which fewer are enough: rounds of large sizes take long, and differ less


@dataclass(frozen=True, slots=True)
class ValueEffect:
    """The submission's time with the slowest family relative to the fastest, and the names of the slower families."""

    ratio: float
    slower: frozenset[str]


def value_effect(samples: Mapping[str, Samples]) -> ValueEffect | None:
    """Return the effect on the submission; None if its times with all families are alike.

    The shortest time of each family counts, because every disturbance makes a round longer. It is divided by that of a
    baseline with the same family, because values affect a baseline too: zeros need less power, so that the clock of a
    device at its power limit rises.
    """
    mine, below = _by_family(samples.get(SUBMISSION, Samples())), _baseline_by_family(samples)
    if not mine or any(len(times) < LEAST_ROUNDS for times in mine.values()):
        return None
    shortest = {family: min(times) / min(below.get(family, [1.0])) for family, times in mine.items()}
    slow, fast = max(shortest, key=shortest.__getitem__), min(shortest, key=shortest.__getitem__)
    ratio = shortest[slow] / shortest[fast]
    if ratio < LEAST_EFFECT or min(mine[slow]) <= median(mine[fast]):
        return None
    return ValueEffect(ratio, frozenset(name for name in shortest if shortest[name] * LEAST_EFFECT > shortest[slow]))


def settled(samples: Mapping[str, Samples], elapsed: float) -> bool:
    """Whether the rounds suffice to tell an effect from chance. `elapsed` is the seconds of all rounds."""
    rounds = min((len(times) for times in _by_family(samples.get(SUBMISSION, Samples())).values()), default=0)
    return rounds >= ROUNDS_THAT_SETTLE or elapsed >= SECONDS_THAT_SETTLE or value_effect(samples) is None


def with_families(samples: Mapping[str, Samples], families: frozenset[str]) -> dict[str, Samples]:
    """The rounds with inputs of these families; all rounds of a subject that has none of them."""
    return {name: _part(of, [family in families for family in of.families]) for name, of in samples.items()}


def _baseline_by_family(samples: Mapping[str, Samples]) -> dict[str, list[float]]:
    """The seconds of a baseline that was timed in the same rounds, by family; empty if there is none."""
    timed = [samples[name] for name in (LIBRARY, NAIVE) if name in samples and not samples[name].kept]
    return _by_family(timed[0]) if timed else {}


def _by_family(samples: Samples) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {}
    for family, seconds in zip(samples.families, samples.seconds, strict=False):
        times.setdefault(family, []).append(seconds)
    return times


def _part(samples: Samples, chosen: Sequence[bool]) -> Samples:
    seconds = [value for value, counts in zip(samples.seconds, chosen, strict=False) if counts]
    families = [value for value, counts in zip(samples.families, chosen, strict=False) if counts]
    return replace(samples, seconds=seconds, families=families) if seconds else samples
