"""The files that judge and worker exchange: their names, the largest, and compiled ones that a worker may use again.

The judge puts what was kept for a submission into the box before the worker starts, and keeps what the worker adds
when it has ended. No worker reads or writes the cache itself, so none sees or changes a file of another submission.
"""

import re
from pathlib import Path

from grader.host.atomic_write import write_in_hostile_folder

GIVEN, ADDED = "given", "added"  # folders of the box, for what belongs to the submission
GIVEN_TRUSTED, ADDED_TRUSTED = "given-trusted", "added-trusted"  # for the grader's own
LARGEST_FILE = 9 << 30  # a matrix of 32768 x 32768 doubles and its guards
LARGEST_COMPILED = 256 << 20


def find(box: Path, name: str, given: str = GIVEN, added: str = ADDED) -> bytes | None:
    """Return the content of a file that was kept or added; None if there is none."""
    for folder in (given, added):
        path = box / folder / name
        if path.is_file():
            return path.read_bytes()
    return None


def add(box: Path, name: str, content: bytes, added: str = ADDED) -> None:
    """Leave a file for the judge to keep. Its name is that of a key of the cache and a suffix."""
    folder = box / added
    folder.mkdir(exist_ok=True)
    write_in_hostile_folder(folder / name, content, 0o644)


def matrix_file(box: Path, name: str, launch: int) -> Path:
    """The file of a matrix as the launch of this number left it: its bytes, with guards."""
    return box / f"{name}-{launch}"


def file_name(name: str) -> str:
    """A name under which compilers and shells take the file, near the student's own."""
    stem = re.sub(r"[^A-Za-z0-9_.-]+", "_", Path(name).stem).strip(".-") or "submission"
    return f"{stem[:64]}.cu"
