from dataclasses import replace
from pathlib import Path

import pytest

from grader.batch.intake.collect import OPENED_ARE
from grader.batch.intake.source_entry import Submission
from grader.batch.present import progress
from grader.batch.present.progress import Pace
from grader.batch.results.names import Identity, identifiers
from grader.batch.results.reuse import Action, Fingerprint
from grader.batch.run.engine import FinishedTask
from grader.batch.run.tasks import Task
from grader.model import Verdict
from tests.batch.present import class_rows
from tests.report import examples


def done(action: Action = Action.GRADE) -> FinishedTask:
    submission = Submission("ada", content=b"a kernel")
    return FinishedTask(
        Task(submission, Fingerprint("", ""), action, Path("results/ada"), None, None), examples.report()
    )


def test_submissions_slower_than_half_a_minute_have_an_estimate_until_the_last():
    pace = Pace(0.0, 0.0).after(done(), 42.0).after(done(), 84.0)
    assert (pace.left(17), pace.left(0)) == ("about 12 min left", "")


def test_kept_results_do_not_count_for_the_pace():
    kept = Pace(0.0, 0.0).after(done(Action.KEEP), 1.0).after(done(Action.SCORE), 100.0)
    assert kept.left(10) == ""
    assert kept.after(done(), 160.0).left(10) == "about 10 min left"


def test_the_line_of_a_student_ends_with_the_estimate():
    assert progress.line(done(), 3, 20, "about 12 min left").plain.endswith("; about 12 min left")
    assert progress.line(done(), 20, 20).plain == "[20/20] ada: 80.0 / 100"


@pytest.mark.parametrize(
    ("students", "said"),
    [
        (1, "1 other student keeps the results of an earlier run."),
        (3, "3 other students keep the results of an earlier run."),
    ],
)
def test_students_of_an_earlier_run_are_counted(students: int, said: str):
    rows = [class_rows.row("ada", None)] * students
    assert said in list(progress.summary([], [], rows))


def test_kernels_of_most_that_the_rubric_cannot_call_raise_the_question_of_the_rubric():
    other = examples.not_compiled()
    other = replace(other, fault=replace(other.fault, verdict=Verdict.WRONG_SIGNATURE))
    asked = "2 of 3 cannot be called as the rubric says. Is it the right one for them?"
    wrong, rows = class_rows.row("c", class_rows.wrong()), [class_rows.row(name, other) for name in "ab"]
    assert asked in list(progress.summary([*rows, wrong], [], []))
    assert not any("cannot be called" in line for line in progress.summary([wrong, wrong, *rows], [], []))


def test_a_long_reason_why_nothing_is_graded_is_not_cut():
    problem = f"There is no .cu file, only {'long' * 15}.zip. {OPENED_ARE}"
    assert progress.refused(Submission("ada", problem=problem)).plain == f"ada: {problem}"


def test_a_student_has_the_name_of_the_source_unless_others_have_it_too():
    folders = identifiers(["gül"] * 2)
    first, second = (Submission(folder, problem="Why.", identity=Identity("gül")) for folder in folders)
    assert progress.refused(first).plain == "gül: Why."
    assert progress.refused(second).plain == f"{second.student}: Why."


def test_there_is_an_estimate_before_the_first_result():
    pace = Pace(0.0, 0.0)
    assert pace.left(40, guess=2.5) == "about 2 min left"
    assert pace.after(done(), 60.0).left(10, guess=2.5) == "about 10 min left"


@pytest.mark.parametrize(
    ("workers", "said"),
    [
        ({}, "starting workers"),
        ({"ada": "worker 1", "ben": "worker 2"}, "grading ada, ben"),
        (
            {"ada": "GPU 1, worker 3", "ben": "GPU 0, worker 1", "cyd": "GPU 0, worker 2"},
            "grading ben, cyd on GPU 0; ada on GPU 1",
        ),
    ],
)
def test_who_is_being_graded_is_named_with_the_gpu(workers: dict[str, str], said: str):
    assert progress.being_graded(workers) == said


def test_submissions_that_are_being_graded_count_as_half_graded():
    """The first of sixteen that began together is graded after 5 s: the others are not at their beginning."""
    assert Pace(0.0, 0.0).after(done(), 5.0).left(63, running=15) == "about 33 s left"
    assert Pace(0.0, 0.0).after(done(), 60.0).left(1, running=1) == "about 20 s left"
