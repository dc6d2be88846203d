"""docs/courses.md: its commands exist with the options that it gives them, and every format has its place in it."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from ruamel.yaml import YAML

from grader.cli import main
from grader.host import installation
from grader.host.installation import CHECKOUT

TEXT = re.sub(r'"\$\(git[^"]*"', "TIME", (CHECKOUT / "docs" / "courses.md").read_text(encoding="utf-8"))
COMMANDS = re.findall(r"\bgrade (run|batch|export) ([^`\n]+)", TEXT)
YAML_BLOCKS = re.findall(r"^```yaml\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def loaded(text: str) -> Any:
    return YAML(typ="safe").load(text)


@pytest.mark.parametrize(("name", "words"), COMMANDS)
def test_a_command_exists_with_its_options(name: str, words: str):
    command = main.get_command(click.Context(main), name)
    assert command is not None
    if isinstance(command, click.Group) and not words.startswith("--"):
        command = command.commands[words.split(maxsplit=1)[0]]
    known = {option for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"(?<!\S)--[a-z-]+", words)) <= known


def test_its_workflows_keep_to_githubs_schema_and_ask_for_nothing_but_to_read(tmp_path: Path):
    workflows = [text for text in YAML_BLOCKS if text.startswith("name:")]
    assert len(workflows) == 2
    for number, text in enumerate(workflows):
        (tmp_path / f"{number}.yml").write_text(text)
        assert loaded(text)["permissions"] == {"contents": "read"}
    command = (Path(sys.executable).parent / "check-jsonschema", "--builtin-schema", "vendor.github-workflows")
    ended = subprocess.run((*command, *tmp_path.iterdir()), capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout


def test_its_workflows_give_the_action_only_inputs_that_it_has():
    action = loaded((CHECKOUT / "action.yml").read_text(encoding="utf-8"))
    jobs = [job for text in YAML_BLOCKS if text.startswith("name:") for job in loaded(text)["jobs"].values()]
    uses = [step["with"] for job in jobs for step in job["steps"] if "matmul-grader" in step["uses"]]
    assert len(uses) == 2
    assert all(set(use) <= set(action["inputs"]) for use in uses)
    assert set(re.findall(r"steps\.grade\.outputs\.([a-z-]+)", TEXT)) <= set(action["outputs"])


def test_it_names_the_variables_and_secrets_of_the_template():
    template = installation.folder("student_template")
    asked = {
        name
        for path in (".github/workflows/grade.yml", ".gitlab-ci.yml")
        for name in re.findall(r"GRADER_[A-Z]+", (template / path).read_text(encoding="utf-8"))
    }
    assert asked == set(re.findall(r"GRADER_[A-Z]+", TEXT))


def test_every_format_has_its_place():
    named = {words.split(maxsplit=1)[0] for name, words in COMMANDS if name == "export"}
    export = main.get_command(click.Context(main), "export")
    assert isinstance(export, click.Group)
    assert set(export.commands) <= named
