"""`grade sweep` as people use it."""

import csv
import signal
from pathlib import Path
from typing import Any

import pytest

from grader.study.present.outputs import SWEEP
from tests import lab
from tests.desk import PATIENCE, Desk

SIZED = lab.NAIVE.replace("{16, 16}", "{BLOCK, BLOCK}")
ENDLESS = lab.naive_with("volatile int one = 1; while (one) {}")


def words(desk: Desk, *more: str, **limits: Any) -> tuple[str | Path, ...]:
    small = lab.write_rubric(desk.folder, **limits)
    return ("sweep", "mine.cu", "--rubric", small, "--backend", "simulator", "--output", desk.output, *more)


def lines(desk: Desk) -> list[dict[str, str]]:
    with (desk.output / "sweep.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.usefixtures("simulator")
def test_a_study_of_block_sizes_without_a_gpu(desk: Desk):
    desk.write(SIZED)
    asked = words(desk, "--define", "BLOCK=8,16", "--sizes", "33:40:7")
    ended = desk.grade(*asked)
    assert ended.status == 0
    assert "[4/6]" in ended.stderr
    assert "Correct: 4 of 4." in ended.words
    assert "not measured on the simulator" in ended.words
    rows = lines(desk)
    assert [(row["subject"], row["BLOCK"], row["N"]) for row in rows] == [
        ("kernel", "8", "33"), ("kernel", "8", "40"), ("kernel", "16", "33"), ("kernel", "16", "40"),
        ("blas", "", "33"), ("blas", "", "40"),
    ]  # fmt: skip
    assert [row["gflops_median"] != "" for row in rows] == [False] * 4 + [True] * 2
    assert len(SWEEP.read(desk.output / "sweep.json").rows) == 6
    assert (desk.output / "study.html").exists()

    again = desk.grade(*asked)
    assert again.status == 0
    assert "6 of 6 measurements are from an earlier run" in again.words
    assert [{**row} for row in lines(desk)] == rows


@pytest.mark.usefixtures("simulator")
def test_a_study_knows_the_sizes_that_its_lab_times(desk: Desk):
    desk.write(lab.NAIVE)
    small = lab.write_rubric(desk.folder, sizes=(33, 40), timed=(33, 40))
    asked = ("--backend", "simulator", "--output", desk.output, "--baselines", "", "--sizes", "33")
    assert desk.grade("sweep", "mine.cu", "--rubric", small, *asked).status == 0
    assert [shape.N for shape in SWEEP.read(desk.output / "sweep.json").timed_sizes] == [33, 40]


@pytest.mark.usefixtures("simulator")
def test_a_failed_variant_is_reported_with_its_reason(desk: Desk):
    desk.write(SIZED)
    ended = desk.grade(*words(desk, "--define", "BLOCK=8,64", "--sizes", "33", "--baselines", ""))
    assert ended.status == 1
    assert "BLOCK=64: launch failed at N=33" in ended.words
    assert [row["verdict"] for row in lines(desk)] == ["ok", "launch-failed"]


@pytest.mark.usefixtures("simulator")
def test_ctrl_c_leaves_what_was_measured(desk: Desk):
    desk.write(lab.NAIVE)
    desk.write(ENDLESS, "endless.cu")
    process = desk.start(*words(desk, "endless.cu", "--sizes", "33,40", "--baselines", "blas", case_seconds=600))
    assert process.stderr is not None
    lines_so_far: list[str] = []
    try:
        for line in process.stderr:
            lines_so_far.append(line)
            if "[4/6]" in line:
                break
    finally:
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, [*lines_so_far, stderr]
    assert "4 of 6 measurements are finished and kept" in " ".join(stderr.split())
    measured = [(row["subject"], row["N"]) for row in lines(desk)]
    assert measured == [("kernel", "33"), ("kernel", "40"), ("blas", "33"), ("blas", "40")]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--sizes", "0"], "is not a size"),
        (["--sizes", "32x64x96"], "is not square"),
        (["--define", "BLOCK"], "does not give a macro its values"),
        (["--baselines", "mkl"], "there is no mkl"),
        (["--no-check"], "leaves nothing to do"),
        (["--peak-gflops", "0"], "--peak-gflops"),
    ],
)
def test_wrong_usage_is_a_sentence(more: list[str], sentence: str, desk: Desk):
    desk.write(SIZED)
    ended = desk.grade(*words(desk, *more))
    assert ended.status == 2
    assert sentence in ended.words


def test_a_file_that_is_not_there_is_wrong_usage(desk: Desk):
    ended = desk.grade(*words(desk))
    assert ended.status == 2
    assert "no file" in ended.words
