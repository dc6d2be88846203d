"""The starter for students: what its files say is true."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from grader.host import installation
from grader.rubric import load
from tests import lab
from tests.desk import Desk

TEMPLATE = installation.folder("student_template")
README = (TEMPLATE / "README.md").read_text()
LAB_H = (installation.CHECKOUT / "grader" / "include" / "lab.h").read_text()


@pytest.mark.usefixtures("simulator")
def test_a_fresh_copy_can_be_checked_as_its_readme_says(desk: Desk):
    assert desk.grade("init", "lab").status == 0
    ended = desk.grade("check", "lab/matmul.cu", "--backend", "simulator")
    assert ended.status == 0, ended.words
    assert ended.stdout.startswith("Correct at ")


@pytest.mark.parametrize("line", re.findall(r"^ +(grade \w+ [\w.]+)", README, re.MULTILINE))
def test_every_command_in_its_readme_exists(line: str, desk: Desk):
    assert desk.grade(line.split()[1], "--help").status == 0


def test_its_readme_names_commands():
    assert "grade check matmul.cu" in README
    assert "grade run matmul.cu" in README


def test_its_readme_explains_every_field_of_launch():
    assert re.findall(r"^\| `\.(\w+)`", README, re.MULTILINE) == ["block", "tile", "shared", "grid_x"]
    assert all(field in LAB_H for field in ("block", "tile", "shared", "grid_x"))


def test_its_kernel_is_the_one_that_the_square_lab_calls():
    square = load.load(installation.folder("rubrics") / "square.toml")
    kernel = (TEMPLATE / "matmul.cu").read_text()
    head = re.search(r"__global__ void (\w+)\((.*?)\)", kernel)
    assert head is not None
    names = [parameter.split()[-1].lstrip("*") for parameter in head[2].split(",")]
    assert (head[1], tuple(names)) == (square.interface.name, square.interface.parameters)


ACTION = installation.CHECKOUT / "action.yml"
WORKFLOW = TEMPLATE / ".github" / "workflows" / "grade.yml"
GITLAB = TEMPLATE / ".gitlab-ci.yml"


def loaded(path: Path) -> Any:
    return YAML(typ="safe").load(path.read_text(encoding="utf-8"))


def test_its_workflow_gives_the_action_only_inputs_that_it_has():
    (step,) = (step_ for step_ in loaded(WORKFLOW)["jobs"]["grade"]["steps"] if step_.get("uses") == "./.grader")
    assert set(step["with"]) <= set(loaded(ACTION)["inputs"])
    assert (TEMPLATE / step["with"]["submission"]).is_file()


def test_its_workflow_asks_for_nothing_but_to_read():
    assert loaded(WORKFLOW)["permissions"] == {"contents": "read"}
    assert all(checkout["with"]["persist-credentials"] is False for checkout in checkouts())


def test_its_workflow_can_fetch_a_private_grader():
    (grader,) = (checkout["with"] for checkout in checkouts() if "repository" in checkout["with"])
    assert grader["token"].split() == ["${{", "secrets.GRADER_TOKEN", "||", "github.token", "}}"]


def checkouts() -> list[Any]:
    return [step for step in loaded(WORKFLOW)["jobs"]["grade"]["steps"] if "actions/checkout" in step.get("uses", "")]


@pytest.mark.usefixtures("simulator")
def test_its_gitlab_job_leaves_what_it_promises(desk: Desk):
    """Runs the job's commands without the installation, on a wrong kernel and a small lab."""
    job = loaded(GITLAB)["grade"]
    small = lab.write_rubric(desk.folder)
    desk.write(lab.naive_with("N = N - 1;"), "matmul.cu")
    graded = [line for line in job["script"] if line.startswith("grade run")]
    after = "\n".join(job["after_script"])
    ended = [*(run(desk, f"{line} --rubric {small}") for line in graded), run(desk, after)]
    assert ended == [1, 0]
    reports = job["artifacts"]["reports"]
    assert all((desk.folder / path).is_file() for path in reports.values())
    assert '"path": "matmul.cu"' in (desk.folder / reports["codequality"]).read_text()


def run(desk: Desk, line: str) -> int:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "TMPDIR": str(desk.temporary)}
    return subprocess.run(
        ["/usr/bin/env", "bash", "-ec", line], cwd=desk.folder, env=environment, check=False
    ).returncode
