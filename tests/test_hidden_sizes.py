"""Sizes that a rubric hides until a date: no format for students shows them, and the instructor's files count them."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.batch.present.class_files import ClassResults, write_class
from grader.batch.results import student_folder
from grader.batch.results.reuse import Fingerprint, Result
from grader.cli import main
from grader.export.formats import FORMATS
from grader.model import Build, Report, Rubric, Shape, Verdict
from grader.rubric.outcome import grade
from grader.rubric.visible import for_students, visible_rubric
from tests.batch.present.class_rows import row
from tests.every_format import for_students as formats_for_students
from tests.report import examples

SECRET = Shape(777, 777, 777)
BEFORE, AFTER = datetime(2026, 11, 30, 22, 59, 59, tzinfo=UTC), datetime(2026, 11, 30, 23, tzinfo=UTC)
LATER = "2999-12-01T00:00:00+01:00"
TRACES = re.compile(r"777|secret", re.IGNORECASE)


def lab(visible_after: str = "2026-12-01T00:00:00+01:00") -> Rubric:
    """The example, with a size that is checked, timed and hidden."""
    whole = examples.rubric()
    return replace(
        whole,
        sizes=(*whole.sizes, SECRET),
        timed_sizes=(*whole.timed_sizes, SECRET),
        criteria=tuple(replace(one, sizes=one.sizes and (*one.sizes, SECRET)) for one in whole.criteria),
        hidden_sizes=(SECRET,),
        visible_after=visible_after,
    )


def wrong_at_the_secret(visible_after: str = "2026-12-01T00:00:00+01:00") -> Report:
    """Right at all other sizes, with the secret size in each text that may mention another size."""
    hint = "At N=777, the verdict is data race. Fix that first."
    secret = examples.failed(SECRET, "real", Verdict.WRONG_ANSWER, "The secret row is wrong.", printed="secret")
    noisy = replace(examples.right()[0], remark="A race, as at N=777.", printed="N=777.")
    failed = examples.failed(examples.LARGE, "real", Verdict.WRONG_ANSWER, "Wrong, as at N=777.")
    failed = replace(failed, fault=failed.fault and replace(failed.fault, hint=hint, detail="N=777, N=1024"))
    build = examples.build()
    assert isinstance(build, Build)
    return examples.report(
        rubric=lab(visible_after),
        build=replace(build, log="a warning"),
        results=(noisy, *examples.right()[1:], failed, secret),
        measurements=(examples.measurement(), examples.measurement(SECRET, gflops=7.0)),
        baselines={"naive": (examples.measurement(SECRET),)},
    )


def right_but_at_the_secret() -> Report:
    secret = examples.failed(SECRET, "real", Verdict.CRASHED, "The secret crash.")
    return examples.report(rubric=lab(), results=(*examples.right(), secret))


@pytest.fixture(params=[wrong_at_the_secret, right_but_at_the_secret])
def report(request: pytest.FixtureRequest) -> Report:
    made: Report = request.param()
    return made


def test_no_format_for_students_shows_a_hidden_size_before_its_date(report: Report) -> None:
    for name, text in formats_for_students(for_students(report, BEFORE)).items():
        assert not TRACES.search(text), (name, TRACES.search(text))


def test_every_format_shows_the_sizes_after_the_date(report: Report) -> None:
    assert for_students(report, AFTER) is report


def test_points_of_students_are_those_of_the_visible_sizes() -> None:
    shown, whole = grade(for_students(right_but_at_the_secret(), BEFORE)), grade(right_but_at_the_secret())
    assert shown is not None
    assert whole is not None
    assert (shown.earned, shown.points) == (80.0, 100.0)
    assert whole.earned < shown.earned


def test_what_was_skipped_because_of_a_hidden_size_does_not_show() -> None:
    skipped = examples.failed(examples.LARGE, "wide-a", Verdict.SKIPPED, "Not run: 2 cases before it did not finish.")
    report = right_but_at_the_secret()
    shown = for_students(replace(report, results=(*report.results, skipped)), BEFORE)
    assert {result.verdict for result in shown.results} == {Verdict.OK}


def test_a_criterion_of_hidden_sizes_only_is_left_out_with_what_requires_it() -> None:
    whole = lab()
    only = replace(whole.criteria[2], id="secret", sizes=(SECRET,))
    needs = replace(whole.criteria[3], requires=("correct", "secret"))
    shown = visible_rubric(replace(whole, criteria=(*whole.criteria[:2], only, needs)), BEFORE)
    assert [(one.id, one.requires) for one in shown.criteria] == [
        ("compiles", ()),
        ("correct", ()),
        ("library", ("correct",)),
    ]


def test_students_learn_that_there_are_more_sizes_and_when_they_are_shown() -> None:
    texts = formats_for_students(for_students(wrong_at_the_secret(), BEFORE))
    for name in ("report.html", "grade run", "grade check", "autolab", "github-summary"):
        plain = re.sub(r"&#(\d+);", lambda match: chr(int(match[1])), texts[name])
        assert "They are shown after 2026-12-01 00:00+01:00." in plain, name


def test_the_files_of_a_class_for_students_hide_what_its_gradebook_counts(tmp_path: Path) -> None:
    report = wrong_at_the_secret(LATER)
    before = replace(report, started="2025-02-01T09:30:00+01:00", results=report.results[:-1])
    for attempt in (before, report):
        student_folder.write(Result(Fingerprint("m", "r"), attempt), b"a kernel", tmp_path / "ada", "ci")
    write_class([row("ada", report)], tmp_path)
    for name in ("ada/report.html", "ada/junit.xml", "junit.xml", "leaderboard.html"):
        assert not TRACES.search((tmp_path / name).read_text()), name
    student_folder.write_dialect(report, tmp_path / "ada", "xunit2")
    assert not TRACES.search((tmp_path / "ada" / "junit.xml").read_text())
    (line,) = csv.DictReader(io.StringIO((tmp_path / "gradebook.csv").read_text("utf-8-sig")))
    assert report.score is not None
    assert float(line["earned"]) == round(report.score.earned, 2)
    stored = student_folder.read(tmp_path / "ada")
    assert stored is not None
    assert stored.report.score == report.score


@pytest.mark.parametrize("name", [one.name for one in FORMATS] + ["gradescope", "report"])
def test_exports_of_the_instructors_record_hide_the_sizes(tmp_path: Path, name: str) -> None:
    student_folder.write(Result(Fingerprint("m", "r"), wrong_at_the_secret(LATER)), b"", tmp_path / "ada", "ci")
    record, page = tmp_path / "ada" / "report.json", tmp_path / "page.html"
    words = ["report", str(record), "--output", str(page)] if name == "report" else ["export", name, str(record)]
    said = CliRunner().invoke(main, words)
    assert said.exit_code == 0, said.output
    assert not TRACES.search(page.read_text() if name == "report" else said.stdout)


def test_pages_show_the_sizes_when_the_command_runs_after_the_date(tmp_path: Path) -> None:
    soon = (datetime.now(UTC) + timedelta(hours=1)).isoformat(timespec="seconds")
    folder = tmp_path / "ada"
    student_folder.write(Result(Fingerprint("m", "r"), wrong_at_the_secret(soon)), b"", folder, "ci")
    assert not student_folder.lacks_visible_sizes(folder)
    record = (folder / student_folder.RECORD).read_text()
    (folder / student_folder.RECORD).write_text(record.replace(soon, "2020-01-01T00:00:00+00:00"))
    assert student_folder.lacks_visible_sizes(folder)
    assert ClassResults([], [], [], tmp_path, "ci").show_hidden_sizes([]) == []


def test_a_rubric_says_what_is_wrong_with_its_hidden_sizes(tmp_path: Path) -> None:
    text = Path("rubrics/square.toml").read_text()
    for lines, words in (
        ("hidden = [31]\nvisible_after = 2026-12-01T00:00:00+01:00", "31 is not one of sizes.correctness"),
        ("hidden = [1024]", "visible_after is missing"),
        ("visible_after = 2026-12-01T00:00:00+01:00", "no sizes.hidden"),
        ("hidden = [1024]\nvisible_after = 2026-12-01", "offset from UTC are missing"),
        ('hidden = [1024]\nvisible_after = "soon"', "not a date"),
    ):
        (tmp_path / "lab.toml").write_text(text.replace("[sizes]\n", f"[sizes]\n{lines}\n"))
        said = CliRunner().invoke(main, ["rubric", "check", str(tmp_path / "lab.toml")])
        assert said.exit_code == 2, said.output
        assert words in " ".join(said.output.split()), said.output
