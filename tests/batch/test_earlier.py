"""What becomes of results that an earlier run of `grade batch` left."""

import csv
import io
import shutil
from pathlib import Path

import pytest

from grader.batch.intake.source_entry import Submission
from grader.batch.present.class_files import earlier_results, open_class, write_class
from grader.batch.present.gradebook import gradebook, people
from grader.batch.present.student_summary import StudentResult
from grader.batch.results import attempts, class_folder, student_folder
from grader.batch.results.reuse import Fingerprint, Result
from grader.cli import class_run
from grader.errors import InfrastructureError, UsageError
from grader.report.all_formats import FORMATS
from tests.batch.present import class_rows
from tests.report import examples

CONTENT = b"a kernel"
REFUSED = Submission("ada", problem="There is no .cu file, only notes.txt.")


def finish(results: Path, *students: str) -> None:
    for student in students:
        student_folder.write(Result(Fingerprint("m", "r"), examples.simulated()), CONTENT, results / student)


def conclude(results: Path, *submissions: Submission) -> None:
    class_run.refuse(submissions, results)
    class_run.conclude(open_class(submissions, [], results), [])


def gradebook_of(results: Path) -> dict[str, dict[str, str]]:
    lines = csv.DictReader(io.StringIO((results / "gradebook.csv").read_text("utf-8-sig"), newline=""))
    return {line["student"]: line for line in lines}


def listed(results: Path) -> list[str]:
    return list(gradebook_of(results))


def test_points_of_a_submission_that_is_now_refused_count_nowhere(tmp_path: Path):
    finish(tmp_path, "ada", "bob")
    conclude(tmp_path, REFUSED)
    assert set(class_folder.read_reports(tmp_path)) == {"bob"}
    assert "ada/report" not in (tmp_path / "index.html").read_text()
    assert "bob/report.html" in (tmp_path / "index.html").read_text()


def test_grades_that_were_set_aside_are_attempts_on_the_page(tmp_path: Path):
    finish(tmp_path, "ada")
    conclude(tmp_path, REFUSED)
    finish(tmp_path, "ada")
    (attempt,) = attempts.kept(tmp_path / "ada")
    assert attempt.report.score == examples.simulated().score
    (tmp_path / "ada" / "attempts" / "0001.json").write_text("{")
    assert attempts.kept(tmp_path / "ada") == []


def test_the_instructor_learns_where_the_earlier_result_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    finish(tmp_path, "ada")
    conclude(tmp_path, REFUSED)
    told = "".join(capsys.readouterr().err.split())
    assert "Theirearlierresultnolongercounts" in told
    assert str(tmp_path / "ada" / "before") in told


def test_every_result_that_is_set_aside_is_kept_whole(tmp_path: Path):
    for _ in range(2):
        finish(tmp_path, "ada")
        aside = student_folder.set_aside(tmp_path / "ada")
        assert aside is not None
        assert student_folder.read(aside) is not None
        assert {path.name for path in aside.iterdir()} == {*FORMATS, student_folder.RECORD}
    assert {path.name for path in (tmp_path / "ada").iterdir()} == {"attempts", "before", "before-2"}
    assert student_folder.set_aside(tmp_path / "ada") is None


def test_a_refused_student_gets_the_reason_and_nothing_that_counts_as_a_result(tmp_path: Path):
    for _ in range(2):
        conclude(tmp_path, REFUSED)
    assert {path.name for path in (tmp_path / "ada").iterdir()} == {student_folder.REASON}
    assert (tmp_path / "ada" / student_folder.REASON).read_text() == f"{REFUSED.problem}\n"
    with pytest.raises(UsageError):
        class_folder.read_reports(tmp_path)


def test_the_reason_goes_when_there_is_something_to_grade(tmp_path: Path):
    conclude(tmp_path, REFUSED)
    finish(tmp_path, "ada")
    assert not (tmp_path / "ada" / student_folder.REASON).exists()


def test_a_reason_of_any_bytes_is_one_line(tmp_path: Path):
    student_folder.write_reason("“\udcff\x1b[31m” is\na link.", tmp_path / "ada")
    assert len((tmp_path / "ada" / student_folder.REASON).read_text().splitlines()) == 1
    (tmp_path / "ada" / student_folder.REASON).write_bytes(b"a\xffb\r\nc")
    assert student_folder.read_reason(tmp_path / "ada") == "a\ufffdb c"


def test_a_student_whose_reason_cannot_be_written_is_a_grader_error(tmp_path: Path):
    (tmp_path / "ada").write_text("a file where the folder would be")
    with pytest.raises(InfrastructureError, match="could not be written"):
        student_folder.write_reason("Nothing was handed in.", tmp_path / "ada")


def test_a_student_without_a_submission_stays_with_the_reason(tmp_path: Path):
    conclude(tmp_path, Submission("ada", "Ada", "ada@example.edu", late="yes", problem=REFUSED.problem))
    before = gradebook_of(tmp_path)["ada"]
    finish(tmp_path, "bob")
    conclude(tmp_path, Submission("cyd", problem="Nothing was handed in."))
    assert listed(tmp_path) == ["ada", "bob", "cyd"]
    assert {**gradebook_of(tmp_path)["ada"]}.items() >= before.items()
    assert (before["problem"], before["name"], before["late"]) == (REFUSED.problem, "Ada", "yes")
    assert "ada: submission" in (tmp_path / "junit.xml").read_text()


def test_a_student_whose_folder_was_deleted_is_no_longer_in_the_class(tmp_path: Path):
    conclude(tmp_path, REFUSED)
    shutil.rmtree(tmp_path / "ada")
    conclude(tmp_path, Submission("bob", problem="Nothing was handed in."))
    assert listed(tmp_path) == ["bob"]


def test_a_command_with_a_part_of_the_class_keeps_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    finish(tmp_path, "ada", "bob", "cyd")
    conclude(tmp_path, Submission("bob", problem="Nothing was handed in."))
    assert listed(tmp_path) == ["ada", "bob", "cyd"]
    assert "2 other students keep the results of an earlier run." in capsys.readouterr().out


def test_a_student_in_the_gradebook_only_stays(tmp_path: Path):
    finish(tmp_path, "bert")
    write_class(class_rows.rows(), tmp_path)
    (bert,) = earlier_results([], tmp_path)
    assert bert.submission == Submission("bert", "Bert", "bert@example.edu", late="2 days")
    assert bert.report == examples.simulated()


def test_unfinished_results_and_previews_have_no_row(tmp_path: Path):
    finish(tmp_path, ".preview/ada", "bob")
    (tmp_path / "bob" / student_folder.RECORD).unlink()
    assert earlier_results([], tmp_path) == []


@pytest.mark.parametrize("text", ["", "a;b\n", 'student,name,email,late\n"x', "student,name\nada,Ada\n"])
def test_a_text_that_is_no_gradebook_lists_nobody(text: str):
    assert people(text) == {}


def test_a_gradebook_is_read_with_the_students_that_it_lists():
    listed_people = people(gradebook(class_rows.rows()))
    assert list(listed_people) == [row.submission.student for row in class_rows.rows()]


def test_the_output_the_report_and_the_class_page_say_which_of_two_files_is_graded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    submission = Submission("ada", file="new.cu", content=CONTENT, others=("ada/old<b>.cu",))
    class_run.refuse([submission], tmp_path)
    printed = " ".join(capsys.readouterr().err.split())
    assert "ada: new.cu is graded, the newest .cu file with a kernel" in printed
    assert "not ada/old<b>.cu." in printed
    result = Result(Fingerprint("m", "r"), examples.simulated())
    student_folder.write(result, CONTENT, tmp_path / "ada", others=submission.others)
    assert "is graded, and not ada/old&lt;b&gt;.cu" in (tmp_path / "ada" / "report.html").read_text()
    write_class([StudentResult(submission, examples.simulated())], tmp_path)
    assert "new.cu is graded, not ada/old&lt;b&gt;.cu" in (tmp_path / "index.html").read_text()
