"""The pages of a class while it is graded, and after its grading was cut short."""

import csv
import hashlib
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from grader.batch.intake.source_entry import Submission
from grader.batch.present import class_files
from grader.batch.present.class_files import open_class
from grader.batch.results import class_folder, student_folder
from grader.batch.results.names import GRADEBOOK
from grader.batch.results.reuse import Fingerprint, Lab, Result, fingerprint
from grader.batch.run.engine import OnStart
from grader.batch.run.job import ClassRun, Job
from grader.batch.run.tasks import tasks as tasks_of
from grader.cli import class_run
from grader.errors import InfrastructureError
from grader.model import Backend, Report, Source
from tests.desk import wait_until
from tests.report import examples

LAB = Lab(examples.rubric(), b"naive", Backend.CUDA)
DRAWING = ClassRun(LAB, 1, examples.report().machine, "")  # processes save its reports, because of figures
RUN = replace(DRAWING, machine=examples.simulated().machine)
ADA, BEN = Submission("ada", content=b"ada's"), Submission("ben", content=b"ben's")
CYD = Submission("cyd", problem="Nothing was handed in.")
GONE = InfrastructureError("The cluster is gone.")
NOT_YET = "not graded yet"


def report_of(content: bytes) -> Report:
    return examples.simulated(source=Source("matmul.cu", hashlib.sha256(content).hexdigest(), len(content)))


def graded(jobs: Sequence[Job], then: Callable[[], None] = lambda: None) -> Iterator[tuple[Job, Report]]:
    """Yield each job with its report; call `then` after each."""
    for job in jobs:
        yield job, report_of(job.content)
        then()


def grade(results: Path, then: Callable[[], None] = lambda: None, run: ClassRun = RUN) -> int:
    submissions = (ADA, BEN, CYD)
    tasks = list(tasks_of(submissions, LAB, results, apply=False))
    class_run.refuse(submissions, results)
    return class_run.grade_class(open_class(submissions, tasks, results), run, lambda jobs, _: graded(jobs, then))


def raising(error: BaseException) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


def lines(results: Path) -> dict[str, dict[str, str]]:
    with (results / GRADEBOOK).open(encoding="utf-8-sig", newline="") as file:
        return {line["student"]: line for line in csv.DictReader(file)}


def states(results: Path) -> dict[str, str]:
    return {student: line["state"] for student, line in lines(results).items()}


def finish(results: Path, student: str, content: bytes, rubric: str = fingerprint(LAB, b"").rubric) -> None:
    """Write a finished result that was graded with another seed."""
    student_folder.write(Result(Fingerprint("", rubric), report_of(content)), content, results / student)


@pytest.mark.parametrize("ending", [KeyboardInterrupt(), GONE], ids=["interrupt", "grader error"])
def test_the_pages_are_there_for_what_is_finished(ending: BaseException, tmp_path: Path):
    with pytest.raises((SystemExit, InfrastructureError)):
        grade(tmp_path, raising(ending))
    assert states(tmp_path) == {"ada": "correct", "ben": NOT_YET, "cyd": "nothing to grade"}
    assert lines(tmp_path)["ben"]["earned"] == ""
    assert "not graded yet" in (tmp_path / "index.html").read_text()
    assert {path.name for path in tmp_path.iterdir()} >= {"junit.xml", "leaderboard.html"}


def test_an_interrupt_reports_the_progress_and_ends_with_its_own_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as ended:
        grade(tmp_path, raising(KeyboardInterrupt()))
    assert ended.value.code == 130
    assert "Interrupted: 1 of 2 submissions are finished." in capsys.readouterr().err


def test_a_log_names_who_is_graded_first_and_how_long_the_class_will_take(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    tasks = list(tasks_of((ADA, BEN), LAB, tmp_path, apply=False))

    def beginning(jobs: Sequence[Job], on_start: OnStart) -> Iterator[tuple[Job, Report]]:
        on_start(jobs[0], "GPU 0, worker 1")
        yield from graded(jobs)

    class_run.grade_class(open_class((ADA, BEN), tasks, tmp_path), DRAWING, beginning)
    assert capsys.readouterr().err.startswith("grading ada on GPU 0; about 16 s left\n[1/2] ada")
    kept = list(tasks_of((ADA, BEN), LAB, tmp_path, apply=False))
    class_run.grade_class(open_class((ADA, BEN), kept, tmp_path), DRAWING, beginning)
    assert " left" not in capsys.readouterr().err


@pytest.mark.parametrize("first", [raising(KeyboardInterrupt()), lambda: None], ids=["interrupted", "all graded"])
def test_an_interrupt_while_the_pages_are_written_ends_as_any_other(
    first: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setattr(class_files, "gradebook", lambda _: raising(KeyboardInterrupt())())
    with pytest.raises(SystemExit) as ended:
        grade(tmp_path, first)
    assert ended.value.code == 130
    assert capsys.readouterr().err.count("Interrupted: ") == 1


def test_if_the_pages_cannot_be_written_either_the_first_failure_is_reported(tmp_path: Path):
    (tmp_path / GRADEBOOK).mkdir()
    with pytest.raises(InfrastructureError, match="The cluster is gone"):
        grade(tmp_path, raising(GONE))


def test_the_pages_follow_while_a_class_is_graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(class_run, "PAGES_SECONDS", 0)
    seen = []
    assert grade(tmp_path, lambda: seen.append(states(tmp_path)["ben"])) == 0
    assert seen == [NOT_YET, "correct"]


def test_the_pages_are_not_written_for_every_student(tmp_path: Path):
    files: list[bool] = []
    grade(tmp_path, lambda: files.append((tmp_path / GRADEBOOK).exists()))
    assert files == [False, False]


def test_pages_that_cannot_be_written_meanwhile_cost_no_grade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(class_run, "PAGES_SECONDS", 0)
    (tmp_path / GRADEBOOK).mkdir()
    with pytest.raises(InfrastructureError, match="could not be written"):
        grade(tmp_path)
    assert all(student_folder.read(tmp_path / student) for student in ("ada", "ben"))


@pytest.mark.parametrize(
    ("student", "content", "rubric"),
    [("ben", BEN.content, {}), ("zoe", b"zoe's", {}), ("ben", b"older", {"rubric": "another"})],
    ids=["of the same file", "of a student of an earlier run", "of another rubric, while the new one is a preview"],
)
def test_an_earlier_result_counts_until_there_is_another(student, content, rubric, tmp_path: Path):
    finish(tmp_path, student, content, **rubric)
    with pytest.raises(InfrastructureError):
        grade(tmp_path, raising(GONE))
    assert states(tmp_path)[student] == "correct"


def test_an_earlier_result_of_another_file_is_not_shown_for_a_new_one(tmp_path: Path):
    finish(tmp_path, "ben", b"older")
    with pytest.raises(InfrastructureError):
        grade(tmp_path, raising(GONE))
    assert states(tmp_path)["ben"] == NOT_YET
    assert "ben/report.html" not in (tmp_path / "index.html").read_text()


@pytest.mark.parametrize("damage", ["", "<!DOCTYPE html><title>cut"])
def test_an_emptied_or_cut_page_is_written_again_and_that_is_said(
    damage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert grade(tmp_path) == 0
    before = (tmp_path / "ada" / "report.html").read_text()
    (tmp_path / "ada" / "report.html").write_text(damage)
    assert grade(tmp_path) == 0
    assert (tmp_path / "ada" / "report.html").read_text() == before
    assert "Deleted or damaged, and written again: ada." in capsys.readouterr().out


def test_results_that_are_deleted_in_the_middle_are_written_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    ada, turns = tmp_path / "ada", iter([1])

    def delete_ada_once() -> None:
        for _ in turns:
            assert wait_until(lambda: student_folder.read(ada) is not None)
            shutil.rmtree(ada)

    assert grade(tmp_path, delete_ada_once, DRAWING) == 0
    assert student_folder.read(tmp_path / "ada") is not None
    assert "written again: ada." in capsys.readouterr().out
    assert grade(tmp_path) == 0
    assert "written again" not in capsys.readouterr().out


def test_a_result_that_was_deleted_as_a_whole_is_graded_again_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert grade(tmp_path) == 0
    assert "graded again" not in capsys.readouterr().out
    shutil.rmtree(tmp_path / "ada")
    (tmp_path / "ben" / ".graded.json").write_text("{")
    assert grade(tmp_path) == 0
    assert "Deleted or damaged, and graded again: ada, ben." in capsys.readouterr().out
    assert grade(tmp_path) == 0
    assert "graded again" not in capsys.readouterr().out


def test_a_result_that_was_deleted_and_has_no_source_now_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    finish(tmp_path, "zoe", b"zoe's")
    assert grade(tmp_path) == 0
    shutil.rmtree(tmp_path / "zoe")
    assert grade(tmp_path) == 0
    said = "Deleted or damaged, and not part of this run: zoe. They are no longer in the gradebook."
    assert said in capsys.readouterr().out
    assert "zoe" not in lines(tmp_path)


def test_a_new_student_and_one_with_nothing_to_grade_are_not_called_deleted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(InfrastructureError):
        grade(tmp_path, raising(GONE))
    shutil.rmtree(tmp_path / "cyd")
    assert grade(tmp_path) == 0
    assert "Deleted" not in capsys.readouterr().out


def test_temporary_files_of_a_killed_command_are_removed(tmp_path: Path):
    for folder in (tmp_path, tmp_path / "ada", tmp_path / ".preview" / "ada"):
        folder.mkdir(exist_ok=True, parents=True)
        (folder / ".part-0123456789abcdef").touch()
    with class_folder.lock(tmp_path):
        assert not list(tmp_path.rglob(".part-*"))
