"""Read a report for a format that students see."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from grader.model import Report
from grader.report import json_report
from grader.rubric.visible import for_students


def student_report(path: Path) -> Report:
    """Return the report at `path` without the sizes that its rubric hides now. Raises UsageError."""
    return for_students(json_report.read(path), datetime.now(UTC))
