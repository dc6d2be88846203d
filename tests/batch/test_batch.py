"""`grade batch` as an instructor uses it: real submissions, and what may go wrong.

What needs a cluster of processes has one: a whole class, kills, interrupts, lost workers and schedulers.
"""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from grader.batch.results import class_folder, student_folder
from grader.model import Report, State, Verdict
from grader.report import json_document
from grader.report.all_formats import FORMATS
from tests import lab
from tests.desk import INTERRUPTIBLE, PATIENCE, Desk, Ended, wait_until

WRONG = lab.NAIVE.replace("k < N", "k < N - 1")
SLOW = lab.naive_with("for (volatile int i = 0; i < 2000; ++i) {}")
ENDLESS = lab.naive_with("volatile int one = 1; while (one) {}")

pytestmark = pytest.mark.usefixtures("simulator")


def submit(desk: Desk, **students: str) -> Path:
    for name, text in students.items():
        folder = desk.folder / "class" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "matmul.cu").write_text(text)
    return desk.folder / "class"


def has_no_box(folder: Path) -> bool:
    return not list(folder.glob("grade-*"))


def words(desk: Desk, *more: str | Path) -> tuple[str | Path, ...]:
    small = desk.folder / "small.toml"
    rubric = small if small.exists() else lab.write_rubric(desk.folder, case_seconds=600)
    return ("batch", desk.folder / "class", "--rubric", rubric, "--backend", "simulator", "--output", "results", *more)


def batch(desk: Desk, *more: str | Path, **environment: str) -> Ended:
    return desk.grade(*words(desk, *more), **environment)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a graded class of two."""
    desk = Desk(tmp_path_factory.mktemp("graded"))
    desk.temporary.mkdir()
    submit(desk, ada=lab.NAIVE, ben=WRONG)
    assert batch(desk).status == 0
    return desk.folder


@pytest.fixture
def pair(desk: Desk, graded: Path) -> Desk:
    """A desk with that class and its results."""
    return Desk(shutil.copytree(graded, desk.folder, dirs_exist_ok=True))


def report_of(desk: Desk, student: str) -> Report:
    return json_document.REPORT.read(desk.folder / "results" / student / "report.json")


def points(desk: Desk, student: str) -> float:
    score = report_of(desk, student).score
    return score.earned


def states(desk: Desk) -> set[str]:
    """The states of the students in the gradebook."""
    with (desk.folder / "results" / "gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        return {line["state"] for line in csv.DictReader(file)}


def times(desk: Desk) -> dict[str, int]:
    """The time at which each student's result was written, in ns."""
    return {path.parent.name: path.stat().st_mtime_ns for path in desk.folder.glob("results/*/report.json")}


def failing_compiler(desk: Desk) -> str:
    """The path of a compiler that always fails, so that every grade ends in a grader error."""
    path = desk.folder / "no-compiler"
    path.write_text("#!/bin/sh\nexit 1\n")
    path.chmod(0o755)
    return str(path)


def without_working_compiler(desk: Desk) -> dict[str, str]:
    """The environment of a machine that compiles nothing and has compiled nothing before."""
    return {"NVCC_CCBIN": failing_compiler(desk), "GRADER_CACHE": str(desk.folder / "empty")}


def test_everyone_has_a_report_and_one_bad_submission_is_one_row(desk: Desk):
    submit(desk, ada=lab.NAIVE, ben=WRONG, cyd="no kernel", dee=lab.NAIVE)
    (desk.folder / "class" / "eve").mkdir()
    (desk.folder / "class" / "eve" / "notes.txt").write_text("I am late")
    ended = batch(desk)
    assert ended.status == 0, ended.words
    assert [points(desk, student) for student in ("ada", "ben", "cyd", "dee")] == [100, 20, 0, 100]
    assert {path.name for path in (desk.folder / "results" / "ben").iterdir()} == {*FORMATS, student_folder.RECORD}
    assert "[4/4]" in ended.stderr
    assert "ben: 20.0 / 100 wrong answer" in ended.words
    assert "2 passed, 2 failed." in ended.stdout
    assert "Median 60.0 of 100 points." in ended.stdout
    assert ended.stderr.count("eve: ") == 1
    assert "only notes.txt" in (desk.folder / "results" / "eve" / student_folder.REASON).read_text()
    assert (desk.folder / "results" / "gradebook.csv").exists()


def test_the_same_command_again_keeps_everything_and_starts_nothing(pair: Desk):
    before = times(pair)
    again = batch(pair, NVCC_CCBIN=failing_compiler(pair))
    assert again.status == 0, again.words
    assert "2 students: 2 kept." in again.stdout
    assert times(pair) == before


def test_one_named_student_is_graded_again_and_the_others_are_kept(pair: Desk):
    before = times(pair)
    again = batch(pair, "--student", "ben")
    assert again.status == 0, again.words
    assert "1 graded" in again.stdout
    assert {name for name, when in times(pair).items() if when != before[name]} == {"ben"}
    assert states(pair) == {"correct", "failed"}
    assert "There is no student bn" in batch(pair, "--student", "bn").words


def test_after_a_kill_the_same_command_resumes_where_it_stopped(desk: Desk):
    submit(desk, ada=lab.NAIVE, ben="no kernel", cyd=ENDLESS)
    process = desk.start(*words(desk))
    assert wait_until(lambda: len(times(desk)) >= 2 and desk.runs_a_kernel())
    process.kill()
    process.communicate()
    assert wait_until(lambda: not desk.strays())
    finished = {path.parent.name for path in desk.folder.glob("results/*/.graded.json")}
    before = times(desk)
    for left in desk.boxes():  # Dask's own, a few bytes; no box of a submission is in it
        assert left.name.startswith("grade-batch-")
        if wait_until(partial(has_no_box, left), 11):
            shutil.rmtree(left)  # else a worker was killed before its guardian began, and the next command sweeps
    assert finished == {"ada", "ben"}
    submit(desk, cyd=lab.NAIVE)
    again = batch(desk)
    assert again.status == 0, again.words
    assert "2 kept, 1 graded." in again.stdout
    assert {student: time for student, time in times(desk).items() if student != "cyd"} == before
    assert [points(desk, student) for student in ("ada", "ben", "cyd")] == [100, 0, 100]


def test_an_interrupted_class_ends_soon_and_reports_its_progress(desk: Desk):
    submit(desk, ada=lab.NAIVE, ben=ENDLESS)
    process = desk.start(*words(desk, "--workers", "1"), PYTHONWARNINGS=INTERRUPTIBLE)
    assert any("1/2" in line for line in process.stderr)
    command = psutil.Process(process.pid)
    for member in [*command.children(recursive=True), command]:
        member.send_signal(signal.SIGINT)  # as a terminal does
    stdout, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, stderr
    assert "Interrupted: 1 of 2 submissions are finished" in stderr
    assert "Traceback" not in stdout + stderr
    assert states(desk) == {"correct", "not graded yet"}


def test_a_lost_worker_costs_no_points(desk: Desk):
    submit(desk, ada=lab.NAIVE, ben=SLOW)
    process = desk.start(*words(desk, "--workers", "1"))
    assert wait_until(lambda: len(times(desk)) >= 1)
    dask_workers = [
        child for child in psutil.Process(process.pid).children() if "spawn_main" in " ".join(child.cmdline())
    ]
    assert dask_workers
    for worker in dask_workers:
        worker.kill()
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, stderr
    assert [points(desk, student) for student in ("ada", "ben")] == [100, 100]


def test_grader_errors_stay_listed_until_they_are_to_be_tried_again(pair: Desk):
    submit(pair, cyd=lab.NAIVE)
    first = batch(pair, **without_working_compiler(pair))
    assert (first.status, report_of(pair, "cyd").state) == (3, State.INFRASTRUCTURE_FAULT), first.words
    second = batch(pair)
    assert second.status == 3
    assert "3 kept" in second.stdout
    assert "Not graded, at no cost in points: cyd." in second.stdout
    before = times(pair)
    third = batch(pair, "--retry", "infrastructure")
    assert third.status == 0
    assert "2 kept, 1 graded" in third.stdout
    assert points(pair, "cyd") == 100
    assert times(pair)["ada"] == before["ada"]


def new_points(desk: Desk) -> None:
    small = desk.folder / "small.toml"
    text = small.read_text()
    small.write_text(text.replace("points = 20", "points = 50").replace("points = 80", "points = 50"))


def test_new_points_are_previewed_and_then_applied_without_running_anything(pair: Desk):
    old = report_of(pair, "ben")
    new_points(pair)
    preview = batch(pair, NVCC_CCBIN=failing_compiler(pair))
    assert preview.status == 0, preview.words
    assert "2 previewed" in preview.stdout
    ben = " ".join(["ben", "20.0 / 100", "50.0 / 100", "+30.0"])
    assert f"{ben} ada" in preview.words, "those whose points differ are first"
    assert points(pair, "ben") == 20
    applied = batch(pair, "--apply", NVCC_CCBIN=failing_compiler(pair))
    assert applied.status == 0
    assert ben in applied.words
    assert "2 scored again" in applied.stdout
    assert (points(pair, "ada"), points(pair, "ben")) == (100, 50)
    assert report_of(pair, "ben").results == old.results
    assert "50.0" in (pair.folder / "results" / "gradebook.csv").read_text()
    assert not (pair.folder / "results" / ".preview").exists()
    assert "2 kept." in batch(pair).stdout


def test_a_full_disk_loses_nothing_that_is_finished(desk: Desk, small_disk: Path):
    submit(desk, **{f"student{number}": lab.NAIVE for number in range(5)})
    ended = batch(desk, "--output", small_disk)
    assert ended.status == 3, ended.words
    assert ended.stderr.count("No space left on device") == 1
    kept = list(small_disk.glob("*/.graded.json"))
    assert 1 <= len(kept) < 5
    subprocess.run([str(shutil.which("mount")), "-o", "remount,size=2m", small_disk], check=True)
    again = batch(desk, "--output", small_disk)
    assert again.status == 0, again.words
    assert f"{len(kept)} kept, {5 - len(kept)} graded" in again.stdout


@dataclass
class Cluster:
    """A Dask scheduler and workers that another user has started, in another folder."""

    address: str
    scheduler: subprocess.Popen[bytes]
    settings: dict[str, Any]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def add_worker(self) -> None:
        words = (sys.executable, "-m", "dask", "worker", self.address, "--nthreads", "1", "--no-dashboard")
        self.workers.append(subprocess.Popen(words, **self.settings))


@pytest.fixture
def cluster(desk: Desk):
    far = desk.folder / "far"
    far.mkdir()
    root = Path(__file__).parents[2]
    settings: dict[str, Any] = {"cwd": far, "env": {**os.environ, "PYTHONPATH": str(root), "TMPDIR": str(far)}}
    quiet = {**settings, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    file = far / "scheduler.json"
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
         "--scheduler-file", file, "--dashboard-address", "127.0.0.1:0"], **quiet)  # fmt: skip
    assert wait_until(lambda: file.exists() and file.read_text().endswith("}"))
    address = json.loads(file.read_text())["address"]
    foreign = Cluster(address, scheduler, quiet)
    foreign.add_worker()
    yield foreign
    for process in (*foreign.workers, scheduler):
        process.terminate()
    for process in (*foreign.workers, scheduler):
        process.wait(PATIENCE)


def test_any_cluster_grades_without_a_shared_file_and_neither_lost_workers_nor_a_lost_scheduler_lose_a_grade(
    desk: Desk, cluster: Cluster
):
    submit(desk, ada="no kernel", ben=SLOW, cyd=ENDLESS)
    process = desk.start(*words(desk, "--scheduler", cluster.address))
    assert wait_until(lambda: len(times(desk)) == 1)
    cluster.workers[0].terminate()
    stderr = ""
    while "All workers have left" not in stderr:
        line = process.stderr.readline()
        assert line, stderr
        stderr += line
    for _ in range(2):  # one for the kernel that does not end
        cluster.add_worker()
    assert wait_until(lambda: len(times(desk)) == 2)
    cluster.scheduler.kill()
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3
    assert "scheduler was lost" in stderr
    assert "Traceback" not in stderr
    assert states(desk) == {"correct", "failed", "not graded yet"}
    assert [points(desk, student) for student in ("ada", "ben")] == [0, 100]


def test_what_cannot_be_graded_at_all_is_refused_before_anything_is_written(desk: Desk):
    nowhere = desk.grade(*words(desk, "--scheduler", "tcp://127.0.0.1:1"))
    assert nowhere.status == 2  # there is no class
    submit(desk, ada=lab.NAIVE)
    gone = batch(desk, "--scheduler", "tcp://127.0.0.1:1")
    inside = batch(desk, "--output", desk.folder / "class" / "results")
    assert (gone.status, inside.status) == (3, 2)
    assert "No Dask scheduler answers" in gone.stderr
    assert "lies inside" in inside.stderr
    assert not (desk.folder / "class" / "results").exists()


def test_workers_of_this_machine_and_a_cluster_together_are_wrong_usage(desk: Desk):
    submit(desk, ada=lab.NAIVE)
    ended = batch(desk, "--workers", "2", "--scheduler", "tcp://127.0.0.1:1")
    assert ended.status == 2
    assert "Leave out --workers" in ended.words
    assert not (desk.folder / "results").exists()


def test_two_commands_do_not_write_into_one_folder(desk: Desk):
    submit(desk, ada=lab.NAIVE)
    (desk.folder / "results").mkdir()
    with class_folder.lock(desk.folder / "results"):
        second = batch(desk)
    assert second.status == 2
    assert "Another `grade batch`" in second.stderr


def test_what_the_simulator_cannot_run_has_a_status_of_its_own_in_a_class_too(desk: Desk):
    single_bits = Path(__file__).parents[1] / "ptxsim" / "kernels" / "single_bits.cu"
    submit(desk, ada=single_bits.read_text())
    ended = batch(desk)
    assert ended.status == 4
    assert lab.verdict(report_of(desk, "ada")) is Verdict.NOT_SUPPORTED
