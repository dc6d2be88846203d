"""Compiled files, kept by the hash of everything that they depend on. Judges alone read and write it."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from grader.errors import InfrastructureError
from grader.host.atomic_write import write_bytes


def key(*parts: str | bytes) -> str:
    """The hash of the parts and of where each one ends."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def read(name: str) -> bytes | None:
    """The content of the kept file `name`; None if there is none."""
    try:
        return (_directory() / name).read_bytes()
    except OSError:
        return None


def write(name: str, content: bytes, mode: int = 0o666) -> None:
    """Keep `content` as `name`. Does nothing where the cache cannot be written."""
    with suppress(OSError, InfrastructureError):
        path = _directory() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, content, mode)


def names(folder: str) -> list[str]:
    """Return the names of what is kept in a folder of the cache."""
    try:
        return [path.name for path in (_directory() / folder).iterdir() if not path.name.startswith(".")]
    except OSError:
        return []


def _directory() -> Path:
    """Where the cache is. Raises FileNotFoundError for a user without a home."""
    if named := os.environ.get("GRADER_CACHE"):
        return Path(named)
    import platformdirs  # a worker needs the keys of this module only

    with suppress(RuntimeError):  # of newer versions; older ones answer `~/.cache`
        usual = Path(platformdirs.user_cache_dir("matmul-grader"))
        if usual.is_absolute():
            return usual
    raise FileNotFoundError("this user has no home")
