from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model import CaseResult, Criterion, CriterionScore, Fault, Report, Shape, State, Verdict
from grader.rubric.score import NOT_HERE, score, share
from tests.report import examples
from tests.report.examples import LARGE, SMALL

finite = st.floats(-1e6, 1e6)
speeds = st.floats(0, 1e6)


@st.composite
def curves(draw: st.DrawFn) -> tuple[tuple[float, float], ...]:
    values = draw(st.lists(st.integers(-1000, 1000), min_size=2, max_size=6, unique=True))
    shares = draw(st.lists(st.floats(0, 1), min_size=len(values), max_size=len(values)))
    return tuple(zip(map(float, sorted(values)), sorted(shares), strict=True))


def of(report: Report, name: str) -> CriterionScore:
    return next(criterion for criterion in score(report).criteria if criterion.id == name)


def test_a_correct_kernel_earns_what_its_speed_earns_on_the_curves() -> None:
    whole = score(examples.report())
    assert [criterion.earned for criterion in whole.criteria] == [10.0, 50.0, 10.0, 7.5, 2.5]
    assert (whole.earned, whole.points, whole.not_measured) == (80.0, 100.0, 0.0)


def judged(*results: CaseResult, fault: Fault | None = None) -> CriterionScore:
    """The score of a criterion for kernels without undefined behaviour."""
    rubric = examples.rubric(criteria=(Criterion("defined", "No undefined behaviour", "defined", 10.0),))
    return score(examples.report(rubric=rubric, results=results, fault=fault)).criteria[0]


def test_undefined_behaviour_costs_its_own_points_even_where_it_is_tolerated() -> None:
    race = Fault(Verdict.DATA_RACE, "Line 3 writes what line 5 reads.", "Add a barrier.", 3)
    tolerated = replace(examples.ok(SMALL, "first"), tolerated=race)
    assert (judged(tolerated).earned, judged(tolerated).reason) == (0.0, "Data race at N=256.")
    for verdict in (Verdict.UNSET_MEMORY, Verdict.WARP_MASK, Verdict.OUT_OF_BOUNDS, Verdict.BARRIER):
        assert judged(examples.failed(SMALL, "first", verdict)).earned == 0.0


def test_a_kernel_without_undefined_behaviour_keeps_those_points_even_if_its_answers_are_wrong() -> None:
    assert judged(*examples.right()).earned == 10.0
    assert judged(examples.wrong(SMALL, "first")).earned == 10.0


def test_what_could_not_run_has_no_points_for_defined_behaviour_or_is_not_measured() -> None:
    assert judged(fault=Fault(Verdict.COMPILE_ERROR, "Line 3 does not compile.", "")).earned == 0.0
    assert judged(examples.failed(SMALL, "first", Verdict.NOT_SUPPORTED)).earned is None


def test_sizes_with_wrong_answers_lose_their_share_and_are_named() -> None:
    criterion = of(examples.report(results=(*examples.right()[:2], examples.wrong(LARGE, "second"))), "correct")
    assert criterion.earned == 25.0
    assert criterion.reason == "The answer is correct at 1 of 2 sizes; not at N=1024."


def test_one_wrong_family_makes_the_whole_size_wrong() -> None:
    results = (*examples.right(), examples.wrong(SMALL, "second"))
    assert of(examples.report(results=results), "correct").earned == 25.0


def test_a_wrong_kernel_earns_nothing_for_speed_and_is_shown_the_criterion_that_is_missing() -> None:
    criterion = of(examples.report(results=(*examples.right(), examples.wrong(SMALL, "second"))), "speedup")
    assert criterion.earned == 0.0
    assert criterion.reason.startswith("It counts once “Correct answers” is complete.")


def test_speed_that_requires_an_unmeasured_criterion_is_not_measured() -> None:
    results = (*examples.right(), examples.failed(SMALL, "repeated", Verdict.NOT_SUPPORTED))
    whole = score(examples.report(results=results))
    assert [criterion.earned for criterion in whole.criteria] == [10.0, None, None, None, None]
    assert whole.not_measured == 90.0


@pytest.mark.parametrize(("peak", "earned"), [(1000.0, 10.0), (2000.0, 5.0), (None, None)])
def test_a_fraction_of_the_peak_is_that_of_the_machine_and_open_where_it_is_unknown(peak, earned):
    curve = ((0.0, 0.0), (0.5, 1.0))
    criterion = Criterion("peak", "Fraction of the peak", "peak-fraction", 10.0, (LARGE,), curve)
    report = examples.report(rubric=examples.rubric(criteria=(criterion,)))
    assert of(replace(report, machine=replace(report.machine, peak_gflops=peak)), "peak").earned == earned


def test_a_size_that_is_only_timed_earns_its_speed_and_nothing_once_an_answer_elsewhere_is_wrong() -> None:
    huge = Shape(8192, 8192, 8192)
    criterion = Criterion("gflops", "GFLOPS", "gflops", 5.0, (huge,), ((0.0, 0.0), (1000.0, 1.0)))
    rubric = examples.rubric(criteria=(criterion,), timed_sizes=(LARGE, huge))
    timed = examples.report(rubric=rubric, measurements=(examples.measurement(huge),))
    assert of(timed, "gflops").earned == 2.5
    wrong = examples.report(rubric=rubric, results=(examples.wrong(SMALL, "second"),), measurements=())
    assert of(wrong, "gflops").earned == 0.0


@pytest.mark.parametrize(("run", "earned"), [("second", 0.0), ("timed", 2.5)])
def test_a_size_that_is_only_timed_earns_nothing_if_a_hidden_answer_is_wrong(run: str, earned: float) -> None:
    huge = Shape(8192, 8192, 8192)
    criterion = Criterion("gflops", "GFLOPS", "gflops", 5.0, (huge,), ((0.0, 0.0), (1000.0, 1.0)))
    rubric = examples.rubric(criteria=(criterion,), timed_sizes=(LARGE, huge))
    wrong = examples.failed(LARGE, run, Verdict.WRONG_ANSWER)
    report = examples.report(rubric=rubric, results=(wrong,), measurements=(examples.measurement(huge),))
    assert of(report, "gflops").earned == earned


def test_the_simulator_leaves_speed_open_and_never_says_zero() -> None:
    whole = score(examples.simulated())
    assert [criterion.earned for criterion in whole.criteria] == [10.0, 50.0, None, None, None]
    assert {criterion.reason for criterion in whole.criteria if criterion.earned is None} == {NOT_HERE}


def test_without_the_library_only_its_own_criterion_is_open() -> None:
    whole = score(examples.report(measurements=(replace(examples.measurement(), library_fraction=None),)))
    assert [criterion.id for criterion in whole.criteria if criterion.earned is None] == ["library"]


def test_a_size_that_was_not_timed_leaves_the_criterion_open() -> None:
    assert of(examples.report(measurements=()), "speedup").earned is None


def test_a_speed_that_is_not_a_number_earns_nothing_and_loses_nothing() -> None:
    assert of(examples.report(measurements=(examples.measurement(speedup=float("nan")),)), "speedup").earned is None


def test_a_file_that_does_not_compile_earns_nothing_at_all() -> None:
    whole = score(examples.not_compiled())
    assert [criterion.earned for criterion in whole.criteria] == [0.0] * 5
    assert whole.criteria[0].reason == "Line 3 does not compile."


def test_a_machine_without_a_compiler_costs_no_points() -> None:
    whole = score(examples.broken_machine())
    assert (whole.earned, whole.not_measured) == (0.0, 100.0)


def test_a_size_skipped_after_a_failure_is_lost() -> None:
    results = (examples.failed(SMALL, "second", Verdict.TIMEOUT), examples.failed(LARGE, "second", Verdict.SKIPPED))
    assert of(examples.report(results=results), "correct").earned == 0.0


def test_a_size_skipped_for_no_fault_of_the_submission_is_not_measured() -> None:
    results = (examples.ok(SMALL, "second"), examples.failed(LARGE, "second", Verdict.SKIPPED))
    assert of(examples.report(results=results, state=State.INTERRUPTED), "correct").earned is None


def test_an_impossible_rate_earns_nothing_at_its_size() -> None:
    sentence = "N=1024 ran faster than the device can."
    result = examples.failed(LARGE, "timed", Verdict.IMPOSSIBLE_RATE, sentence)
    report = examples.report(results=(*examples.right(), result), rubric=_without_gates())
    assert of(report, "speedup").earned == 0.0
    assert "because N=1024 ran faster than the device can" in of(report, "speedup").reason


def test_speed_is_the_average_over_the_criterions_sizes() -> None:
    gates = _without_gates()
    criteria = tuple(replace(criterion, sizes=(SMALL, LARGE)) for criterion in gates.criteria)
    measurements = (examples.measurement(SMALL, speedup=1.0), examples.measurement(LARGE, speedup=5.0))
    report = examples.report(rubric=replace(gates, criteria=criteria), measurements=measurements)
    assert of(report, "speedup").earned == 10.0


@pytest.mark.parametrize(
    ("value", "expected"), [(0.0, 0.0), (1.0, 0.0), (2.0, 0.25), (4.0, 0.75), (5.0, 1.0), (9.0, 1.0)]
)
def test_a_curve_is_linear_between_its_points_and_constant_outside(value: float, expected: float) -> None:
    assert share(examples.CURVE, value) == expected


@given(curves(), finite, finite)
def test_faster_never_earns_less(curve: tuple[tuple[float, float], ...], first: float, other: float) -> None:
    assert share(curve, min(first, other)) <= share(curve, max(first, other))


@given(curves(), finite)
def test_a_share_lies_within_the_curve(curve: tuple[tuple[float, float], ...], value: float) -> None:
    assert curve[0][1] <= share(curve, value) <= curve[-1][1]


@given(curves(), finite, st.floats(-1, 1))
def test_a_small_change_of_speed_changes_the_share_by_little(
    curve: tuple[tuple[float, float], ...], value: float, change: float
) -> None:
    steepest = max((high - low) / (right - left) for (left, low), (right, high) in pairwise(curve))
    moved = value + change
    assert abs(share(curve, moved) - share(curve, value)) <= steepest * abs(moved - value) + 1e-9


@given(speeds, speeds, speeds)
def test_points_lie_between_zero_and_the_whole(speedup: float, fraction: float, gflops: float) -> None:
    measured = examples.measurement(speedup=speedup, fraction=fraction, gflops=max(gflops, 1e-3))
    whole = score(examples.report(measurements=(measured,)))
    assert all(
        0 <= criterion.earned <= criterion.points for criterion in whole.criteria if criterion.earned is not None
    )
    assert 0 <= whole.earned <= whole.points


@given(st.lists(st.sampled_from(Verdict), max_size=6), st.sampled_from([examples.report, examples.simulated]))
def test_an_unmeasured_criterion_is_never_full(verdicts: list[Verdict], made: Any) -> None:
    results = tuple(_result(index, verdict) for index, verdict in enumerate(verdicts))
    whole = score(made(results=results))
    open_points = sum(criterion.points for criterion in whole.criteria if criterion.earned is None)
    assert whole.not_measured == open_points
    assert whole.earned <= whole.points - open_points


@given(st.permutations(examples.right()), st.permutations([SMALL, LARGE]))
def test_the_order_of_results_does_not_matter(results: list[Any], shapes: list[Shape]) -> None:
    measured = tuple(examples.measurement(shape, speedup=shape.N / 256) for shape in shapes)
    straight = tuple(examples.measurement(shape, speedup=shape.N / 256) for shape in (SMALL, LARGE))
    shuffled = examples.report(results=tuple(results), measurements=measured)
    assert shuffled.score == score(examples.report(measurements=straight))


def _result(index: int, verdict: Verdict) -> Any:
    shape = (SMALL, LARGE)[index % 2]
    return examples.ok(shape, "second") if verdict is Verdict.OK else examples.failed(shape, "second", verdict)


def _without_gates() -> Any:
    rubric = examples.rubric()
    return replace(rubric, criteria=tuple(replace(criterion, requires=()) for criterion in rubric.criteria))
