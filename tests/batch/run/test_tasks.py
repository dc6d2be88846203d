"""Which results of RESULTS are kept, which are scored again, and which submissions are graded."""

import hashlib
import shutil
from collections.abc import Collection
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import grader
from grader.batch.intake.source_entry import Submission
from grader.batch.results import student_folder
from grader.batch.results.reuse import Action, Lab, Result, action, fingerprint, scored_again
from grader.batch.run.engine import FinishedTask, carry_out
from grader.batch.run.job import ClassRun
from grader.batch.run.tasks import Task, tasks
from grader.errors import InfrastructureError
from grader.host.atomic_write import write_text
from grader.model import Backend, Fault, Limits, Report, Rubric, Source, State, Timing, Verdict
from grader.report import json_document
from grader.report.all_formats import REPORT
from grader.rubric.outcome import GradeOutcome
from tests.report import examples

CONTENT = b"a kernel"
FAULT: dict[str, Any] = {"state": State.INFRASTRUCTURE_FAULT, "score": None, "infrastructure": "The GPU is gone."}


def lab_with(rubric: Rubric | None = None, **changes: Any) -> Lab:
    return replace(Lab(rubric or examples.rubric(), b"naive", Backend.CUDA), **changes)


def dearer(rubric: Rubric) -> Rubric:
    """The same rubric with twice the points."""
    criteria = tuple(replace(criterion, points=2 * criterion.points) for criterion in rubric.criteria)
    return replace(rubric, criteria=criteria, sha256="a" * 64)


def result(lab: Lab, content: bytes = CONTENT, **changes: Any) -> Result:
    return Result(fingerprint(lab, content), examples.simulated(rubric=lab.rubric, **changes))


def task(
    folder: Path, lab: Lab, content: bytes = CONTENT, *, retry: Collection[GradeOutcome] = (), apply: bool = False
) -> Task:
    (only,) = tasks([Submission("ada", content=content)], lab, folder, retry=retry, apply=apply)
    return only


def test_without_earlier_results_every_submission_is_graded(tmp_path: Path):
    only = task(tmp_path, lab_with())
    assert (only.action, only.folder, only.reusable) == (Action.GRADE, tmp_path / "ada", None)


def test_a_student_with_nothing_to_grade_has_no_task(tmp_path: Path):
    assert list(tasks([Submission("ada", problem="No file.")], lab_with(), tmp_path, apply=False)) == []


CHANGES = {
    "naive": {"naive": b"another"},
    "backend": {"backend": Backend.SIMULATOR},
    "seed": {"seed": 3},
}


@pytest.mark.parametrize("change", [*CHANGES.values()], ids=[*CHANGES])
def test_a_submission_that_was_run_differently_is_graded_again(change: dict[str, Any]):
    earlier = result(lab_with())
    assert action(fingerprint(lab_with(**change), CONTENT), earlier, retry=()) is Action.GRADE


RUN_OTHERWISE: list[dict[str, Any]] = [
    {"flags": ("-O1",)},
    {"sizes": (examples.SMALL,)},
    {"timed_sizes": ()},
    {"limits": Limits(case_seconds=1)},
    {"timing": Timing(min_rounds=9)},
    {"library": ""},
]


@pytest.mark.parametrize("change", RUN_OTHERWISE, ids=[next(iter(change)) for change in RUN_OTHERWISE])
def test_a_rubric_that_changes_the_runs_needs_another_measurement(change: dict[str, Any]):
    changed = lab_with(replace(examples.rubric(), **change))
    assert fingerprint(changed, CONTENT).measured != fingerprint(lab_with(), CONTENT).measured


def test_another_submission_or_grader_needs_another_measurement(monkeypatch: pytest.MonkeyPatch):
    before = fingerprint(lab_with(), CONTENT)
    assert fingerprint(lab_with(), b"another") != before
    monkeypatch.setattr(grader, "__version__", "99")
    assert fingerprint(lab_with(), CONTENT).measured != before.measured


def test_a_comment_in_the_rubric_changes_nothing():
    assert fingerprint(lab_with(replace(examples.rubric(), sha256="a" * 64)), CONTENT) == fingerprint(
        lab_with(), CONTENT
    )


def test_another_date_of_hidden_sizes_counts_at_once(tmp_path: Path):
    hidden = replace(examples.rubric(), hidden_sizes=(examples.SMALL,), visible_after="2999-12-01T00:00:00+01:00")
    student_folder.write(result(lab_with(hidden)), CONTENT, tmp_path / "ada")
    later = lab_with(replace(hidden, visible_after="2999-12-08T00:00:00+01:00", sha256="a" * 64))
    only = task(tmp_path, later)
    assert (only.action, only.is_preview) == (Action.SCORE, False)
    list(carry_out([only], ClassRun(later, 1, examples.report().machine, ""), lambda *_: iter(()), lambda *_: None))
    assert "2999-12-08 00:00" in (tmp_path / "ada" / "report.html").read_text()
    assert task(tmp_path, later).action is Action.KEEP


def test_points_alone_change_no_measurement():
    cheap, dear = fingerprint(lab_with(), CONTENT), fingerprint(lab_with(dearer(examples.rubric())), CONTENT)
    assert cheap.measured == dear.measured
    assert cheap.rubric != dear.rubric
    assert action(dear, result(lab_with()), retry=()) is Action.SCORE


def test_measurements_are_scored_under_the_new_points():
    lab = lab_with(dearer(examples.rubric()))
    earlier = Result(fingerprint(lab_with(), CONTENT), examples.report())
    again = scored_again(earlier, fingerprint(lab, CONTENT), lab.rubric)
    assert again.report.score.earned == pytest.approx(2 * earlier.report.score.earned)
    assert again.report.measurements == earlier.report.measurements


def test_a_grader_error_has_no_points_under_any_rubric():
    lab = lab_with(dearer(examples.rubric()))
    assert scored_again(result(lab_with(), **FAULT), fingerprint(lab, CONTENT), lab.rubric).report.score is None


ERRORS = (GradeOutcome.GRADER_ERROR, GradeOutcome.UNFINISHED)


@pytest.mark.parametrize(
    ("retry", "want"), [((), Action.KEEP), (ERRORS, Action.GRADE), ((GradeOutcome.NOT_HERE,), Action.KEEP)]
)
def test_grader_errors_are_kept_until_they_are_tried_again(retry: Collection[GradeOutcome], want: Action):
    assert action(fingerprint(lab_with(), CONTENT), result(lab_with(), **FAULT), retry=retry) is want
    assert action(fingerprint(lab_with(), CONTENT), result(lab_with()), retry=retry) is Action.KEEP


def test_every_result_of_a_named_student_is_graded_again():
    wanted = fingerprint(lab_with(), CONTENT)
    assert action(wanted, result(lab_with()), retry=tuple(GradeOutcome)) is Action.GRADE


def test_what_cannot_be_graded_here_is_no_grader_error():
    wanted, earlier = fingerprint(lab_with(), CONTENT), Result(fingerprint(lab_with(), CONTENT), UNSUPPORTED)
    assert action(wanted, earlier, retry=ERRORS) is Action.KEEP
    assert action(wanted, earlier, retry=(GradeOutcome.NOT_HERE,)) is Action.GRADE


def write(kept: Result, folder: Path) -> None:
    student_folder.write(kept, CONTENT, folder)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    write(result(lab_with()), folder / "ada")
    return folder


@pytest.fixture
def results(written: Path, tmp_path: Path) -> Path:
    """A folder with the result of Ada, of which a test may change every file."""
    shutil.copytree(written, tmp_path / "results")
    return tmp_path / "results"


def test_a_file_that_counted_before_a_later_one_returns(tmp_path: Path):
    lab = lab_with()
    for content in (CONTENT, b"a better kernel"):
        source = replace(examples.simulated().source, sha256=hashlib.sha256(content).hexdigest())
        student_folder.write(result(lab, content, source=source), content, tmp_path / "ada")
    found = [task(tmp_path, lab, content).returns for content in (CONTENT, b"a better kernel", b"a third one")]
    assert found == [True, False, False]


def test_a_result_of_another_rubric_is_not_replaced_before_it_is_applied(tmp_path: Path):
    old, new = lab_with(), lab_with(dearer(examples.rubric()))
    write(result(old), tmp_path / "ada")
    preview, applied = task(tmp_path, new), task(tmp_path, new, apply=True)
    assert (preview.action, preview.folder, preview.is_preview) == (Action.SCORE, tmp_path / ".preview" / "ada", True)
    assert (applied.action, applied.folder, applied.is_preview) == (Action.SCORE, tmp_path / "ada", False)
    assert preview.before == result(old)


def test_what_was_graded_for_a_preview_is_not_graded_again_for_applying(tmp_path: Path):
    old, new = lab_with(), lab_with(replace(examples.rubric(), flags=("-O1",)))
    write(result(old), tmp_path / "ada")
    assert task(tmp_path, new).action is Action.GRADE
    write(result(new), tmp_path / ".preview" / "ada")
    assert task(tmp_path, new).action is Action.KEEP
    applied = task(tmp_path, new, apply=True)
    assert (applied.action, applied.folder, applied.reusable) == (Action.SCORE, tmp_path / "ada", result(new))
    assert task(tmp_path, new, b"changed since", apply=True).action is Action.GRADE


@pytest.mark.parametrize("apply", [False, True])
def test_a_previewed_grader_error_is_graded_anew(apply: bool, tmp_path: Path):
    old, new = lab_with(), lab_with(replace(examples.rubric(), flags=("-O1",)))
    write(result(old), tmp_path / "ada")
    write(result(new, **FAULT), tmp_path / ".preview" / "ada")
    assert task(tmp_path, new, apply=apply).action is Action.GRADE


def outcome(only: Task, report: Report) -> FinishedTask:
    """The finished task, if its job gives this report."""
    lab = lab_with()
    run = ClassRun(lab, 1, report.machine, "")
    (done,) = carry_out([only], run, lambda jobs, _: ((job, report) for job in jobs), lambda *_: None)
    return done


UNSUPPORTED = examples.report(fault=Fault(Verdict.NOT_SUPPORTED, "It has inline PTX.", "", None))
BROKEN = examples.broken_machine()


@pytest.mark.parametrize(
    ("before", "new"),
    [(examples.report(), BROKEN), (examples.report(), UNSUPPORTED), (UNSUPPORTED, BROKEN)],
    ids=["fault", "not supported", "fault after not supported"],
)
def test_a_grader_error_replaces_no_better_result_of_the_same_file(before: Report, new: Report, tmp_path: Path):
    write(Result(fingerprint(lab_with(), CONTENT), before), tmp_path / "ada")
    only = task(tmp_path, lab_with(seed=3))
    done = outcome(only, new)
    assert (done.report, done.result_that_counts.report, done.superseded) == (new, before, True)
    assert student_folder.read(tmp_path / "ada") == only.before
    assert task(tmp_path, lab_with(seed=3)).action is Action.GRADE


@pytest.mark.parametrize("before", [BROKEN, examples.report(source=Source("matmul.cu", "b" * 64, 9))])
def test_a_grader_error_is_written_where_nothing_better_is_of_the_same_file(before: Report, tmp_path: Path):
    write(Result(fingerprint(lab_with(), CONTENT), before), tmp_path / "ada")
    done = outcome(task(tmp_path, lab_with(seed=3)), BROKEN)
    assert (done.result_that_counts.report, done.superseded) == (BROKEN, False)
    assert json_document.REPORT.read(tmp_path / "ada" / REPORT) == BROKEN


def test_a_new_grade_replaces_the_one_before(results: Path):
    done = outcome(task(results, lab_with(seed=3)), examples.report(seed=43))
    assert (done.result_that_counts.report.seed, json_document.REPORT.read(results / "ada" / REPORT).seed) == (43, 43)


def test_the_old_rubric_again_needs_no_preview(tmp_path: Path):
    old, new = lab_with(), lab_with(dearer(examples.rubric()))
    write(result(old), tmp_path / "ada")
    write(result(new), tmp_path / ".preview" / "ada")
    only = task(tmp_path, old)
    assert (only.action, only.is_preview) == (Action.KEEP, False)


def test_what_is_written_is_read_back(results: Path):
    assert student_folder.read(results / "ada") == result(lab_with())


@pytest.mark.parametrize("name", [REPORT, student_folder.RECORD])
@pytest.mark.parametrize("content", [None, b"", b"half", b"[]", b"{}", b'{"a": 1}', b"[" * 100_000, b"\xff"])
def test_an_incomplete_result_is_not_read(name: str, content: bytes | None, results: Path):
    path = results / "ada" / name
    whole = path.read_bytes()
    path.unlink()
    if content is not None:
        path.write_bytes(whole[: len(whole) // 2] if content == b"half" else content)
    assert student_folder.read(results / "ada") is None


def test_a_report_of_another_grade_is_not_taken_for_the_one_on_record(results: Path):
    """As where a kill came between a new report and its record."""
    json_document.REPORT.write(examples.report(seed=43), results / "ada" / REPORT)
    assert student_folder.read(results / "ada") is None


@pytest.mark.parametrize("files", range(5))
def test_a_result_that_is_written_again_is_the_old_or_the_new_one_whenever_that_ends(
    files: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    old, new = result(lab_with()), replace(result(lab_with()), report=examples.report(seed=43))
    write(old, tmp_path / "ada")
    left = count(files, -1)

    def on_a_full_disk(path: Path, text: str) -> None:
        if next(left) == 0:
            raise InfrastructureError("The disk is full.")
        write_text(path, text)

    monkeypatch.setattr(student_folder, "write_text", on_a_full_disk)
    with pytest.raises(InfrastructureError):
        write(new, tmp_path / "ada")
    assert student_folder.read(tmp_path / "ada") == (new if files == 4 else old)


@pytest.mark.parametrize(("name", "others", "is_read"), [("seed", "sown", False), ("run", "family", True)])
def test_a_report_of_another_version_is_read_if_the_form_is_known(name: str, others: str, is_read: bool, results: Path):
    path = results / "ada" / REPORT
    old = path.read_text()
    path.write_text(old.replace(f'"{name}"', f'"{others}"'))
    record = results / "ada" / student_folder.RECORD
    record.write_text(record.read_text().replace(_hash(old), _hash(path.read_text())))
    assert student_folder.read(results / "ada") == (result(lab_with()) if is_read else None)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
