"""The starter that students get: its words are true."""

from __future__ import annotations

import re

import pytest

from grader import resources, rubric
from tests.desk import Desk

TEMPLATE = resources.folder("student_template")
README = (TEMPLATE / "README.md").read_text()
LAB_H = (resources.CHECKOUT / "grader" / "include" / "lab.h").read_text()


@pytest.mark.usefixtures("simulator")
def test_a_fresh_copy_can_be_checked_as_its_readme_says(desk: Desk):
    assert desk.grade("init", "lab").status == 0
    ended = desk.grade("check", "lab/matmul.cu", "--backend", "simulator")
    assert ended.status == 0, ended.words
    assert ended.stdout.startswith("Right at ")


@pytest.mark.parametrize("line", re.findall(r"^ +(grade \w+ [\w.]+)", README, re.MULTILINE))
def test_every_command_in_its_readme_exists(line: str, desk: Desk):
    assert desk.grade(line.split()[1], "-h").status == 0


def test_its_readme_names_commands():
    assert "grade check matmul.cu" in README
    assert "grade run matmul.cu" in README


def test_its_readme_explains_every_field_of_launch():
    assert re.findall(r"^\| `\.(\w+)`", README, re.MULTILINE) == ["block", "tile", "shared", "grid_x"]
    assert all(field in LAB_H for field in ("block", "tile", "shared", "grid_x"))


def test_its_kernel_is_the_one_that_the_square_lab_calls():
    square = rubric.load(resources.folder("rubrics") / "square.toml")
    kernel = (TEMPLATE / "matmul.cu").read_text()
    head = re.search(r"__global__ void (\w+)\((.*?)\)", kernel)
    assert head is not None
    names = [parameter.split()[-1].lstrip("*") for parameter in head[2].split(",")]
    assert (head[1], tuple(names)) == (square.interface.name, square.interface.parameters)
