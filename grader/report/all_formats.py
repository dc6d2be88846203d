"""Every file that a report is written to: a single grade and each grade of a class have all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from grader.host.atomic_write import write_text
from grader.model import Report
from grader.report import json_report, junit

Render: TypeAlias = Callable[[Report, bytes, str], str]


def _page(report: Report, content: bytes, _family: str) -> str:
    from grader.report.html import page  # draws, with a library that takes a third of a second to import

    return page.render(report, content)


# The function that renders each file from the report, the submission's content and the JUnit family.
FORMATS: dict[str, Render] = {
    "report.json": lambda report, _content, _family: json_report.render(report),
    "junit.xml": lambda report, _content, family: junit.render(report, family),
    "report.html": _page,
}


def rendered(report: Report, content: bytes, junit_family: str) -> dict[str, str]:
    """Return the text of every format by the name of its file."""
    return {name: render(report, content, junit_family) for name, render in FORMATS.items()}


def write_all(report: Report, content: bytes, folder: Path, junit_family: str = "xunit2") -> None:
    """Write the file of each format into `folder`, each whole or not at all.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    for name, text in rendered(report, content, junit_family).items():
        write_text(folder / name, text)
