"""Files with which other programs use this repository: pre-commit, GitHub's problem matcher, editors."""

import io
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from rich.console import Console
from ruamel.yaml import YAML

from grader.cli import main, terminal
from grader.host.installation import CHECKOUT
from tests import lab
from tests.desk import Desk
from tests.report import examples

PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
(HOOK,) = YAML(typ="safe").load((CHECKOUT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
(MATCHER,) = json.loads((CHECKOUT / "problem-matcher.json").read_text(encoding="utf-8"))["problemMatcher"]


def test_the_hook_of_pre_commit_runs_a_command_that_takes_many_files():
    program, name, *words = HOOK["entry"].split()
    assert program in PROJECT["scripts"]
    with main.make_context("grade", [name]) as parent:
        command = main.get_command(parent, name)
    with command.make_context(name, [*words, "a.cu", "b.cu"], parent=parent) as context:
        assert context.params["files"] == (Path("a.cu"), Path("b.cu"))
    assert re.search(HOOK["files"], "labs/matmul.cu")


def test_pre_commit_accepts_the_hook():
    command = (Path(sys.executable).parent / "pre-commit", "validate-manifest", CHECKOUT / ".pre-commit-hooks.yaml")
    assert subprocess.run(command, check=False).returncode == 0


def test_the_hook_installs_an_extra_that_exists():
    (extra,) = (re.fullmatch(r"\.\[(\w+)\]", dependency)[1] for dependency in HOOK["additional_dependencies"])  # type: ignore[index]
    assert extra in PROJECT["optional-dependencies"]


@pytest.mark.usefixtures("simulator")
def test_check_takes_many_files_and_ends_with_the_status_of_the_worst(desk: Desk):
    desk.write("", "first.cu")
    desk.write(lab.NAIVE, "second.cu")
    (desk.folder / "dir.cu").mkdir()
    given = ("--rubric", lab.write_rubric(desk.folder), "--backend", "simulator")
    ended = desk.grade("check", "first.cu", "second.cu", *given)
    assert ended.status == 1
    assert "first.cu:" in ended.stdout
    assert "second.cu:" in ended.stdout
    ended = desk.grade("check", "dir.cu", "second.cu", *given)
    assert ended.status == 2
    assert "Correct" in ended.stdout
    assert ended.stderr.endswith("There is no .cu file in dir.cu.\n")


def test_the_problem_matcher_finds_the_place_of_a_mistake():
    shown = Console(width=200, file=(written := io.StringIO()), highlight=False)
    shown.print(terminal.verdict_only(examples.not_compiled()))
    (pattern,) = MATCHER["pattern"]
    (match,) = filter(None, (re.search(pattern["regexp"], line) for line in written.getvalue().splitlines()))
    names = {name: match[place] for name, place in pattern.items() if name != "regexp"}
    assert names == {
        "code": "compile error", "file": "matmul.cu", "line": "3", "message": "Line 3 does not compile.",
    }  # fmt: skip


def test_the_schema_of_rubrics_is_printed_for_a_rubric_elsewhere(desk: Desk):
    shown = desk.grade("rubric", "schema")
    assert shown.status == 0
    assert shown.stdout == (CHECKOUT / "grader" / "schemas" / "rubric.schema.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted((CHECKOUT / "rubrics").glob("*.toml")), ids=lambda path: path.name)
def test_a_rubric_names_its_schema_for_editors(path: Path):
    first = path.read_text(encoding="utf-8").splitlines()[0]
    named = re.fullmatch(r"#:schema (\S+)", first)
    assert named
    assert (path.parent / named[1]).resolve() == (CHECKOUT / "grader" / "schemas" / "rubric.schema.json").resolve()
