"""Write a file so that a reader sees the old one or the whole new one, and never a part."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from grader.errors import InfrastructureError


def write_text(path: Path, text: str) -> None:
    """Replace the file at `path` by `text` in UTF-8.

    Raises InfrastructureError when the disk is full or the folder cannot be written; the old file is then untouched.
    """
    part = path.parent / f".part-{secrets.token_hex(8)}"  # same folder, because a rename does not cross file systems
    try:
        try:
            _write_through(part, text)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        hint = "Free some space, or name a folder that can be written."
        raise InfrastructureError(f"{path} could not be written: {error.strerror or error}.", hint) from error


def _write_through(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
