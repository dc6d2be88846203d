"""The formats that need nothing but a report, by the names of their commands."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from grader.export import autolab, github_actions, github_classroom, gitlab, prairielearn, sarif
from grader.model import Report


@dataclass(frozen=True, slots=True)
class Format:
    """A format. `render` takes the report and the path of the submission in its repository."""

    name: str
    summary: str
    render: Callable[[Report, str], str]


def _without_path(render: Callable[[Report], str]) -> Callable[[Report, str], str]:
    return lambda report, _path: render(report)


def _log(report: Report, path: str) -> str:
    return github_actions.log(report, path, secrets.token_hex(16))


FORMATS = (
    Format("prairielearn", "PrairieLearn: results.json for an external grader", _without_path(prairielearn.render)),
    Format("autolab", "Autolab: feedback, and the scores in the last line", _without_path(autolab.render)),
    Format("github-classroom", "GitHub Classroom: result of a grading step", _without_path(github_classroom.encoded)),
    Format("github-notices", "GitHub Classroom: points as notices", _without_path(github_classroom.notices)),
    Format("github-annotations", "GitHub Actions: mistakes beside source lines", _log),
    Format("github-summary", "GitHub Actions: summary of the job, in Markdown", _without_path(github_actions.summary)),
    Format("github-outputs", "GitHub Actions: points as outputs of the step", _without_path(github_actions.outputs)),
    Format("sarif", "SARIF 2.1.0: mistakes for code scanning and editors", sarif.render),
    Format("gitlab", "GitLab: Code Quality report of the mistakes", gitlab.render),
)
