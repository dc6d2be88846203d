"""A speed that depends on values: noticed beyond the noise, and then the slower rounds count."""

from __future__ import annotations

from grader.timing.rounds import Samples
from grader.timing.speeds import measurement_of
from grader.timing.subjects import LIBRARY, SUBMISSION
from grader.timing.value_effect import SECONDS_THAT_SETTLE, settled, value_effect
from tests.report import examples

FAMILIES = ["balanced", "mixed-1", "real", "mixed-2"] * 3
SLOW = {"real": 1.5}


def samples(mine: dict[str, float], library: dict[str, float] | None = None, times: int = 1) -> dict[str, Samples]:
    families = FAMILIES * times

    def taken(factors: dict[str, float]) -> Samples:
        noise = [1 + 0.002 * (number % 5) for number in range(len(families))]
        seconds = [more * factors.get(family, 1.0) for more, family in zip(noise, families, strict=True)]
        return Samples(seconds, 10, families=list(families))

    return {SUBMISSION: taken(mine), LIBRARY: taken(library or {})}


def test_noise_is_no_effect() -> None:
    assert value_effect(samples({})) is None
    assert value_effect(samples({"real": 1.02})) is None


def test_the_slower_rounds_count() -> None:
    taken = samples(SLOW)
    effect = value_effect(taken)
    assert effect is not None
    assert effect.slower == {"real"}
    assert 1.48 < effect.ratio < 1.52
    mine, library = (measurement_of(name, examples.LARGE, taken) for name in (SUBMISSION, LIBRARY))
    assert mine.library_fraction is not None
    assert mine.library_fraction.median < 0.68
    assert (mine.rounds, library.rounds) == (3, 3)
    assert (mine.value_effect, library.value_effect) == (effect.ratio, None)


def test_an_effect_on_the_baseline_too_is_the_devices() -> None:
    assert value_effect(samples(SLOW, SLOW)) is None


def test_families_with_one_round_show_no_effect() -> None:
    taken = samples(SLOW)
    short = {name: Samples(of.seconds[:5], 5, families=of.families[:5]) for name, of in taken.items()}
    assert value_effect(short) is None


def test_rounds_that_another_process_disturbs_show_no_effect() -> None:
    taken = samples({})
    mine = taken[SUBMISSION]
    later = [number for number, family in enumerate(FAMILIES) if family == "real"][1:]
    for number in later:
        mine.seconds[number] *= 1.4
    assert value_effect(taken) is None


def test_an_effect_of_a_few_rounds_is_measured_again() -> None:
    taken, many = samples(SLOW), samples(SLOW, times=3)
    assert settled(samples({}), elapsed=1.0)
    assert not settled(taken, elapsed=1.0)
    assert settled(taken, elapsed=SECONDS_THAT_SETTLE)
    assert settled(many, elapsed=1.0)


def test_rounds_of_an_unknown_family_are_all_alike() -> None:
    assert value_effect({SUBMISSION: Samples([1.0, 2.0, 1.0, 2.0], 4)}) is None
