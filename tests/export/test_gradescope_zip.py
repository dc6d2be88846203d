"""The autograder zip, unpacked and run where Gradescope would: beside source/, submission/ and results/."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from grader.export import gradescope_zip
from grader.export.gradescope import DEFAULT, DisplayOptions, Visibility
from grader.rubric import labs
from grader.rubric.load import load
from tests import lab

pytestmark = pytest.mark.usefixtures("simulator")


@dataclass(frozen=True)
class Autograder:
    root: Path

    def submit(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self.root / "submission" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def run(self) -> int:
        environment = {**os.environ, "GRADER_PYTHON": sys.executable}
        return subprocess.run(["./run_autograder"], cwd=self.root, env=environment, check=False).returncode

    def results(self) -> Any:
        """The content of results.json, None where there is none."""
        path = self.root / "results" / "results.json"
        return json.loads(path.read_text()) if path.exists() else None


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Autograder:
    return unpacked(tmp_path_factory.mktemp("used"))


@pytest.fixture
def autograder(used: Autograder) -> Autograder:
    """One that has compiled its modules, without files of others."""
    for folder in ("submission", "results"):
        shutil.rmtree(used.root / folder, ignore_errors=True)
        (used.root / folder).mkdir()
    return used


def test_the_headers_of_the_course_are_part_of_the_zip(tmp_path: Path) -> None:
    path = lab.write_rubric(tmp_path)
    path.write_text(f'{path.read_text()}\n[files]\nheaders = ["include/timer.h"]\n')
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "timer.h").write_text("#pragma once\n")
    with ZipFile(BytesIO(gradescope_zip.build(path, DEFAULT))) as archive:
        assert archive.read("include/timer.h") == b"#pragma once\n"


def unpacked(folder: Path, shown: DisplayOptions = DEFAULT) -> Autograder:
    """As Gradescope lays it out: the zip in source/, and its run_autograder copied one folder up."""
    root = folder / "autograder"
    with ZipFile(BytesIO(gradescope_zip.build(lab.write_rubric(folder), shown))) as archive:
        for info in archive.infolist():
            path = Path(archive.extract(info, root / "source"))
            path.chmod(info.external_attr >> 16)
    shutil.copy(root / "source" / "run_autograder", root)
    (root / "submission").mkdir()
    return Autograder(root)


def points(results: dict[str, Any]) -> list[tuple[float, float]]:
    return [(test["score"], test["max_score"]) for test in results["tests"]]


def test_a_correct_submission_gets_its_points_and_students_see_what_the_zip_was_built_for(tmp_path: Path):
    shown = DisplayOptions(Visibility.AFTER_PUBLISHED, Visibility.AFTER_DUE_DATE, leaderboard=False)
    autograder = unpacked(tmp_path, shown)
    autograder.submit({"matmul.cu": lab.NAIVE, "notes": "no kernel"})
    assert autograder.run() == 0
    results = autograder.results()
    assert points(results) == [(20, 20), (80, 80)]
    assert (results["visibility"], results["stdout_visibility"]) == ("after_published", "after_due_date")
    assert not {"output", "leaderboard"} & set(results)


@pytest.mark.parametrize("name", ["square", "pitched"])
def test_of_all_kernels_it_contains_the_naive_one_of_its_lab_only(name: str):
    path = labs.rubric(name)
    with ZipFile(BytesIO(gradescope_zip.build(path))) as archive:
        kernels = {name for name in archive.namelist() if name.endswith(".cu")}
    assert kernels == {load(path).naive, "grader/worker/cuda/bench.cu"}


def test_an_empty_submission_is_reported_at_once_whatever_waits(tmp_path: Path):
    autograder = unpacked(tmp_path, DisplayOptions(Visibility.HIDDEN))
    assert autograder.run() == 0
    assert "Submit one file" in autograder.results()["output"]


def test_a_wrong_submission_of_several_files_gets_its_points_and_the_reason(autograder: Autograder):
    autograder.submit(
        {
            "src/main.cu": '#include "../include/kernel.cuh"\n#include "host.cu"\n',
            "src/host.cu": "int main() {}\n",
            "include/kernel.cuh": lab.naive_with("N = N - 1;"),
            ".ipynb_checkpoints/main-checkpoint.cu": lab.NAIVE,
        }
    )
    assert autograder.run() == 0
    results = autograder.results()
    assert points(results) == [(20, 20), (0, 80)]
    assert all(words in results["output"] for words in ("kernel.cuh", "Hint: "))


@pytest.mark.parametrize("files", [{}, {"a.cu": lab.NAIVE, "b.cu": lab.NAIVE}, {"__MACOSX/._a.cu": "x"}])
def test_without_one_file_to_grade_the_student_learns_so(files: dict[str, str], autograder: Autograder):
    autograder.submit(files)
    assert autograder.run() == 0
    assert points(autograder.results()) == [(0, 100)]


def test_a_grader_error_leaves_no_results_so_that_no_student_gets_a_zero(tmp_path: Path):
    autograder = unpacked(tmp_path)
    autograder.submit({"matmul.cu": lab.NAIVE})
    (autograder.root / "results").mkdir()
    (autograder.root / "results" / "results.json").write_text('{"score": 0}')
    (autograder.root / "source" / "rubric.toml").write_text("broken")
    assert autograder.run() != 0
    assert autograder.results() is None


def test_the_scripts_are_where_gradescope_looks_and_can_be_run(autograder: Autograder):
    for script in ("setup.sh", "run_autograder"):
        path = autograder.root / "source" / script
        assert os.access(path, os.X_OK)
        assert path.read_bytes().startswith(b"#!/usr/bin/env bash\n")


def test_it_brings_what_the_grader_needs(tmp_path: Path):
    autograder = unpacked(tmp_path)
    needed = (autograder.root / "source" / "requirements.txt").read_text()
    assert "numpy" in needed
    assert "pycuda" not in needed
    assert not list((autograder.root / "source").rglob("__pycache__"))


def test_the_same_lab_gives_the_same_bytes(tmp_path: Path):
    rubric = lab.write_rubric(tmp_path)
    assert gradescope_zip.build(rubric) == gradescope_zip.build(rubric)


def test_a_naive_kernel_beside_the_rubric_comes_along(tmp_path: Path):
    (tmp_path / "naive.cu").write_text(lab.NAIVE)
    with ZipFile(BytesIO(gradescope_zip.build(lab.write_rubric(tmp_path)))) as archive:
        assert archive.read("naive.cu").decode() == lab.NAIVE
