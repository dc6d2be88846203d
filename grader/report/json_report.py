"""report.json: the whole record of a grade."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from grader.model import Report
from grader.report.json_document import Document
from grader.rubric.visible import for_students

REPORT = Document(Report, "report", "report.json", "report.schema.json", "Grade the submission again.")

to_dict = REPORT.to_dict
from_dict = REPORT.from_dict
from_text = REPORT.from_text
render = REPORT.render
write = REPORT.write
read = REPORT.read
schema = REPORT.schema


def read_for_students(path: Path) -> Report:
    """Return the report at `path` without the sizes that its rubric hides now. Raises UsageError."""
    return for_students(read(path), datetime.now(UTC))
