"""The names and numbers of students in the sources of a class, recorded at intake because exports need them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from grader.host.atomic_write import write_text

FILE = ".students.json"
UNREADABLE = (OSError, ValueError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Identity:
    """`name` is the student's name in the source, from which the folder's name is derived.

    `number` is the student's number on the `platform` (canvas, moodle, …) if the platform put it into a file's name;
    empty otherwise.
    """

    name: str
    platform: str = ""
    number: str = ""


def read(results: Path) -> dict[str, Identity]:
    """Return the identity of each student by folder; empty if none was recorded or the file is damaged."""
    try:
        recorded = json.loads((results / FILE).read_bytes())
        return {folder: Identity(**values) for folder, values in recorded.items()}
    except UNREADABLE:
        return {}


def record(identities: Mapping[str, Identity], results: Path) -> None:
    """Add these identities, by folder, to those of earlier runs.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    known = read(results)
    every = {**known, **{folder: _with_number(identity, known.get(folder)) for folder, identity in identities.items()}}
    text = json.dumps({folder: asdict(every[folder]) for folder in sorted(every)}, indent=1) + "\n"
    write_text(results / FILE, text)


def _with_number(identity: Identity, earlier: Identity | None) -> Identity:
    """Return the identity of an earlier run if this one lacks the number, as that of a plain folder does."""
    same = earlier is not None and earlier.name == identity.name and not identity.number
    return earlier if same and earlier else identity
