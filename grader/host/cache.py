"""Compiled files, kept by the hash of everything that they depend on."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import platformdirs


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
    kept = _directory() / name
    try:
        content, mode = kept.read_bytes(), kept.stat().st_mode
    except OSError:
        return False
    target.write_bytes(content)
    target.chmod(mode & 0o777)
    return True


def keep(name: str, source: Path) -> None:
    """Keep a copy of `source` as `name`. A cache that cannot be written is no cache; that is no fault."""
    with suppress(OSError):
        directory = _directory()
        directory.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=directory)
        os.close(handle)
        try:
            shutil.copy(source, part)
            Path(part).replace(directory / name)  # whole or not at all, whoever else keeps it at the same time
        finally:
            Path(part).unlink(missing_ok=True)


def _directory() -> Path:
    return Path(os.environ.get("GRADER_CACHE") or platformdirs.user_cache_dir("matmul-grader"))
