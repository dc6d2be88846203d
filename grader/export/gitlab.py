"""GitLab: the Code Quality report, which shows mistakes beside their lines in a merge request.

Points and answers reach GitLab as JUnit XML (report/junit.py, family ci). A fault of ours is no mistake in the code, so
it is not in here; it is an error in the JUnit file.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from grader.export import feedback
from grader.model import Report


def code_quality(report: Report, path: str) -> list[dict[str, Any]]:
    """Return one entry for each mistake. `path` is the submission's, from the root of its repository."""
    return [_entry(one, path.removeprefix("./")) for one in feedback.every_mistake(report)]


def render(report: Report, path: str) -> str:
    """Return the report as text."""
    return json.dumps(code_quality(report, path), indent=2) + "\n"


def _entry(one: feedback.Mistake, path: str) -> dict[str, Any]:
    known_by = f"{path}\0{one.verdict}\0{one.line}"  # the same mistake has the same mark in the next run
    return {
        "description": f"{one.sentence} {one.hint}".strip(),
        "check_name": one.verdict.replace(" ", "-"),
        "fingerprint": hashlib.sha256(known_by.encode()).hexdigest(),
        "severity": "critical",
        "location": {"path": path, "lines": {"begin": one.line or 1}},
    }
