"""RESULTS: a folder for each student. What is finished there stays, whatever ends the command."""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from grader.batch.identity import Identity, Result
from grader.errors import InfrastructureError, UsageError
from grader.report import json_report
from grader.report.all_formats import FORMATS, write_all
from grader.report.files import write_text

REPORT = "report.json"
RECORD = ".graded.json"  # written last: a folder without it, or with another report than it names, is not done
PREVIEW = ".preview"  # what a new rubric would give, until it is applied
LOCK = ".lock"
BEFORE = "before"  # in a student's folder: results that count no more


def write(result: Result, content: bytes, folder: Path, junit_family: str) -> None:
    """Write every format of the report, and then what it depends on.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_all(result.report, content, folder, junit_family)
        record = {
            "measured": result.identity.measured,
            "rubric": result.identity.rubric,
            "report": _hash(folder / REPORT),
        }
    except OSError as error:
        hint = "Free some space, or name a folder that can be written."
        raise InfrastructureError(f"{folder} could not be written: {error.strerror or error}.", hint) from error
    write_text(folder / RECORD, json.dumps(record) + "\n")


def read(folder: Path) -> Result | None:
    """The finished result in `folder`; None where there is none, or one that is not whole or cannot be read."""
    try:
        record = json.loads((folder / RECORD).read_bytes())
        content = (folder / REPORT).read_bytes()
        if hashlib.sha256(content).hexdigest() != record["report"]:
            return None
        return Result(Identity(record["measured"], record["rubric"]), json_report.from_dict(json.loads(content)))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):  # another version wrote it
        return None


def finished(results: Path) -> Iterator[tuple[str, Result]]:
    """Every student of whom `results` holds a finished result, in the order of their names."""
    for folder in sorted(results.iterdir()):
        if not folder.name.startswith(".") and (found := read(folder)):
            yield folder.name, found


def set_aside(folder: Path) -> Path | None:
    """Move what an earlier hand-in gave to where nothing counts it, and return where; None where there is nothing.

    Raises InfrastructureError when the folder cannot be written.
    """
    old = [folder / name for name in (RECORD, *FORMATS) if (folder / name).is_file()]
    if not old:
        return None
    names = (BEFORE if number == 1 else f"{BEFORE}-{number}" for number in count(1))
    aside = next(folder / name for name in names if not (folder / name).exists())
    try:
        aside.mkdir()
        for one in old:
            one.replace(aside / one.name)
    except OSError as error:
        hint = "Make the folder one that can be written."
        raise InfrastructureError(f"{folder} could not be written: {error.strerror or error}.", hint) from error
    return aside


@contextmanager
def only_one(results: Path) -> Iterator[None]:
    """Raises UsageError where another command works on the same folder. A killed one holds nothing."""
    with (results / LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            hint = "Wait until it has ended, or name another folder with --output."
            raise UsageError(f"Another `grade batch` writes into {results} now.", hint) from error
        yield


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
