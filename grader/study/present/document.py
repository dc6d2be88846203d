"""sweep.json: the whole study, versioned, with a published schema. What is written can be read back."""

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
from grader.report.plain import plain
from grader.study.measure.records import Study
from grader.text.clean import clean

FORMAT = 1

_converter = cattrs.Converter(detailed_validation=False)


def to_dict(study: Study) -> dict[str, Any]:
    """Return the study as plain JSON values."""
    return {"format": FORMAT, **plain(_converter.unstructure(study))}


def write(study: Study, path: Path) -> None:
    """Write sweep.json, whole or not at all. Raises InfrastructureError."""
    values = to_dict(study)
    if mistake := _mistake(values):
        raise InfrastructureError(f"The study does not keep to its own schema: {mistake}.", "Please report this.")
    write_text(path, json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def read(path: Path) -> Study:
    """Read a sweep.json. Raises UsageError when there is none at `path`, or something else."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: the study cannot be read: {error.strerror}.", "Check the path.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: this is not a JSON file.", "Name a sweep.json that the grader wrote.") from error
    if mistake := _mistake(values):
        raise UsageError(f"{path}: this is not a study of this version: {mistake}.", "Measure it again.")
    return _converter.structure({key: value for key, value in values.items() if key != "format"}, Study)


@cache
def schema() -> Draft202012Validator:
    """Return the validator of the published JSON Schema."""
    text = (Path(__file__).parents[2] / "schemas" / "sweep.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def _mistake(values: Any) -> str:
    error = best_match(schema().iter_errors(values))
    return "" if error is None else f"at {error.json_path}, {clean(error.message)[:200]}"
