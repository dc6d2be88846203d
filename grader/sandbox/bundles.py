"""Bundles of the cache: the compiled files of one submission, or of the grader, carried to a worker and back."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grader.contract import box_cache
from grader.contract.file_limits import LARGEST_COMPILED
from grader.host import cache
from grader.sandbox.box_files import read_plain

NAME = re.compile(r"[0-9a-f]{64}\.[a-z]{1,8}")  # a key and a suffix
MOST_FILES = 64


@dataclass(frozen=True, slots=True)
class Bundle:
    """Where the files are in the cache, and where in a box those that were kept and those that are new."""

    key: str
    given: str = box_cache.GIVEN
    added: str = box_cache.ADDED


TRUSTED = Bundle("trusted", box_cache.GIVEN_TRUSTED, box_cache.ADDED_TRUSTED)


def bundle(*parts: str | bytes) -> Bundle:
    """Return the bundle of a submission; the parts are all that its compiled files may depend on."""
    return Bundle(cache.key(*parts))


def give(bundle: Bundle, box: Path) -> None:
    """Put the files of a bundle into a box, before anything of a student's runs there."""
    for name in sorted(cache.names(bundle.key))[:MOST_FILES]:
        content = cache.read(f"{bundle.key}/{name}")
        if content is not None:
            folder = box / bundle.given
            folder.mkdir(mode=0o755, exist_ok=True)
            (folder / name).write_bytes(content)
            (folder / name).chmod(0o644)


def keep(bundle: Bundle, box: Path) -> None:
    """Keep the files that were added in a box; those that cannot be kept are compiled again."""
    folder = box / bundle.added
    if folder.is_symlink() or not folder.is_dir():
        return
    with suppress(OSError):  # a folder that a worker made unreadable
        for path in sorted(folder.iterdir())[:MOST_FILES]:
            if NAME.fullmatch(path.name):
                with suppress(OSError):
                    cache.write(f"{bundle.key}/{path.name}", read_plain(path, LARGEST_COMPILED))
