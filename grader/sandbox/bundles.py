"""Bundles: the cached compiled files of one submission, or of the grader, copied to a worker and back."""

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grader.contract import files
from grader.contract.files import LARGEST_COMPILED
from grader.host import cache
from grader.sandbox.box_files import read_plain

NAME = re.compile(r"[0-9a-f]{64}\.[a-z]{1,8}")  # a key in hexadecimal and a suffix
MOST_FILES = 64


@dataclass(frozen=True, slots=True)
class Bundle:
    """The key of the files in the cache, and the folders in a box for cached files (`given`) and new ones (`added`)."""

    key: str
    given: str = files.GIVEN
    added: str = files.ADDED


TRUSTED = Bundle("trusted", files.GIVEN_TRUSTED, files.ADDED_TRUSTED)


def bundle(*parts: str | bytes) -> Bundle:
    """Return the bundle of a submission. `parts` must be all that its compiled files depend on."""
    return Bundle(cache.key(*parts))


def give(bundle: Bundle, box: Path) -> None:
    """Copy the files of a bundle into a box. No student code may have run there yet."""
    for name in sorted(cache.names(bundle.key))[:MOST_FILES]:
        content = cache.read(f"{bundle.key}/{name}")
        if content is not None:
            folder = box / bundle.given
            folder.mkdir(mode=0o755, exist_ok=True)
            (folder / name).write_bytes(content)
            (folder / name).chmod(0o644)


def keep(bundle: Bundle, box: Path) -> None:
    """Copy the new files of a box into the cache. Files that cannot be copied are compiled again next time."""
    folder = box / bundle.added
    if folder.is_symlink() or not folder.is_dir():
        return
    with suppress(OSError):  # the worker made the folder unreadable
        for path in sorted(folder.iterdir())[:MOST_FILES]:
            if NAME.fullmatch(path.name):
                with suppress(OSError):
                    cache.write(f"{bundle.key}/{path.name}", read_plain(path, LARGEST_COMPILED))
