"""What was measured already: one line of JSON for each finished point, appended, so that a crash costs the last."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.errors import InfrastructureError


@dataclass(slots=True)
class Journal:
    """Values by their keys, in a file that only grows. A key holds all that the value depends on."""

    path: Path
    known: dict[str, Any] = field(default_factory=dict)

    def find(self, key: str) -> Any:
        """Return the value that was kept for `key`."""
        return self.known.get(key)

    def keep(self, key: str, value: object) -> None:
        """Append. Raises InfrastructureError where the file cannot be written."""
        try:
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(json.dumps({"key": key, "value": value}, allow_nan=False) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            sentence = f"{self.path} cannot be written: {error.strerror}."
            raise InfrastructureError(sentence, "Is the disk full?") from error
        self.known[key] = value


def open_journal(path: Path) -> Journal:
    """The journal at `path`, with every whole line of it; what a crash left of a line is cut off.

    Raises InfrastructureError where the file cannot be read or mended.
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
        found = json.loads(line)
        return str(found["key"]), found["value"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
