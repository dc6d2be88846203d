"""What the documents say exists, exists."""

import re
from pathlib import Path

import click
import pytest

from grader.cli import main
from tests.benchmarks import labs

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("[!.]*/**/*.md")])
LINK = re.compile(r"\]\((?!https?://)([^)#\s]+)\)")
GRADE = re.compile(r"^(?:    |\$ )grade ([a-z]+)(?: ([a-z][a-z0-9-]*))?", re.MULTILINE)
MAKE = re.compile(r"\bmake ([a-z-]+)(?=`|\s{2,}|$)", re.MULTILINE)


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_every_link_leads_to_a_file(document: Path):
    missing = [link for link in LINK.findall(document.read_text()) if not (document.parent / link).exists()]
    assert not missing


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_every_command_exists(document: Path):
    for command, below in GRADE.findall(document.read_text()):
        registered = main.get_command(click.Context(main), command)
        assert registered, f"grade {command}"
        if isinstance(registered, click.Group) and below:
            assert below in registered.commands, f"grade {command} {below}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_every_make_target_exists(document: Path):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(MAKE.findall(document.read_text())) <= targets


def test_the_readme_shows_both_commands():
    assert {"grade", "test"} <= set(MAKE.findall((ROOT / "README.md").read_text()))


def test_every_table_of_the_labs_has_its_page():
    pages = {table["page"] for kind in labs.KINDS for table in labs.layout()[kind]}
    assert pages <= {path.name for path in labs.PAGES.glob("*.md")}


@pytest.mark.parametrize("page", sorted(labs.PAGES.glob("*.md")), ids=name)
def test_the_tables_of_a_lab_are_those_of_its_data(page: Path):
    text = page.read_text(encoding="utf-8")
    assert labs.with_tables(text, page.name) == text
