"""The files that come with the grader: inside an installed package, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parents[1]
INSTALLED = PACKAGE / "data"
CHECKOUT = PACKAGE.parent


def folder(name: str) -> Path:
    """The folder `reference`, `rubrics` or `student_template`."""
    return INSTALLED / name if (INSTALLED / name).is_dir() else CHECKOUT / name
