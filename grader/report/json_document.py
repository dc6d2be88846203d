"""Records as JSON files: versioned, valid by a published schema, readable as the same records; and report.json."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Generic, TypeVar

import cattrs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from grader.errors import InfrastructureError, UsageError
from grader.host.atomic_write import write_text
from grader.model import Report, State
from grader.rubric.visible import for_students
from grader.text.clean import clean

FORMAT = 1
Record = TypeVar("Record")

_converter = cattrs.Converter(detailed_validation=False, unstruct_collection_overrides={tuple: list})
_converter.register_unstructure_hook(str, clean)  # texts may be a student's
_converter.register_unstructure_hook(float, lambda value: value if math.isfinite(value) else str(value))


GONE = "value_effect", "right_in"  # of measurements, and of the story of a sum


@dataclass(frozen=True, slots=True)
class Document(Generic[Record]):
    """The JSON file of one kind of record: its name, its schema, and what to do about a file of another version."""

    record: type[Record]
    noun: str
    file: str
    schema_file: str
    hint: str

    def to_dict(self, record: Record) -> dict[str, object]:
        """Return the record as JSON values; texts are clean, and floats that are not finite are nan, inf and -inf."""
        return {"format": FORMAT, **_converter.unstructure(record, self.record)}

    def from_dict(self, values: Mapping[str, object]) -> Record:
        """Build the record that `to_dict` returned. Raises ValueError where the values contradict each other."""
        return _converter.structure(values, self.record)

    def from_text(self, text: bytes | str) -> Record:
        """Build the record of a file, also of an older version. Raises ValueError as `from_dict` does."""
        return self.from_dict(_loaded(text))

    def render(self, record: Record) -> str:
        """Return the text of the file. Raises InfrastructureError when the record does not match its own schema."""
        values = self.to_dict(record)
        if reason := self._schema_error(values):
            sentence = f"The {self.noun} does not match its own schema: {reason}."
            raise InfrastructureError(sentence, "Please report this.")
        return json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def write(self, record: Record, path: Path) -> None:
        """Write the file, whole or not at all.

        Raises InfrastructureError as `render` does, when the disk is full, and when the folder cannot be written.
        """
        write_text(path, self.render(record))

    def read(self, path: Path) -> Record:
        """Read the file. Raises UsageError when there is none at `path`, or when it holds something else."""
        values = self._parsed(path)
        if reason := self._schema_error(values):
            raise UsageError(f"{path}: this is not a {self.noun} of this version: {reason}.", self.hint)
        try:
            return self.from_dict(values)
        except ValueError as error:
            raise UsageError(f"{path}: the {self.noun} contradicts itself: {error}.", self.hint) from error

    def file_at(self, path: Path) -> Path:
        """Return the file at `path`, or the one in the folder at `path`. Raises UsageError for a folder without one."""
        if not path.is_dir():
            return path
        if (file := path / self.file).is_file():
            return file
        example = min(path.glob(f"*/{self.file}"), default=file)
        hint = f"Name the {self.file} of one submission, or its folder, such as {example}."
        raise UsageError(f"{path} is a folder without a {self.file}.", hint)

    def schema(self) -> Draft202012Validator:
        """Return the validator of the published JSON Schema."""
        return _validator(self.schema_file)

    def _parsed(self, path: Path) -> Mapping[str, object]:
        try:
            values = _loaded(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise UsageError(f"{path}: the {self.noun} cannot be read: {error.strerror}.", "Check the path.") from error
        except (ValueError, RecursionError) as error:  # neither UTF-8 nor JSON, or nested beyond any document
            raise UsageError(f"{path}: this is not a JSON file.", f"Name a {self.file} of the grader.") from error
        return values

    def _schema_error(self, values: object) -> str:
        error = best_match(self.schema().iter_errors(values))
        return "" if error is None else f"at {error.json_path}, {clean(error.message)[:200]}"


def _loaded(text: bytes | str) -> Mapping[str, object]:
    values: Mapping[str, object] = json.loads(text, object_hook=_renamed)
    return values


def _renamed(values: dict[str, object]) -> dict[str, object]:
    """Return an object of an older version as one of this version.

    Inputs had families, which are runs now. What is `GONE` is left out.
    """
    for name in GONE:
        values.pop(name, None)
    if "shape" in values and "family" in values:
        values["run"] = values.pop("family")
    return values


@cache
def _validator(file: str) -> Draft202012Validator:
    text = (Path(__file__).parents[1] / "schemas" / file).read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


REPORT = Document(Report, "report", "report.json", "report.schema.json", "Grade the submission again.")


def read_for_students(path: Path) -> Report:
    """Return the report at `path`, or in that folder, without sizes that its rubric hides now. Raises UsageError."""
    return for_students(REPORT.read(REPORT.file_at(path)), datetime.now(UTC))


def holds_finished(folder: Path) -> bool:
    """Return whether a folder has the report of a finished grade, which only another that ended may replace."""
    try:
        return bool(json.loads((folder / "report.json").read_bytes())["state"] == State.FINISHED)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False
