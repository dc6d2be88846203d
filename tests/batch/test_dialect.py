"""Kept results where the same command asks for another JUnit family."""

import hashlib
from pathlib import Path

import pytest

from grader.batch.intake.source_entry import Submission
from grader.batch.present.class_files import open_class
from grader.batch.results import student_folder
from grader.batch.results.reuse import Lab, Result, fingerprint
from grader.batch.run.tasks import tasks as tasks_of
from grader.errors import InfrastructureError
from grader.model import Backend, Report, Source, Verdict
from grader.report import junit
from tests.report import examples

LAB = Lab(examples.rubric(), b"naive", Backend.CUDA)
CONTENT = b"a kernel"


def wrong() -> Report:
    """A report whose junit.xml differs between the families."""
    fault = examples.failed(examples.SMALL, "second", Verdict.CRASHED)
    source = Source("matmul.cu", hashlib.sha256(CONTENT).hexdigest(), len(CONTENT))
    return examples.report(results=(fault,), measurements=(), source=source)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Where ada and bob are finished."""
    for student in ("ada", "bob"):
        student_folder.write(Result(fingerprint(LAB, CONTENT), wrong()), CONTENT, tmp_path / student)
    return tmp_path


def run_again(results: Path, junit_family: str) -> None:
    """Ada is in the sources, and bob was in those of an earlier run."""
    submissions = [Submission("ada", content=CONTENT)]
    tasks = list(tasks_of(submissions, LAB, results, apply=False))
    open_class(submissions, tasks, results, junit.Dialect(junit_family)).write([])


def changed(results: Path) -> dict[str, int]:
    return {f"{path.parent.name}/{path.name}": path.stat().st_ino for path in results.glob("*/*") if path.is_file()}


def test_the_families_differ_here():
    assert junit.render(wrong(), junit.Dialect("ci")) != junit.render(wrong(), junit.STRICT)


@pytest.mark.parametrize("student", ["ada", "bob"])
def test_a_kept_students_junit_is_of_the_family_of_the_classs(student: str, results: Path):
    run_again(results, "ci")
    assert (results / student / "junit.xml").read_text() == junit.render(wrong(), junit.Dialect("ci"))
    assert 'file="matmul.cu"' in (results / "junit.xml").read_text()


def test_nothing_else_of_a_kept_result_is_touched(results: Path):
    before = changed(results)
    run_again(results, "ci")
    differing = {name for name, inode in changed(results).items() if inode != before[name]}
    assert differing == {"ada/junit.xml", "bob/junit.xml"}
    assert student_folder.read(results / "ada") == Result(fingerprint(LAB, CONTENT), wrong())


def test_the_same_family_again_writes_nothing(results: Path):
    before = changed(results)
    run_again(results, "xunit2")
    assert changed(results) == before


def test_a_junit_that_was_lost_is_there_again(results: Path):
    (results / "ada" / "junit.xml").unlink()
    run_again(results, "xunit2")
    assert (results / "ada" / "junit.xml").read_text() == junit.render(wrong(), junit.STRICT)


def test_a_junit_that_cannot_be_written_is_a_grader_error(results: Path):
    (results / "ada" / "junit.xml").unlink()
    (results / "ada" / "junit.xml").mkdir()
    with pytest.raises(InfrastructureError, match="could not be written"):
        run_again(results, "ci")
