"""Every file that a report is written to: a single grade and each grade of a class have all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from grader.host.atomic_write import write_text
from grader.model import Report
from grader.report import json_document, junit
from grader.report.html.facts import Origin
from grader.report.junit import STRICT, Dialect


@dataclass(frozen=True, slots=True)
class Options:
    """What formats contain that is not in the report."""

    dialect: Dialect = STRICT
    origin: Origin | None = None


Render: TypeAlias = Callable[[Report, bytes, Options], str]


def _page(report: Report, content: bytes, options: Options) -> str:
    from grader.report.html import page  # takes a tenth of a second to import, mostly for its templates

    return page.render(report, content, options.origin)


# The function that renders each file from the report, the submission's content and the options.
FORMATS: dict[str, Render] = {
    "report.json": lambda report, _content, _options: json_document.REPORT.render(report),
    "junit.xml": lambda report, _content, options: junit.render(report, options.dialect),
    "report.html": _page,
}


def rendered(report: Report, content: bytes, options: Options) -> dict[str, str]:
    """Return the text of every format by the name of its file."""
    return {name: render(report, content, options) for name, render in FORMATS.items()}


def write_all(texts: Mapping[str, str], folder: Path) -> None:
    """Write every text to its file in `folder`, each whole or not at all.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    for name, text in texts.items():
        write_text(folder / name, text)
