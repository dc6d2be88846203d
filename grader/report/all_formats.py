"""Every file that a report is written to: a single grade and each grade of a class have all of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from grader.host.atomic_write import write_text
from grader.model import Report
from grader.report import json_document, junit
from grader.report.html.facts import Origin
from grader.report.junit import STRICT, Dialect

FORMATS = REPORT, JUNIT, PAGE = json_document.REPORT.file, "junit.xml", "report.html"


def rendered(report: Report, content: bytes, dialect: Dialect = STRICT, origin: Origin | None = None) -> dict[str, str]:
    """Return the text of every file by its name."""
    from grader.report.html import page  # takes a tenth of a second to import, mostly for its templates

    return {
        REPORT: json_document.REPORT.render(report),
        JUNIT: junit.render(report, dialect),
        PAGE: page.render(report, content, origin),
    }


def write_all(texts: Mapping[str, str], folder: Path) -> None:
    """Write every text to its file in `folder`, each whole or not at all.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    for name, text in texts.items():
        write_text(folder / name, text)
