"""The formats that need nothing but a report, by the names of their commands."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from grader.export import (
    autolab,
    github_actions,
    github_classroom,
    github_summary,
    gitlab,
    prairielearn,
)
from grader.model import Report


@dataclass(frozen=True, slots=True)
class Format:
    """A format. `render` takes the report and the path of the submission in its repository."""

    name: str
    summary: str
    render: Callable[[Report, str], str]


def _log(report: Report, path: str) -> str:
    return github_actions.log(report, path, secrets.token_hex(16))


FORMATS = (
    Format(
        "prairielearn", "PrairieLearn: results.json for an external grader", lambda one, _: prairielearn.render(one)
    ),
    Format("autolab", "Autolab: feedback, and the scores in the last line", lambda one, _: autolab.render(one)),
    Format(
        "github-classroom", "GitHub Classroom: result of a grading step", lambda one, _: github_classroom.encoded(one)
    ),
    Format(
        "github-notices",
        "GitHub Classroom: points as notices",
        lambda one, _: github_classroom.notices(one),
    ),
    Format("github-annotations", "GitHub Actions: mistakes beside source lines", _log),
    Format(
        "github-summary", "GitHub Actions: summary of the job, in Markdown", lambda one, _: github_summary.render(one)
    ),
    Format(
        "github-outputs", "GitHub Actions: points as outputs of the step", lambda one, _: github_actions.outputs(one)
    ),
    Format("gitlab", "GitLab: Code Quality report of the mistakes", gitlab.render),
)
