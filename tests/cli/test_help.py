"""`grade --help` prints the short help of every command without importing one."""

import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from grader.cli import COMMANDS, main

IMPORTED = "import sys\nfrom grader.cli import main\nmain(['--help'], standalone_mode=False)\nprint(*sys.modules)"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_short_help_of_a_command_is_its_own(name: str):
    command = main.get_command(click.Context(main), name)
    assert COMMANDS[name][2] == command.get_short_help_str(limit=200)


@pytest.mark.parametrize("name", ["export", "lab", "rubric"])
def test_no_short_help_of_a_group_is_cut(name: str):
    commands = CliRunner().invoke(main, [name, "--help"]).output.partition("Commands:")[2]
    assert commands
    assert "..." not in commands


def test_no_help_shows_all_digits_of_a_seed():
    shown = CliRunner().invoke(main, ["run", "--help"]).output
    assert "--seed NUMBER" in shown
    assert not re.search(r"\d{20}", shown)


def test_help_imports_no_heavy_library():
    printed = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True).stdout
    assert not {"numpy", "matplotlib", "rich", "jsonschema"} & set(printed.split())
