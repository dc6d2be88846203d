"""The attempts of a student: kept, bounded, listed, compared and exported."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.batch.results import attempts, class_folder, student_folder
from grader.batch.results.attempts import KeptAttempt
from grader.batch.results.names import folder_name
from grader.batch.results.reuse import Fingerprint, Result
from grader.cli import main
from grader.errors import InfrastructureError
from grader.judge.conditions import GradePlan
from grader.model import Backend, Criterion, Report
from grader.report.changes import changes
from grader.rubric.score import score
from tests.batch.present import class_rows
from tests.report import examples


def graded(day: int, report: Report | None = None) -> Report:
    return replace(report or class_rows.wrong(), started=f"2025-03-{day:02}T09:30:00+01:00")


def write(folder: Path, *reports: Report) -> None:
    for report in reports:
        student_folder.write(Result(Fingerprint("m", "r"), report), b"a kernel", folder)


def numbers(kept: Sequence[KeptAttempt]) -> list[tuple[int, str]]:
    return [(attempt.number, attempt.report.started[8:10]) for attempt in kept]


def test_every_grade_that_another_replaces_is_kept(tmp_path: Path) -> None:
    write(tmp_path / "ada", graded(1), graded(2), graded(3))
    current = student_folder.read(tmp_path / "ada")
    assert current is not None
    assert numbers(attempts.kept(tmp_path / "ada")) == [(1, "01"), (2, "02")]
    assert numbers(attempts.with_current(tmp_path / "ada", current.report)) == [(1, "01"), (2, "02"), (3, "03")]


def test_the_same_grade_written_or_scored_again_is_no_attempt(tmp_path: Path) -> None:
    write(tmp_path / "ada", graded(1), graded(1), replace(graded(1), rubric=examples.rubric(title="Other")))
    assert attempts.kept(tmp_path / "ada") == []


def test_other_points_for_the_same_measurements_are_an_attempt(tmp_path: Path) -> None:
    halved = tuple(replace(criterion, points=criterion.points / 2) for criterion in graded(1).rubric.criteria)
    report = replace(graded(1), rubric=replace(graded(1).rubric, criteria=halved))
    write(tmp_path / "ada", graded(1), replace(report, score=score(report)))
    shown = " ".join(CliRunner().invoke(main, ["history", "ada", str(tmp_path)]).output.split())
    assert "do not compare: 35.0 of 100, now 17.5 of 50." in shown, shown


def test_an_unfinished_grade_is_no_attempt(tmp_path: Path) -> None:
    write(tmp_path / "ada", graded(1, examples.broken_machine()), graded(2))
    assert attempts.kept(tmp_path / "ada") == []


def test_a_run_killed_between_keeping_and_replacing_loses_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "ada", graded(1))
    with monkeypatch.context() as patch:
        patch.setattr(student_folder, "rendered", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            write(tmp_path / "ada", graded(2))
    current = student_folder.read(tmp_path / "ada")
    assert numbers(attempts.with_current(tmp_path / "ada", current.report)) == [(1, "01")]
    write(tmp_path / "ada", graded(2))
    assert numbers(attempts.kept(tmp_path / "ada")) == [(1, "01")]


def test_attempts_are_bounded_in_number_and_size_and_the_best_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(attempts, "MOST", 3)
    long = replace(examples.wrong(examples.LARGE, "second"), printed="x" * 1_000_000)
    every = [graded(1), graded(2, examples.report()), *(graded(day) for day in range(3, 8))]
    for report in every:
        attempts.keep(replace(report, results=(*report.results, long)), tmp_path)
    assert numbers(attempts.kept(tmp_path)) == [(2, "02"), (6, "06"), (7, "07")]
    assert all(path.stat().st_size < 20_000 for path in (tmp_path / "attempts").iterdir())


def test_the_page_shows_the_number_of_the_attempt_and_what_changed(tmp_path: Path) -> None:
    write(tmp_path / "ada", graded(1))
    assert "Since the attempt before" not in (tmp_path / "ada" / "report.html").read_text()
    write(tmp_path / "ada", graded(2, examples.report()))
    page = (tmp_path / "ada" / "report.html").read_text()
    assert "Attempt 2" in page
    assert "N=1024: wrong answer, now correct." in page


def test_changes_are_of_verdicts_points_and_speeds() -> None:
    slow, fast = (class_rows.fast(gflops) for gflops in (500.0, 8135.0))
    assert changes(slow, slow) == ("The verdicts, points and speeds are the same.",)
    assert "N=1024: 500 GFLOPS, now 8,135 GFLOPS." in changes(slow, fast)
    assert changes(examples.not_compiled(), slow)[0] == "The file: compile error, now it runs."
    other = replace(slow, rubric=examples.rubric(library=""))
    points = "has changed, so these points do not compare: 90.0 of 100, now 90.0 of 100."
    assert changes(slow, other) == (f"The rubric {points}",)
    other = replace(slow, naive_sha256="0" * 64)
    assert changes(slow, other) == (f"The naive kernel {points}",)
    assert changes(slow, replace(slow, rubric=examples.rubric(sha256="0" * 64)))[0].endswith("are the same.")


def test_the_best_attempt_has_the_most_points_under_the_same_rubric(tmp_path: Path) -> None:
    old = examples.rubric(criteria=(Criterion("compiles", "Compiles", "compiles", 900.0),))
    write(tmp_path / "ada", graded(1, examples.report(rubric=old)), graded(2, examples.report()), graded(3))
    write(tmp_path / "bob", graded(1, examples.report()))
    student_folder.set_aside(tmp_path / "bob")
    assert class_folder.read_reports(tmp_path)["ada"].started == graded(3).started
    assert set(class_folder.read_reports(tmp_path)) == {"ada"}
    best = class_folder.best_reports(tmp_path)
    assert {student: report.started[8:10] for student, report in best.items()} == {"ada": "02", "bob": "01"}


def test_an_attempt_on_another_kind_of_machine_is_not_the_best(tmp_path: Path) -> None:
    other_gpu = replace(examples.report().machine, device="NVIDIA T4")
    elsewhere = [graded(1, examples.report()), graded(2, examples.report(machine=other_gpu))]
    here = examples.simulated(rubric=examples.rubric())
    write(tmp_path / "ada", *elsewhere, graded(3, here))
    write(tmp_path / "bob", graded(3, here))
    best = class_folder.best_reports(tmp_path)
    assert {student: report.started[8:10] for student, report in best.items()} == {"ada": "03", "bob": "03"}


def test_an_attempt_beside_another_naive_kernel_is_not_the_best(tmp_path: Path) -> None:
    write(tmp_path / "ada", graded(1, examples.report(naive_sha256="1" * 64)), graded(2))
    assert class_folder.best_reports(tmp_path)["ada"].started == graded(2).started


def test_the_naive_kernel_is_recorded_where_speeds_are_compared_with_it() -> None:
    plan = GradePlan(Path("mine.cu"), examples.rubric(), b"naive", 1, ())
    assert plan.naive_sha256(Backend.CUDA) == hashlib.sha256(b"naive").hexdigest()
    assert plan.naive_sha256(Backend.SIMULATOR) == ""


def test_an_attempt_under_the_rubric_of_another_student_is_not_the_best(tmp_path: Path) -> None:
    other = examples.rubric(library="")
    write(tmp_path / "ada", graded(1, examples.report(rubric=other)), graded(2))
    write(tmp_path / "bob", graded(1, examples.report(rubric=other)))
    assert class_folder.best_reports(tmp_path)["ada"].started == graded(2).started


def test_the_best_under_each_rubric_stays_among_many_attempts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "MOST", 3)
    best_here = graded(2, examples.report(rubric=examples.rubric(library="")))
    worse_here = [graded(day, replace(class_rows.wrong(), rubric=best_here.rubric)) for day in range(3, 8)]
    for report in (graded(1, examples.report()), best_here, *worse_here):
        attempts.keep(report, tmp_path)
    assert numbers(attempts.kept(tmp_path)) == [(1, "01"), (2, "02"), (7, "07")]


@pytest.mark.parametrize("started", ["yesterday", "2025-03-01T09:30:00"])
def test_a_damaged_attempt_is_left_out_of_the_history(tmp_path: Path, started: str) -> None:
    write(tmp_path / "ada", graded(1), graded(2))
    kept = tmp_path / "ada" / "attempts" / "0001.json"
    kept.write_text(kept.read_text().replace(graded(1).started, started))
    assert attempts.kept(tmp_path / "ada") == []


def test_an_export_takes_the_best_attempt_or_the_last(tmp_path: Path) -> None:
    write(tmp_path / "results" / "ada", graded(1, examples.report()), graded(2))
    (tmp_path / "roster.csv").write_text("Username,Name\nada,Ada\n")
    words = ["export", "moodle", str(tmp_path / "results"), "--roster", str(tmp_path / "roster.csv"), "--title", "Lab"]
    last = CliRunner().invoke(main, words).stdout
    best = CliRunner().invoke(main, [*words, "--attempt", "best"]).stdout
    assert ("35.00" in last, "80.00" in best) == (True, True), (last, best)


def test_history_lists_attempts_and_changes(tmp_path: Path) -> None:
    write(tmp_path / "ada", graded(1), graded(2, examples.report()))
    shown = CliRunner().invoke(main, ["history", "ada", str(tmp_path)])
    assert shown.exit_code == 0
    for words in ("2025-03-01 09:30:00+01:00", examples.HASH[:8], "From attempt 1 to 2:", "wrong answer, now correct"):
        assert words in shown.output


def test_a_student_can_be_named_as_in_the_source(tmp_path: Path) -> None:
    write(tmp_path / folder_name("gül"), graded(1))
    shown = CliRunner().invoke(main, ["history", "gül", str(tmp_path)])
    assert shown.exit_code == 0, shown.output


@pytest.mark.parametrize(
    ("student", "words"), [("adda", "Did you mean ada?"), ("x", "such as ada"), ("cyd", "Nothing")]
)
def test_history_says_what_to_do_about_a_student_without_attempts(tmp_path: Path, student: str, words: str) -> None:
    write(tmp_path / "ada", graded(1))
    student_folder.write_reason("Nothing was submitted.", tmp_path / "cyd")
    shown = CliRunner().invoke(main, ["history", student, str(tmp_path)])
    assert (shown.exit_code, words in shown.output) == (2, True)


def test_an_attempt_that_cannot_be_kept_is_a_grader_error_and_replaces_nothing(tmp_path: Path) -> None:
    write(tmp_path / "ada", graded(1))
    (tmp_path / "ada" / "attempts").write_text("a file where the folder would be")
    with pytest.raises(InfrastructureError, match="could not be written"):
        write(tmp_path / "ada", graded(2))
    current = student_folder.read(tmp_path / "ada")
    assert current.report.started == graded(1).started
