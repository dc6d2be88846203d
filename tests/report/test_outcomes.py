"""Every view and format tells a wrong kernel, one that cannot be graded here and a grader error apart."""

import base64
import csv
import html
import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.console import Console

from grader.batch.present.class_files import class_junit
from grader.batch.present.class_page import class_page
from grader.batch.present.gradebook import gradebook
from grader.batch.present.progress import summary as class_summary
from grader.batch.present.student_summary import StudentResult, comparable
from grader.cli import grading, terminal
from grader.errors import InfrastructureError, NotGradableHereError
from grader.export import (
    autolab,
    classroom50,
    feedback,
    github_actions,
    github_classroom,
    gradescope,
    points,
    prairielearn,
)
from grader.model import Backend, Report, State
from grader.report import junit
from grader.report.html import page
from grader.rubric.outcome import GradeOutcome, grade, next_step, outcome
from grader.rubric.score import score
from tests.batch.present import class_rows
from tests.export import grades
from tests.report import examples

SUBMITTED = {"submission": "s", "commit": "https://x", "datetime": "2025-03-01T08:30:00Z"}


def terminal_text(report: Report) -> str:
    shown = Console(width=200, file=io.StringIO(), highlight=False)
    shown.print(terminal.summary(report))
    shown.print(terminal.verdict_only(report))
    text: str = shown.file.getvalue()  # type: ignore[attr-defined]
    return text


def of_class(report: Report) -> list[StudentResult]:
    return [class_rows.row("ada", report)]


VIEWS: dict[str, Callable[[Report], str]] = {
    "terminal": terminal_text,
    "page": page.render,
    "junit": lambda report: junit.render(report, junit.Dialect("ci")),
    "class junit": lambda report: class_junit(of_class(report), junit.Dialect("ci")),
    "class page": lambda report: class_page(of_class(report)),
    "gradebook": lambda report: gradebook(of_class(report)),
    "feedback": feedback.explanation,
    "autolab": autolab.render,
    "prairielearn": prairielearn.render,
    "github annotations": lambda report: github_actions.annotated(report, "x.cu"),
    "github summary": github_actions.summary,
    "github classroom": lambda report: base64.b64decode(github_classroom.encoded(report)).decode(),
}


def wrong() -> Report:
    return grades.wrong_on_simulator()


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (grades.right_and_fast, GradeOutcome.CORRECT),
        (wrong, GradeOutcome.WRONG),
        (examples.not_compiled, GradeOutcome.WRONG),
        (grades.not_for_the_simulator, GradeOutcome.NOT_HERE),
        (examples.broken_machine, GradeOutcome.GRADER_ERROR),
    ],
)
def test_each_outcome_has_its_name_and_status(report: Callable[[], Report], expected: GradeOutcome):
    assert outcome(report()) is expected
    statuses = {GradeOutcome.CORRECT: 0, GradeOutcome.WRONG: 1, GradeOutcome.GRADER_ERROR: 3, GradeOutcome.NOT_HERE: 4}
    assert grading.status(report()) == statuses[expected]
    assert bool(next_step(report())) is (expected is not GradeOutcome.CORRECT)


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_gives_the_next_step_of_what_cannot_be_graded_here(view: str):
    shown = html.unescape(VIEWS[view](grades.not_for_the_simulator()))
    assert "Grade it on a GPU." in shown
    assert "when the cause is fixed" not in shown
    assert "--retry infrastructure" not in shown


@pytest.mark.parametrize("view", sorted(VIEWS.keys() - {"terminal", "class junit"}))  # the command adds it
def test_a_view_gives_the_next_step_after_a_grader_error(view: str):
    shown = html.unescape(VIEWS[view](examples.broken_machine()))
    expected = "--retry infrastructure" if view in {"class page", "gradebook"} else "when the cause is fixed"
    assert expected in shown
    assert "GPU." not in shown


@pytest.mark.parametrize("view", sorted(VIEWS.keys() - {"github classroom"}))  # whose reporter shows scores only
def test_a_view_gives_the_next_step_of_a_wrong_kernel(view: str):
    assert "Look again." in html.unescape(VIEWS[view](wrong()))


def test_exports_that_hold_a_score_tell_the_states_apart():
    for render in (gradescope.render, lambda report: classroom50.render(report, SUBMITTED)):
        with pytest.raises(NotGradableHereError, match="Grade it on a GPU"):
            render(grades.not_for_the_simulator())
        with pytest.raises(InfrastructureError, match="when the cause is fixed") as error:
            render(examples.broken_machine())
        assert not isinstance(error.value, NotGradableHereError)


def test_outputs_for_github_name_the_outcome():
    for report in (wrong(), grades.not_for_the_simulator(), examples.broken_machine()):
        assert f"outcome={outcome(report)}\n" in github_actions.outputs(report)


def test_what_cannot_be_graded_here_has_no_points_anywhere():
    report = grades.not_for_the_simulator()
    assert grade(report) is None
    (line,) = csv.DictReader(io.StringIO(gradebook(of_class(report)).removeprefix("\ufeff")))
    assert (line["state"], line["earned"], line["points"]) == ("cannot be graded here", "", "")
    assert "0 / 0" not in class_page(of_class(report))
    assert "No grade yet" in page.render(report)
    assert "total" not in terminal_text(report)


def test_what_cannot_be_graded_here_does_not_pull_the_median_down():
    rows = [*of_class(grades.on_simulator()), *of_class(grades.not_for_the_simulator())]
    told = " ".join(class_summary(rows, [], []))
    assert "Median 60.0 of 60 points." in told
    assert "1 cannot be graded on this machine." in told
    assert "Their kernels may be correct." in told
    assert "--retry" not in told


@pytest.mark.parametrize(
    ("correct", "others"),
    [
        (grades.on_simulator, [grades.wrong_on_simulator, lambda: examples.simulated(
            build=None, fault=examples.not_compiled().fault, results=())]),
        (grades.right_and_fast, [grades.wrong, examples.not_compiled]),
    ],
)  # fmt: skip
def test_all_students_on_one_kind_of_machine_have_one_maximum(correct, others):
    maxima = {points.maximum(report()) for report in (correct, *others)}
    assert len(maxima) == 1
    scores = [grade(report()) for report in (correct, *others)]
    assert {score.points - score.not_measured for score in scores if score} == maxima
    assert len(comparable(score for score in scores if score)) == len(scores)
    for view in ("terminal", "page", "class page"):
        (maximum,) = maxima
        assert all(f"{maximum:g}" in VIEWS[view](report()) for report in (correct, *others))


def test_a_wrong_kernel_is_not_out_of_more_where_the_peak_is_unknown():
    machine = replace(examples.report().machine, peak_gflops=None)
    criteria = tuple(
        replace(criterion, kind="peak-fraction") if criterion.id == "gflops" else criterion
        for criterion in examples.rubric().criteria
    )
    lab = examples.rubric(criteria=criteria)
    right, bad = (replace(report, machine=machine, rubric=lab) for report in (grades.right_and_fast(), grades.wrong()))
    assert score(right).not_measured == score(bad).not_measured == 5.0
    assert machine.backend is Backend.CUDA


def test_only_scores_out_of_the_same_points_are_compared():
    cuda, simulated = grade(grades.right_and_fast()), grade(grades.on_simulator())
    assert cuda is not None
    assert simulated is not None
    assert comparable([cuda, simulated]) == [cuda]


def test_an_interrupted_run_is_neither_wrong_nor_a_grader_error():
    assert outcome(examples.report(state=State.INTERRUPTED)) is GradeOutcome.UNFINISHED
