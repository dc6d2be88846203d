"""Sizes that a rubric hides until a date: no format for students shows them, and the instructor's files count them."""

import base64
import csv
import html
import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from grader import pipeline
from grader.advice.advise import advice_on
from grader.batch.present.class_files import ClassResults, write_class
from grader.batch.results import student_folder
from grader.batch.results.reuse import Fingerprint, Lab, Result, fingerprint
from grader.cli import main
from grader.export import gradescope_zip, points
from grader.export.formats import FORMATS
from grader.judge.conditions import Conditions, GradePlan
from grader.judge.stages import LibraryProduct
from grader.judge.worker_pool import SUBMISSION
from grader.model import Backend, Fault, Machine, Report, Rubric, Shape, SharedBaselines, Verdict
from grader.rubric.outcome import grade
from grader.rubric.score import score
from grader.rubric.visible import for_students, visible_rubric
from grader.timing.baselines import GradeBaselines
from grader.timing.measuring import Timings
from tests.advice.test_advice import UNCOALESCED
from tests.batch.present.class_rows import row
from tests.every_format import for_instructors
from tests.every_format import for_students as formats_for_students
from tests.lab import naive_with, plan, write_rubric
from tests.launcher import start_here
from tests.report import examples

SECRET = Shape(777, 777, 777)
BEFORE, AFTER = datetime(2026, 11, 30, 22, 59, 59, tzinfo=UTC), datetime(2026, 11, 30, 23, tzinfo=UTC)
LATER = "2999-12-01T00:00:00+01:00"
TRACES = re.compile(r"(?<![0-9a-f])777|secret", re.IGNORECASE)  # not digits of a random token


def lab(visible_after: str = "2026-12-01T00:00:00+01:00") -> Rubric:
    """The example, with a size that is checked, timed and hidden."""
    whole = examples.rubric()
    return replace(
        whole,
        sizes=(*whole.sizes, SECRET),
        timed_sizes=(*whole.timed_sizes, SECRET),
        criteria=tuple(
            replace(criterion, sizes=criterion.sizes and (*criterion.sizes, SECRET)) for criterion in whole.criteria
        ),
        hidden_sizes=(SECRET,),
        visible_after=visible_after,
    )


def wrong_at_the_secret(visible_after: str = "2026-12-01T00:00:00+01:00") -> Report:
    """A report that is wrong at a visible size and at the hidden one, which all texts about it mention."""
    secret = examples.failed(SECRET, "second", Verdict.WRONG_ANSWER, "The secret row is wrong.", printed="secret")
    failed = examples.failed(examples.LARGE, "second", Verdict.WRONG_ANSWER, "Wrong.")
    return examples.report(
        rubric=lab(visible_after),
        results=(*examples.right(), failed, secret),
        measurements=(examples.measurement(), examples.measurement(SECRET, gflops=7.0)),
        baselines={"naive": (examples.measurement(SECRET),)},
    )


def right_but_at_the_secret() -> Report:
    secret = examples.failed(SECRET, "second", Verdict.CRASHED, "The secret crash.")
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


def test_texts_of_a_student_are_not_changed_because_that_would_reveal_the_hidden_size() -> None:
    names = ", ".join(f"N={size}" for size in range(770, 780))
    log = examples.report().build
    assert log is not None
    log = replace(log, log=names)
    printed = replace(examples.right()[0], printed=names)
    not_compiled = Fault(Verdict.COMPILE_ERROR, names, names, detail=names)
    shown = for_students(examples.report(rubric=lab(), build=log, results=(printed,), fault=not_compiled), BEFORE)
    assert shown.build == log
    assert shown.results == (printed,)
    assert shown.fault == not_compiled


def test_the_hash_of_the_rubric_is_not_that_of_the_file_with_the_hidden_size() -> None:
    shown = visible_rubric(lab(), BEFORE)
    assert shown.sha256 not in {"", lab().sha256}
    other = replace(lab(), sizes=(*examples.rubric().sizes, Shape(778, 778, 778)), sha256="b" * 64)
    moved = replace(other, hidden_sizes=other.sizes[-1:], timed_sizes=(), criteria=())
    assert (
        visible_rubric(moved, BEFORE).sha256
        == visible_rubric(replace(lab(), timed_sizes=(), criteria=()), BEFORE).sha256
    )


def test_the_seconds_of_hidden_sizes_do_not_show() -> None:
    stages = {"compile": 1.0, "check": 2.0, "check hidden sizes": 30.0, "time": 4.0, "count": 5.0}
    shown = for_students(replace(right_but_at_the_secret(), stages=stages), BEFORE)
    assert shown.stages == {"compile": 1.0, "check": 2.0}


def test_what_a_class_is_compared_with_stays_without_the_name_of_a_hidden_size() -> None:
    shared = SharedBaselines("2026-11-27T12:00:00+00:00", f"naive at {SECRET}", 0.01)
    shown = for_students(replace(right_but_at_the_secret(), shared_baselines=shared), BEFORE).shared_baselines
    assert shown == replace(shared, checked="naive at a hidden size")


def test_the_points_of_advice_do_not_depend_on_a_hidden_size() -> None:
    measured = (examples.measurement(), examples.measurement(SECRET, gflops=7.0, speedup=1.0, fraction=0.01))
    whole = examples.report(rubric=lab(), counters=UNCOALESCED, measurements=measured)
    advice = pipeline._complete(whole, "").advice
    assert advice.items[0].points_high
    assert advice == advice_on(for_students(whole, BEFORE))


def test_an_attempt_from_before_a_size_was_hidden_does_not_name_it(tmp_path: Path) -> None:
    report = wrong_at_the_secret(LATER)
    shown_then = replace(report.rubric, hidden_sizes=(), visible_after="")
    before = replace(report, rubric=shown_then, started="2025-02-01T09:30:00+01:00", results=report.results[:-1])
    for attempt in (before, report):
        student_folder.write(Result(Fingerprint("m", "r"), attempt), b"a kernel", tmp_path / "ada")
    assert not TRACES.search((tmp_path / "ada" / "report.html").read_text())


def test_a_size_that_is_hidden_later_is_graded_apart_from_the_others() -> None:
    seen = Lab(replace(lab(), hidden_sizes=(), visible_after=""), b"naive", Backend.CUDA)
    apart = fingerprint(replace(seen, rubric=lab()), b"a kernel")
    assert apart.measured != fingerprint(seen, b"a kernel").measured
    assert apart.measured == fingerprint(replace(seen, rubric=lab(LATER)), b"a kernel").measured, "only a date"


@pytest.mark.parametrize("at_the_secret", [Verdict.OK, Verdict.CRASHED])
def test_hidden_sizes_are_timed_last_and_decide_on_no_other(monkeypatch: pytest.MonkeyPatch, at_the_secret):
    huge, timed = Shape(4096, 4096, 4096), list[Shape]()

    def note(shapes: Sequence[Shape]) -> Iterator[Timings]:
        timed.extend(shapes)
        return iter(())

    monkeypatch.setattr(pipeline, "comparison", lambda *_: GradeBaselines())
    monkeypatch.setattr(pipeline, "measure", lambda _, shapes: note(shapes))
    rubric = replace(lab(), timed_sizes=(SECRET, examples.LARGE, huge))
    is_right = at_the_secret is Verdict.OK
    secret = examples.ok(SECRET, "second") if is_right else examples.failed(SECRET, "second", at_the_secret)
    report = examples.report(rubric=rubric, results=(*examples.right(), secret))
    of = GradePlan(Path("mine.cu"), rubric, b"", 1, rubric.sizes)
    conditions, kernel = Conditions(rubric, report.machine, 1), LibraryProduct(SUBMISSION, rubric.launch)
    pipeline._time(pipeline.Grading(of, report, lambda *_: None), conditions, kernel, {}, lambda: ())
    assert timed == [examples.LARGE, huge, *([SECRET] if is_right else [])]


TELLS_AND_HANGS = """
__device__ int last;
extern "C" __device__ int printf(const char *, ...);
"""


@pytest.mark.parametrize("at_37", ["", "C[0] = 1.0f; return;", "while (*(volatile int *)&last) {}"])
def test_what_a_kernel_does_at_a_hidden_size_changes_nothing_at_the_others(tmp_path: Path, simulator: Machine, at_37):
    prints = 'if (row == 0 && col == 0) { if (last != N) printf("%x ", last); last = N; }'
    (tmp_path / "mine.cu").write_text(TELLS_AND_HANGS + naive_with(f"{prints} if (N == 37) {{ {at_37} }}"))
    with_37 = plan(tmp_path / "mine.cu", write_rubric(tmp_path, (33, 37, 48), case_seconds=1), start=start_here)
    secret = pipeline.grade(
        replace(with_37, rubric=replace(with_37.rubric, hidden_sizes=(Shape(37, 37, 37),), visible_after=LATER)),
        simulator,
        lambda *_: None,
    )
    without_37 = plan(tmp_path / "mine.cu", write_rubric(tmp_path, (33, 48), case_seconds=1), start=start_here)
    without = pipeline.grade(without_37, simulator, lambda *_: None)
    assert {result.case.shape.N for result in secret.results} == {33, 37, 48}
    shown = for_students(secret, BEFORE)
    assert [(result.case, result.verdict, result.printed) for result in shown.results] == [
        (result.case, result.verdict, result.printed) for result in without.results
    ]
    assert (shown.counters, shown.advice) == (without.counters, without.advice)
    assert shown.counters is not None


def test_a_criterion_of_hidden_sizes_only_is_left_out_with_what_requires_it() -> None:
    whole = lab()
    only = replace(whole.criteria[2], id="secret", sizes=(SECRET,))
    needs = replace(whole.criteria[3], requires=("correct", "secret"))
    shown = visible_rubric(replace(whole, criteria=(*whole.criteria[:2], only, needs)), BEFORE)
    assert [(criterion.id, criterion.requires) for criterion in shown.criteria] == [
        ("compiles", ()),
        ("correct", ()),
        ("library", ("correct",)),
    ]


MISTAKES_ONLY = {"sarif", "gitlab"}  # they state neither points nor that anything is correct
STAFF_ONLY = {"gradebook.csv", "index.html"}  # hidden sizes count there


@pytest.mark.parametrize("changes", [{}, {"machine": examples.simulated().machine, "measurements": ()}])
def test_every_format_says_that_more_sizes_count_and_when_they_are_shown(changes: dict[str, Any]) -> None:
    report = for_students(examples.report(rubric=lab(), **changes), BEFORE)
    for name, text in {**formats_for_students(report), **for_instructors(report)}.items():
        if name == "report.json":
            assert json.loads(text)["rubric"]["visible_after"] == "2026-12-01T00:00:00+01:00"
        elif name not in MISTAKES_ONLY | STAFF_ONLY:
            plain = base64.b64decode(text).decode() if name == "github-classroom" else html.unescape(text)
            assert "More sizes count for the grade. They are shown after 2026-12-01 00:00+01:00." in plain, name


def test_the_files_of_a_class_for_students_hide_what_its_gradebook_counts(tmp_path: Path) -> None:
    report = wrong_at_the_secret(LATER)
    before = replace(report, started="2025-02-01T09:30:00+01:00", results=report.results[:-1])
    for attempt in (before, report):
        student_folder.write(Result(Fingerprint("m", "r"), attempt), b"a kernel", tmp_path / "ada")
    write_class([row("ada", report)], tmp_path)
    for name in ("ada/report.html", "ada/junit.xml", "junit.xml", "leaderboard.html"):
        assert not TRACES.search((tmp_path / name).read_text()), name
    student_folder.write_dialect(report, tmp_path / "ada")
    assert not TRACES.search((tmp_path / "ada" / "junit.xml").read_text())
    (line,) = csv.DictReader(io.StringIO((tmp_path / "gradebook.csv").read_text("utf-8-sig")))
    assert float(line["earned"]) == round(report.score.earned, 2)
    stored = student_folder.read(tmp_path / "ada")
    assert stored.report.score == report.score


def test_feedback_on_the_best_attempt_does_not_reveal_which_one_is_correct_at_the_hidden_size(tmp_path: Path) -> None:
    measured = (examples.measurement(), examples.measurement(SECRET))
    right = (*examples.right(), examples.ok(SECRET, "second"))
    first = examples.report(rubric=lab(LATER), results=right, measurements=measured)
    second = replace(first, started="2025-04-01T09:30:00+01:00", results=right_but_at_the_secret().results)
    for attempt in (first, replace(second, score=score(second))):
        student_folder.write(Result(Fingerprint("m", "r"), attempt), b"", tmp_path / "results" / "ada")
    words = ["export", "feedback", str(tmp_path / "results"), "--attempt", "best", "--output", str(tmp_path / "texts")]
    said = CliRunner().invoke(main, words)
    assert said.exit_code == 0, said.output
    assert "graded 2025-04-01" in (tmp_path / "texts" / "feedback" / "ada.txt").read_text()


def test_an_autograder_has_the_maximum_of_the_visible_sizes(tmp_path: Path) -> None:
    criteria = """
[[criteria]]
id = "secret"
title = "At another size"
kind = "correct"
points = 20
sizes = [64]
"""
    path = write_rubric(tmp_path, (33, 64))
    text = (
        path.read_text()
        .replace("points = 80", "points = 60")
        .replace("[sizes]", f"[sizes]\nhidden = [64]\nvisible_after = {LATER}")
    )
    path.write_text(text + criteria)
    with ZipFile(BytesIO(gradescope_zip.build(path))) as archive:
        assert json.loads(archive.read("without_one_file.json"))["tests"][0]["max_score"] == 80


def test_a_lab_with_points_at_hidden_sizes_only_blames_no_machine() -> None:
    only = replace(lab().criteria[1], sizes=(SECRET,), requires=())
    report = examples.report(rubric=replace(lab(), criteria=(only,)))
    why = points.why_no_grade(for_students(report, BEFORE))
    assert why.startswith("There are no points for the sizes that are shown. More sizes count for the grade.")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results") / "ada"
    student_folder.write(Result(Fingerprint("m", "r"), wrong_at_the_secret(LATER)), b"", folder)
    return folder / "report.json"


@pytest.mark.parametrize("name", [format_.name for format_ in FORMATS] + ["gradescope", "report"])
def test_exports_of_the_instructors_record_hide_the_sizes(tmp_path: Path, name: str, record: Path) -> None:
    page = tmp_path / "page.html"
    words = ["report", str(record), "--output", str(page)] if name == "report" else ["export", name, str(record)]
    said = CliRunner().invoke(main, words)
    assert said.exit_code == 0, said.output
    assert not TRACES.search(page.read_text() if name == "report" else said.stdout)


@pytest.mark.parametrize(("platform", "options"), [
    ("canvas", ["--assignment", "Lab (7)"]),
    ("moodle", ["--title", "Lab", "--match", "SIS Login ID"]),
])  # fmt: skip
def test_a_gradebook_warns_of_points_that_tell_of_hidden_sizes_and_moodle_states_them_once(
    tmp_path: Path, platform: str, options: list[str], record: Path
) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("Student,ID,SIS Login ID,Section,Lab (7)\nAda,1,ada,A,\n")
    results = str(record.parent.parent)
    said = CliRunner().invoke(main, ["export", platform, results, "--roster", str(roster), *options])
    assert said.exit_code == 0, said.output
    assert "these points count N=777, hidden until 2999-12-01 00:00+01:00" in " ".join(said.stderr.split())
    assert not re.search(r"of [\d.]+ points\.", said.stdout)


def test_pages_show_the_sizes_when_the_command_runs_after_the_date(tmp_path: Path) -> None:
    soon = (datetime.now(UTC) + timedelta(hours=1)).isoformat(timespec="seconds")
    folder = tmp_path / "ada"
    student_folder.write(Result(Fingerprint("m", "r"), wrong_at_the_secret(soon)), b"", folder)
    assert not student_folder.lacks_visible_sizes(folder)
    record = (folder / student_folder.RECORD).read_text()
    (folder / student_folder.RECORD).write_text(record.replace(soon, "2020-01-01T00:00:00+00:00"))
    assert student_folder.lacks_visible_sizes(folder)
    assert list(ClassResults([], [], [], tmp_path).repair([])) == []


def test_a_rubric_says_what_is_wrong_with_its_hidden_sizes(tmp_path: Path) -> None:
    text = Path("rubrics/square.toml").read_text()
    for lines, words in (
        ("hidden = [31]\nvisible_after = 2026-12-01T00:00:00+01:00", "31 is not one of sizes.correctness"),
        ("hidden = [1024]", "the field `visible_after` is missing"),
        ("visible_after = 2026-12-01T00:00:00+01:00", "the field `hidden` is missing"),
        ("hidden = [1024]\nvisible_after = 2026-12-01", "must be a date with its time and offset"),
        ('hidden = [1024]\nvisible_after = "soon"', "must be a date"),
    ):
        (tmp_path / "lab.toml").write_text(text.replace("[sizes]\n", f"[sizes]\n{lines}\n"))
        said = CliRunner().invoke(main, ["rubric", "check", str(tmp_path / "lab.toml")])
        assert said.exit_code == 2, said.output
        assert words in " ".join(said.output.split()), said.output
