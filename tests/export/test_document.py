"""docs/courses.md: its commands exist with the options that it gives them, and every format has its place in it."""

from __future__ import annotations

import re

import click
import pytest

from grader.cli import main
from grader.resources import CHECKOUT

TEXT = re.sub(r'"\$\(git[^"]*"', "TIME", (CHECKOUT / "docs" / "courses.md").read_text(encoding="utf-8"))
COMMANDS = re.findall(r"\bgrade (run|batch|export) ([^`\n]+)", TEXT)


@pytest.mark.parametrize(("name", "words"), COMMANDS)
def test_a_command_exists_with_its_options(name: str, words: str):
    command = main.get_command(click.Context(main), name)
    assert command is not None
    if isinstance(command, click.Group) and not words.startswith("--"):
        command = command.commands[words.split(maxsplit=1)[0]]
    known = {option for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"(?<!\S)--[a-z-]+", words)) <= known


def test_every_format_has_its_place():
    named = {words.split(maxsplit=1)[0] for name, words in COMMANDS if name == "export"}
    export = main.get_command(click.Context(main), "export")
    assert isinstance(export, click.Group)
    assert set(export.commands) <= named
