"""The composite action for course repositories: its form, and its steps run for real as a runner would run them."""

import os
import re
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from grader.host.installation import CHECKOUT
from grader.report import json_document
from tests import lab

ACTION = YAML(typ="safe").load((CHECKOUT / "action.yml").read_text(encoding="utf-8"))
BASH = ("/usr/bin/env", "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")  # `shell: bash`, as GitHub says
WRONG = lab.naive_with('if (row == 0 && col == 0) printf("::error::forged\\n");').replace("k < N", "k < N - 1")

pytestmark = [pytest.mark.consumers, pytest.mark.usefixtures("simulator")]


@dataclass
class Runner:
    """What a runner gives to a step: folders, files to write to, and the values of expressions."""

    folder: Path
    outputs: dict[str, str] = field(default_factory=dict)
    log: str = ""

    def use(self, **inputs: str) -> int:
        """Run every step that is a command; the status is that of the first that fails. Installs once."""
        defaults = {name: str(input_["default"]) for name, input_ in ACTION["inputs"].items()}
        values = {f"inputs.{name}": value for name, value in (defaults | inputs).items()}
        steps = ACTION["runs"]["steps"][1 if not (self.folder / "temp" / "grader").exists() else 2 :]
        for step in steps:
            if status := self._run(step, values):
                return status
        return 0

    @property
    def summary(self) -> str:
        return (self.folder / "summary").read_text()

    def _run(self, step: dict[str, Any], values: dict[str, str]) -> int:
        known = values | self.outputs
        own = {name: _evaluated(text, known) for name, text in step.get("env", {}).items()}
        for name in ("output", "summary"):
            (self.folder / name).touch()
        ended = subprocess.run(
            [*BASH, step["run"]], cwd=self.folder / "work", env=self._environment() | own,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        self.log += ended.stdout
        for line in (self.folder / "output").read_text().splitlines():
            name, _, value = line.partition("=")
            self.outputs[f"steps.{step.get('id')}.outputs.{name}"] = value
        (self.folder / "output").unlink()
        return ended.returncode

    def _environment(self) -> dict[str, str]:
        offline = {
            "PIP_NO_DEPS": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_NO_INDEX": "1",
        }  # "0" is pip's way to say yes
        return {
            **os.environ, **offline,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONPATH": sysconfig.get_path("purelib"),  # what the package depends on
            "GITHUB_ACTION_PATH": str(CHECKOUT),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "RUNNER_TEMP": str(self.folder / "temp"),
        }  # fmt: skip


def _evaluated(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ (\S+) \}\}", lambda match: values[match[1]], text)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all, because installing is slow."""
    folder = tmp_path_factory.mktemp("runner")
    for name in ("temp", "work"):
        (folder / name).mkdir()
    lab.write_rubric(folder / "work")
    return folder


@pytest.fixture
def runner(folder: Path) -> Runner:
    (folder / "summary").unlink(missing_ok=True)
    return Runner(folder)


def submit(runner: Runner, text: str, name: str) -> dict[str, str]:
    (runner.folder / "work" / name).write_text(text)
    return {"submission": name, "rubric": "small.toml"}


def test_a_correct_submission_passes_with_every_output_a_summary_and_the_template_installed(runner: Runner):
    assert runner.use(**submit(runner, lab.NAIVE, "my kernel.cu")) == 0, runner.log
    report = json_document.REPORT.read(runner.folder / "work" / "grade-report" / "report.json")
    assert report.source.name == "my kernel.cu"
    assert runner.outputs["steps.show.outputs.earned"] == "100"
    assert runner.outputs["steps.grade.outputs.status"] == "0"
    assert runner.outputs["steps.show.outputs.result"]
    assert "Correct answers" in runner.summary
    assert runner.outputs.keys() >= {output["value"].strip("${} ") for output in ACTION["outputs"].values()}
    (data,) = (runner.folder / "temp").glob("grader/lib/python*/site-packages/grader/data/student_template")
    assert (data / ".gitlab-ci.yml").is_file()
    assert (data / ".github" / "workflows" / "grade.yml").is_file()


def test_a_wrong_submission_fails_the_job_at_its_line_and_its_output_is_not_obeyed(runner: Runner):
    assert runner.use(**submit(runner, WRONG, "wrong.cu")) == 1
    assert "::error::forged" in runner.log
    assert [line.split(",")[0] for line in commands(runner.log)] == [
        "::error file=wrong.cu",
        "::notice title=Points::20 of 100 points.",
    ]
    assert "wrong answer" in runner.summary


def commands(log: str) -> list[str]:
    """The lines that GitHub's runner would obey."""
    obeyed: list[str] = []
    mark = ""
    for line in log.splitlines():
        if mark:
            mark = "" if line == f"::{mark}::" else mark
        elif line.startswith("::stop-commands::"):
            mark = line.removeprefix("::stop-commands::")
        elif line.startswith("::"):
            obeyed.append(line)
    assert not mark
    return obeyed


def test_a_mistake_of_the_course_is_wrong_usage_and_leaves_no_earlier_grade(runner: Runner):
    assert runner.use(submission="nowhere.cu", rubric="small.toml") == 2
    assert "steps.show.outputs.earned" not in runner.outputs
    assert "nowhere.cu" in runner.log


def test_no_input_is_pasted_into_a_command():
    assert not [step["name"] for step in ACTION["runs"]["steps"] if "${{" in step.get("run", "")]
