"""What earns the next points, criterion by criterion."""

from dataclasses import replace

from grader.model import Criterion, Report, Verdict
from grader.rubric.next_points import NextPoints, next_points
from tests.report import examples


def steps(report: Report) -> list[NextPoints]:
    return list(next_points(report))


def test_a_file_that_does_not_compile_needs_to_compile_first_and_to_be_correct():
    first, second = steps(examples.not_compiled())
    assert (first.points, first.how) == (10.0, "submit a file that compiles.")
    assert second.how.startswith("compute the correct C at N=256, N=1024.")


def test_a_wrong_answer_names_its_sizes_and_the_criteria_that_wait():
    results = (*examples.right(), examples.wrong(examples.LARGE, "repeated"))
    (step,) = steps(examples.report(results=results, measurements=()))
    assert step == NextPoints(
        "Correct answers",
        25.0,
        "compute the correct C at N=1024. Then “Speed-up”, “Fraction of cuBLAS” and “GFLOPS” count as well.",
    )


def test_each_undefined_behaviour_is_named_with_its_first_size():
    rubric = examples.rubric(criteria=(Criterion("defined", "No undefined behaviour", "defined", 10.0),))
    race = examples.failed(examples.SMALL, "checked", Verdict.DATA_RACE)
    results = (race, examples.failed(examples.LARGE, "first", Verdict.OUT_OF_BOUNDS))
    (step,) = steps(examples.report(rubric=rubric, results=results, measurements=()))
    assert (step.points, step.how) == (10.0, "remove the data race at N=256 and out of bounds at N=1024.")


def test_a_speed_needs_the_next_knot_of_its_curve():
    speedup, *_ = steps(examples.report())
    assert (speedup.title, speedup.points) == ("Speed-up", 10.0)
    assert speedup.how == "reach 5.00 times the naive kernel at N=1024; now it is 3.00 times the naive kernel."


def test_all_points_leave_no_step():
    fast = examples.measurement(speedup=5.0, fraction=1.0, gflops=1000.0)
    assert steps(examples.report(measurements=(fast,))) == []
    assert steps(replace(examples.report(), score=None)) == []


def test_a_criterion_that_cannot_be_measured_is_no_next_step():
    assert steps(examples.simulated()) == []
