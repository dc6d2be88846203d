"""report.json: the whole record, versioned, with a published schema. What is written can be read back."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import cattrs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from grader.errors import InfrastructureError, UsageError
from grader.host.atomic_write import write_text
from grader.model import Report
from grader.report.plain import plain
from grader.text.clean import clean

FORMAT = 1

_converter = cattrs.Converter(detailed_validation=False)


def to_dict(report: Report) -> dict[str, Any]:
    """Return the report as plain JSON values; numbers that JSON cannot say are the texts nan, inf and -inf."""
    return {"format": FORMAT, **plain(_converter.unstructure(report))}


def from_dict(values: dict[str, Any]) -> Report:
    """Build the record that `to_dict` wrote. Raises ValueError where the values contradict each other."""
    return _converter.structure({key: value for key, value in values.items() if key != "format"}, Report)


def render(report: Report) -> str:
    """The text of report.json.

    Raises InfrastructureError when the report does not keep to its own schema, which is our mistake and nobody else's.
    """
    values = to_dict(report)
    mistake = _mistake(values)
    if mistake:
        raise InfrastructureError(f"The report does not keep to its own schema: {mistake}.", "Please report this.")
    return json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write(report: Report, path: Path) -> None:
    """Write report.json, whole or not at all.

    Raises InfrastructureError as `render` does, when the disk is full, and when the folder cannot be written.
    """
    write_text(path, render(report))


def read(path: Path) -> Report:
    """Read a report.json. Raises UsageError when there is none at `path`, or something else."""
    values = _parsed(path)
    mistake = _mistake(values)
    if mistake:
        raise UsageError(f"{path}: this is not a report of this version: {mistake}.", "Grade the submission again.")
    try:
        return from_dict(values)
    except ValueError as error:
        raise UsageError(f"{path}: the report contradicts itself: {error}.", "Grade the submission again.") from error


@cache
def schema() -> Draft202012Validator:
    """Return the validator of the published JSON Schema."""
    text = (Path(__file__).parents[1] / "schemas" / "report.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def _parsed(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: the report cannot be read: {error.strerror}.", "Check the path.") from error
    except (ValueError, RecursionError) as error:  # neither UTF-8 nor JSON, or nested beyond any report
        raise UsageError(f"{path}: this is not a JSON file.", "Name a report.json that the grader wrote.") from error


def _mistake(values: Any) -> str:
    error = best_match(schema().iter_errors(values))
    return "" if error is None else f"at {error.json_path}, {clean(error.message)[:200]}"
