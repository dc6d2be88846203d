"""Templates that clean and escape every value: any text may be a student's."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from grader.text.clean import clean


@cache
def templates(package: str) -> Environment:
    """Return the templates in the folder `templates` of a package."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_cleaned,
    )


def _cleaned(value: object) -> object:
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value
