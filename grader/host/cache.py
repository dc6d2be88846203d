"""Compiled files, kept by the hash of everything that they depend on. Judges alone read and write it."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

import platformdirs

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


def fetch(name: str, target: Path) -> bool:
    """Copy the kept file `name` to `target`, if there is one."""
    content = read(name)
    if content is None:
        return False
    target.write_bytes(content)
    target.chmod((_directory() / name).stat().st_mode & 0o777)
    return True


def read(name: str) -> bytes | None:
    """The content of the kept file `name`; None if there is none."""
    try:
        return (_directory() / name).read_bytes()
    except OSError:
        return None


def keep(name: str, source: Path) -> None:
    """Keep a copy of `source`, with its mode, as `name`. Does nothing where the cache cannot be written."""
    with suppress(OSError):
        write(name, source.read_bytes(), source.stat().st_mode & 0o777)


def write(name: str, content: bytes, mode: int = 0o666) -> None:
    """Keep `content` as `name`. Does nothing where the cache cannot be written."""
    path = _directory() / name
    with suppress(OSError, InfrastructureError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, content, mode)


def names(folder: str) -> list[str]:
    """Return the names of what is kept in a folder of the cache."""
    try:
        return [path.name for path in (_directory() / folder).iterdir() if not path.name.startswith(".")]
    except OSError:
        return []


def _directory() -> Path:
    return Path(os.environ.get("GRADER_CACHE") or platformdirs.user_cache_dir("matmul-grader"))
