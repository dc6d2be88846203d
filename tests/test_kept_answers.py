"""A grade with kept answers is the grade that gave them."""

import shutil
from pathlib import Path

import pytest

from grader.model import Report
from grader.rubric import load
from grader.worker.simulator.executor import Executor
from tests import corpus, kept_answers, lab
from tests.launcher import start_here

pytestmark = pytest.mark.usefixtures("simulator")
RIGHT = lab.NAIVE.encode()  # of which every case is asked for; that of the next size may be, where one fails
WRONG = lab.naive_with("if (row == 5) return;").encode()
# Its answer depends on the launches before.
REMEMBERS = corpus.content(corpus.named("wrong/sums_kept_between_launches"))
ENDLESS = lab.naive_with("volatile int one = 1; while (one) {}").encode()


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRADER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def graded(content: bytes, folder: Path, case_seconds: float = 5) -> Report:
    return lab.grade_here(content, load.load(lab.write_rubric(folder, case_seconds=case_seconds)))


def told(report: Report) -> list[object]:
    return [(result.case, result.verdict, result.fault) for result in report.results]


def test_what_was_answered_is_repeated_and_no_kernel_runs(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
):
    first = graded(RIGHT, tmp_path)
    assert list(own_cache.glob("*/answer"))
    monkeypatch.setattr(Executor, "check", lambda *_: pytest.fail("the kernel ran"))
    assert told(graded(RIGHT, tmp_path)) == told(first)


def test_an_edit_of_what_a_worker_imports_runs_the_kernel_again(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
):
    graded(WRONG, tmp_path)
    before = {*own_cache.glob("*/answer")}
    monkeypatch.setattr(kept_answers, "code", lambda: "edited")
    graded(WRONG, tmp_path)
    assert {*own_cache.glob("*/answer")} > before


def test_where_only_the_first_answers_are_kept_the_last_ones_are_those_of_a_worker_that_gave_all(
    tmp_path: Path, own_cache: Path
):
    rubric = load.load(lab.write_rubric(tmp_path))
    first = lab.grade_here(REMEMBERS, rubric, start=start_here)
    lab.grade_here(REMEMBERS, rubric)
    by_time = sorted(own_cache.glob("*/answer"), key=lambda path: path.stat().st_mtime_ns)
    assert len(by_time) > 1
    shutil.rmtree(by_time[-1].parent)
    assert told(lab.grade_here(REMEMBERS, rubric)) == told(first)


def test_what_ended_at_a_limit_of_time_is_not_kept(tmp_path: Path, own_cache: Path):
    graded(ENDLESS, tmp_path, case_seconds=0.2)
    assert not list(own_cache.glob("*/answer"))
