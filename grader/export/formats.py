"""All formats that need a report and nothing else, by the names that the command knows them by."""

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
    """A format; `render` takes the report and the submission's path in its repository."""

    name: str
    says: str
    render: Callable[[Report, str], str]


def _log(report: Report, path: str) -> str:
    return github_actions.log(report, path, secrets.token_hex(16))


FORMATS = (
    Format("prairielearn", "PrairieLearn: results.json of an external grader", lambda one, _: prairielearn.render(one)),
    Format("autolab", "Autolab: what a grader prints, the scores last", lambda one, _: autolab.render(one)),
    Format("github-classroom", "GitHub Classroom: a step's result", lambda one, _: github_classroom.encoded(one)),
    Format("github-notices", "GitHub Classroom: the points as notices", lambda one, _: github_classroom.notices(one)),
    Format("github-annotations", "GitHub Actions: errors beside their lines", _log),
    Format("github-summary", "GitHub Actions: the job's summary", lambda one, _: github_summary.render(one)),
    Format("github-outputs", "GitHub Actions: points as outputs", lambda one, _: github_actions.outputs(one)),
    Format("gitlab", "GitLab: Code Quality report", gitlab.render),
)
