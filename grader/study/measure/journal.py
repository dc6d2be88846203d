"""The points measured so far: a line of JSON is appended for each, so that a crash loses the last one at most.

A change of anything that a point depends on changes its key.
"""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cattrs

import grader
from grader.errors import InfrastructureError, refused
from grader.host import cache
from grader.model import Machine, Shape
from grader.study.measure.planning import StudyPlan
from grader.study.measure.variants import Variant

FORMAT = 2  # of what is kept; it changes with the records


@dataclass(slots=True)
class Journal:
    """Values by their keys, in a file that is only appended to. A key covers all that its value depends on."""

    path: Path
    known: dict[str, Any] = field(default_factory=dict)

    def find(self, key: str) -> Any:
        """Return the value kept for `key`, or None."""
        return self.known.get(key)

    def keep(self, key: str, value: object) -> None:
        """Append. Raises InfrastructureError where the file cannot be written."""
        try:
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(json.dumps({"key": key, "value": value}, allow_nan=False) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise refused(error, f"{self.path} cannot be written") from error
        self.known[key] = value


def open_journal(path: Path) -> Journal:
    """Open the journal at `path`; a line that a crash left incomplete is removed.

    Raises InfrastructureError where the file cannot be read or repaired.
    """
    try:
        content = path.read_bytes() if path.exists() else b""
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            with path.open("r+b") as file:
                file.truncate(len(whole))
    except OSError as error:
        raise InfrastructureError(f"{path} cannot be read: {error.strerror}.", "Name another --output.") from error
    return Journal(path, dict(filter(None, map(_entry, whole.splitlines()))))


def _entry(line: bytes) -> tuple[str, object] | None:
    try:
        entry = json.loads(line)
        return str(entry["key"]), entry["value"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def key_of_point(plan: StudyPlan, machine: Machine, variant: Variant, shape: Shape) -> str:
    """Return the key of a variant at a size: its text and macros, lab, baselines, inputs, device and all versions."""
    parts = [_lab(plan), variant.file, dict(variant.defines), _machine(machine), cattrs.unstructure(shape)]
    return cache.key(
        "point", json.dumps([FORMAT, *parts, plan.library, plan.checked, plan.seed]), variant.content, plan.naive
    )


def key_of_blas(plan: StudyPlan, implementation: str, shape: Shape) -> str:
    """Return the key of BLAS at a size: the library, and its number of threads."""
    rubric = plan.rubric
    parts = [implementation, rubric.interface.type_c, cattrs.unstructure(rubric.timing), cattrs.unstructure(shape)]
    return cache.key("blas", json.dumps([FORMAT, *parts, grader.__version__]))


def key_of_device(machine: Machine) -> str:
    """Return the key of the device's attributes."""
    return cache.key("device", json.dumps([FORMAT, *_machine(machine)]))


def _lab(plan: StudyPlan) -> list[object]:
    rubric = plan.rubric
    lab = (rubric.interface, rubric.launch, rubric.timing, rubric.limits, rubric.headers)
    return [*(cattrs.unstructure(part) for part in lab), list(rubric.flags), grader.__version__]


def _machine(machine: Machine) -> list[object]:
    return [machine.backend, machine.device, machine.architecture, machine.system, sorted(machine.versions.items())]
