"""The points measured so far: a line of JSON is appended for each, so that a crash loses the last one at most."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.errors import InfrastructureError, refused


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
