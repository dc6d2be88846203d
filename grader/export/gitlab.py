"""GitLab: the Code Quality report, which shows mistakes beside their lines in a merge request.

GitLab gets points and verdicts as JUnit XML (report/junit.py, family ci). A grader error is not a mistake in the code,
so it is in the JUnit file only.
"""

from __future__ import annotations

import hashlib

from grader.export import feedback
from grader.export.json_text import Json, document
from grader.model import Fault, Report


def render(report: Report, path: str) -> str:
    """Return the report, one entry for each mistake. `path` is relative to the root of the repository."""
    return document([_entry(report, mistake, path.removeprefix("./")) for mistake in feedback.every_mistake(report)])


def _entry(report: Report, mistake: Fault, path: str) -> Json:
    verdict = mistake.verdict.replace("-", " ")
    identity = f"{path}\0{verdict}\0{mistake.line}"  # the same mistake has the same fingerprint in later runs
    return {
        "description": f"{mistake.sentence} {mistake.hint}".strip(),
        "check_name": mistake.verdict,
        "fingerprint": hashlib.sha256(identity.encode()).hexdigest(),
        "severity": "critical",
        "location": {"path": path, "lines": {"begin": feedback.line_to_show(report, mistake)}},
    }
