import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model import Interval, Shape, Timing
from grader.timing import statistics

RULE = Timing(seconds_per_size=1.0, relative_width=0.01, min_rounds=7, max_rounds=60)
NARROW, WIDE = Interval(100.0, 99.5, 100.5), Interval(100.0, 95.0, 105.0)
SHAPE = Shape(1000, 1000, 1000)


@pytest.mark.parametrize(("count", "rank"), [(6, 1), (7, 1), (8, 1), (9, 2), (10, 2), (15, 4), (20, 6), (25, 8)])
def test_the_interval_is_the_textbook_pair_of_order_statistics(count: int, rank: int) -> None:
    interval = statistics.interval([float(i) for i in range(count, 0, -1)])
    assert (interval.low, interval.high) == (rank, count + 1 - rank)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_few_samples_give_their_extremes(count: int) -> None:
    interval = statistics.interval([float(i) for i in range(count)])
    assert (interval.low, interval.high) == (0, count - 1)


@pytest.mark.parametrize("count", [6, 7, 10, 15, 20, 40])
@pytest.mark.parametrize("skewed", [False, True], ids=["uniform", "long tail"])
def test_the_interval_holds_the_true_median_in_95_of_100_experiments(count: int, skewed: bool) -> None:
    rng = np.random.default_rng(count)
    samples = rng.random((4000, count))
    truth = 0.5
    if skewed:
        samples, truth = np.exp(4 * samples), np.exp(2)
    intervals = [statistics.interval(list(row)) for row in samples]
    assert np.mean([interval.low <= truth <= interval.high for interval in intervals]) >= 0.945


@given(st.lists(st.floats(1e-6, 1e3), min_size=1, max_size=60))
def test_the_median_lies_in_its_interval_and_the_interval_in_the_samples(samples: list[float]) -> None:
    interval = statistics.interval(samples)
    assert min(samples) <= interval.low <= interval.median <= interval.high <= max(samples)


def test_gflops_count_a_multiplication_and_an_addition() -> None:
    assert statistics.gflops(SHAPE, [1.0, 2.0, 4.0]).median == 1.0


def test_a_disturbed_round_cancels_in_a_ratio() -> None:
    assert statistics.ratio([2.0, 20.0, 2.0], [1.0, 10.0, 1.0]) == Interval(2.0, 2.0, 2.0)


def test_ratios_need_equal_rounds() -> None:
    with pytest.raises(ValueError, match="shorter"):
        statistics.ratio([1.0, 2.0], [1.0])


ROUNDS = {
    "too few rounds": ([NARROW], 6, 0.0, [()], False),
    "narrow": ([NARROW], 7, 0.0, [()], True),
    "one of two is wide": ([NARROW, WIDE], 7, 0.0, [(), ()], False),
    "knots outside": ([NARROW], 7, 0.0, [(90.0, 110.0)], True),
    "a knot inside": ([NARROW], 7, 0.0, [(100.2,)], False),
    "a knot at the end": ([NARROW], 7, 0.0, [(99.5,)], True),
    "a knot inside, budget spent": ([NARROW], 7, 1.0, [(100.2,)], True),
    "wide, all rounds done": ([WIDE], 60, 0.0, [()], True),
    "wide, budget spent": ([WIDE], 7, 1.0, [()], True),
    "too few rounds, budget spent": ([WIDE], 6, 9.0, [()], False),
}


@pytest.mark.parametrize(("intervals", "rounds", "elapsed", "knots", "stop"), ROUNDS.values(), ids=ROUNDS)
def test_when_to_stop(intervals, rounds, elapsed, knots, stop):
    assert statistics.enough(intervals, rounds, elapsed, RULE, knots) is stop


@given(st.integers(7, 200), st.floats(0, 100), st.booleans())
def test_measuring_always_ends(rounds: int, elapsed: float, narrow: bool) -> None:
    intervals = [NARROW if narrow else WIDE]
    if rounds >= RULE.max_rounds or elapsed >= RULE.seconds_per_size:
        assert statistics.enough(intervals, rounds, elapsed, RULE, [(100.0,)])


def test_relative_width_is_half_of_the_interval() -> None:
    assert statistics.relative_width(WIDE) == 0.05
