"""Every bad input and failure gives its exit status and a sentence, without a traceback or leftovers."""

import os
import resource
import shutil
import signal
from pathlib import Path

import psutil
import pytest

from grader.host import machine
from grader.model import Backend, State, Verdict
from grader.report.json_document import holds_finished
from tests import corpus, lab
from tests.desk import INTERRUPTIBLE, PATIENCE, Desk, wait_until

ENDLESS = corpus.named("broken/infinite_loop")
FINISHED = Path(__file__).parent / "report" / "golden" / "report.json"

pytestmark = pytest.mark.usefixtures("simulator")


WORDS = {"empty": "empty", "missing_semicolon": "does not compile", "far_access": "belongs to no matrix"}


@pytest.mark.parametrize("name", WORDS)
def test_a_broken_submission_costs_points_and_is_explained(name: str, desk: Desk):
    ended = desk.run(corpus.handed_in(corpus.named(f"broken/{name}"), desk.folder))
    report = desk.report()
    assert ended.status == 1, ended.words
    assert WORDS[name] in ended.words
    assert "Hint: " in ended.stdout
    assert report is not None
    assert report.state is State.FINISHED
    assert lab.verdict(report) is not Verdict.OK


def test_compiling_is_stopped_at_its_limit(desk: Desk, tmp_path: Path):
    slow = corpus.handed_in(corpus.named("broken/compiles_for_minutes"), tmp_path)
    ended = desk.grade_apart(*desk.run_words(slow, compile_seconds=1))
    assert ended.status == 1
    assert "Hint: " in ended.stdout
    assert "time" in ended.words or "took longer" in ended.words


@pytest.mark.parametrize("command", ["check", "run", "sweep"])
def test_a_path_that_is_too_long_is_said_to_be(command: str, desk: Desk):
    ended = desk.grade(command, f"{'a' * 300}/mine.cu")
    assert "File name too long" in ended.words
    assert "Traceback" not in ended.words


def test_a_file_of_more_than_a_mebibyte_is_refused(desk: Desk):
    ended = desk.run(desk.write(lab.NAIVE + f"// {'long' * (1 << 18)}\n"))
    assert ended.status == 1
    assert "larger than 1 MiB" in ended.words


def missing(desk: Desk) -> Path:
    desk.write(lab.NAIVE, "near.cu")
    return desk.folder / "nera.cu"


def folder(desk: Desk) -> Path:
    return desk.folder


def link(desk: Desk) -> Path:
    (desk.folder / "link.cu").symlink_to(desk.write(lab.NAIVE))
    return desk.folder / "link.cu"


def pipe(desk: Desk) -> Path:
    os.mkfifo(desk.folder / "pipe.cu")
    return desk.folder / "pipe.cu"


def device(_: Desk) -> Path:
    return Path("/dev/zero")


def unreadable(desk: Desk) -> Path:
    path = desk.write(lab.NAIVE)
    path.chmod(0)
    return Path("/proc/self/mem") if os.access(path, os.R_OK) else path  # root may read everything but that


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (missing, "Did you mean near.cu?"),
        (folder, "There is no .cu file in"),
        (link, "is a symbolic link"),
        (pipe, "is not a regular file"),
        (device, "is not a regular file"),
        (unreadable, "cannot be read"),
    ],
)
def test_a_path_that_is_no_readable_file_is_wrong_usage(make, words: str, desk: Desk):
    ended = desk.run(make(desk))
    assert ended.status == 2, ended.words
    assert words in ended.stderr
    assert ended.stdout == ""
    assert not desk.output.exists()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("title", "titel", "titel"),
        ("points = 80", "points = 70", "add up to 90"),
        ("timing = []", "timing = [64]", "so it must be in sizes.correctness too"),
        ("[33]", "[0]", "sizes.correctness[0]"),
        ("[33]", "[100000]", "sizes.correctness[0]"),
        ("format", "format = = 1", "line 2"),
    ],
)
def test_a_mistake_in_the_rubric_is_reported_with_its_place(old: str, new: str, words: str, desk: Desk):
    rubric = lab.write_rubric(desk.folder)
    rubric.write_text(rubric.read_text().replace(old, new, 1))
    ended = desk.grade("run", desk.write(lab.NAIVE), "--rubric", rubric, "--output", desk.output)
    assert ended.status == 2, ended.words
    assert words in ended.stderr
    assert not desk.output.exists()


@pytest.mark.parametrize("option", [("--rubric", "no.toml"), ("--backend", "abacus"), ("--seed", "-1"), ("--fast",)])
def test_a_wrong_option_is_wrong_usage(option: tuple[str, ...], desk: Desk):
    ended = desk.grade("run", desk.write(lab.NAIVE), *option)
    assert ended.status == 2
    assert option[-1] in ended.stderr


@pytest.mark.parametrize("place", ["taken", "/proc/nowhere"])
def test_a_folder_that_cannot_be_written_is_reported_before_anything_runs(place: str, desk: Desk):
    desk.write("a file", "taken")
    ended = desk.run(desk.write(lab.NAIVE), "--output", place)
    assert ended.status == 2
    assert f"{place} cannot be written" in ended.stderr
    assert "Name another folder." in ended.stderr


def test_a_requested_gpu_that_is_missing_is_a_grader_error(desk: Desk):
    if not machine.missing_for(Backend.CUDA):
        pytest.skip("there is a GPU")
    ended = desk.run(desk.write(lab.NAIVE), "--backend", "cuda")
    assert ended.status == 3
    assert "There is no usable GPU here" in ended.stderr
    assert "--backend simulator" in ended.stderr
    assert desk.report() is None


def test_a_missing_compiler_is_a_grader_error(desk: Desk):
    words = desk.run_words(desk.write(lab.NAIVE))
    ended = desk.grade_apart(*words, NVCC_CCBIN="/no/such/compiler")
    assert ended.status == 3
    assert "Correct NVCC_CCBIN, or unset it." in ended.stderr


def test_a_full_disk_for_the_reports_is_a_grader_error(desk: Desk, small_disk: Path):
    (small_disk / "full").write_bytes(bytes(64 << 10))
    ended = desk.run(desk.write(lab.NAIVE), "--output", small_disk)
    assert ended.status == 3, ended.words
    assert "could not be written: No space left on device" in ended.stderr
    assert "free some space" in ended.stderr
    assert "N=33   correct" in ended.stdout
    assert [path.name for path in small_disk.iterdir()] == ["full"]


def test_a_full_disk_for_temporary_files_is_a_grader_error_and_costs_no_points(desk: Desk, small_disk: Path):
    words = desk.run_words(desk.write(lab.NAIVE))
    ended = desk.grade_apart(*words, TMPDIR=str(small_disk))
    report = desk.report()
    assert ended.status == 3, ended.words
    assert "The grader could not finish." in ended.stderr
    assert "This costs no points." in ended.stderr
    assert report.state is State.INFRASTRUCTURE_FAULT
    assert report.score is None
    assert list(small_disk.iterdir()) == []


def has_a_limit_of_cpu_time(kernels: list[psutil.Process]) -> bool:
    """Whether a kernel has it, soon after its start."""
    return 0 < kernels[0].rlimit(resource.RLIMIT_CPU)[1] <= 24 * 3600 + 1


@pytest.mark.parametrize(
    ("number", "before", "after"),
    [(signal.SIGINT, None, State.INTERRUPTED), (signal.SIGTERM, FINISHED, State.FINISHED)],
)
def test_a_kernel_is_limited_and_its_interrupted_grade_says_so_and_replaces_no_finished_one(
    number: signal.Signals, before: Path | None, after: State, desk: Desk
) -> None:
    if before:
        desk.output.mkdir()
        shutil.copy(before, desk.output / "report.json")
    process = desk.start(*desk.run_words(ENDLESS, case_seconds=600), PYTHONWARNINGS=INTERRUPTIBLE)
    assert wait_until(desk.runs_a_kernel)
    assert wait_until(lambda: has_a_limit_of_cpu_time(desk.kernels()))
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=PATIENCE)
    report = desk.report()
    assert process.returncode == 130
    assert ("so there is no result." if before else f"The reports in {desk.output} show") in stderr
    assert "Traceback" not in stdout + stderr
    assert report.state is after
    assert not before or (desk.output / "report.json").read_bytes() == before.read_bytes()


@pytest.mark.parametrize("text", ['{"state": "interrupted"}', '{"state": "running"}', "{", "[]", "[" * 100_000, "{}"])
def test_only_the_report_of_a_finished_grade_stays(text: str, tmp_path: Path):
    assert not holds_finished(tmp_path)
    (tmp_path / "report.json").write_text(text)
    assert not holds_finished(tmp_path)
    (tmp_path / "report.json").write_bytes(FINISHED.read_bytes())
    assert holds_finished(tmp_path)


def test_a_killed_grader_leaves_a_valid_report_and_no_process(desk: Desk):
    process = desk.start(*desk.run_words(ENDLESS, case_seconds=600))
    assert wait_until(desk.runs_a_kernel)
    process.kill()
    process.communicate(timeout=PATIENCE)
    report = desk.report()
    assert report.state is State.RUNNING
    assert desk.strays() == []
    for box in desk.boxes():  # nobody was left to remove them
        shutil.rmtree(box)
