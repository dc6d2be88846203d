"""RESULTS: a folder for each student. What is finished there stays, whatever ends the command."""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from grader.batch.results.reuse import Fingerprint, Result
from grader.errors import InfrastructureError, UsageError
from grader.host.atomic_write import write_text
from grader.model import Report
from grader.report import json_report, junit
from grader.report.all_formats import FORMATS, rendered
from grader.text.clean import one_line

REPORT = "report.json"
JUNIT = "junit.xml"
RECORD = ".graded.json"  # written last: a folder without it, or with another report than it names, is not done
NAMES = ("measured", "rubric", "report")  # what it has: the hashes of what the report depends on, and its own
PREVIEW = ".preview"  # what a new rubric would give, until it is applied
LOCK = ".lock"
BEFORE = "before"  # in a student's folder: results that count no more
NOTHING = "nothing-to-grade.txt"  # in a student's folder instead of a result: why there is none
LONGEST_REASON = 500


def write(result: Result, content: bytes, folder: Path, junit_family: str) -> None:
    """Write every format of the report, and what it depends on. A finished result that was there stays until then.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    texts = rendered(result.report, content, junit_family)
    coming = {
        "measured": result.fingerprint.measured,
        "rubric": result.fingerprint.rubric,
        "report": _hash(texts[REPORT].encode()),
    }
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / NOTHING).unlink(missing_ok=True)
    if before := _record(folder):  # whatever ends this, report.json is the old one or the new one: both are known
        write_text(folder / RECORD, json.dumps({**coming, "before": before}) + "\n")
    for name in sorted(texts, key=lambda name: name == REPORT):
        write_text(folder / name, texts[name])
    write_text(folder / RECORD, json.dumps(coming) + "\n")


def read(folder: Path) -> Result | None:
    """The finished result in `folder`; None where there is none, or one that is not whole or cannot be read."""
    try:
        record = _record(folder)
        if record is None:
            return None
        report = json_report.from_dict(json.loads((folder / REPORT).read_bytes()))
        return Result(Fingerprint(record["measured"], record["rubric"]), report)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):  # another version wrote it
        return None


def students(results: Path) -> list[str]:
    """Everyone who may have something in `results`, in the order of their names."""
    return sorted(one.name for one in results.iterdir() if not one.name.startswith(".") and one.is_dir())


def write_dialect(report: Report, folder: Path, junit_family: str) -> None:
    """Write a finished report's junit.xml again where it is lost or in another dialect.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    wanted = junit.render(report, junit_family)
    if _bytes(folder / JUNIT) != wanted.encode():
        write_text(folder / JUNIT, wanted)


def write_reason(reason: str, folder: Path) -> None:
    """Write why there is nothing to grade to where a student's result would be.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    text = f"{one_line(reason, LONGEST_REASON)}\n"
    if _bytes(folder / NOTHING) != text.encode():
        with _writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / NOTHING, text)


def read_reason(folder: Path) -> str:
    """Why there was nothing to grade; empty where no run has said so."""
    return one_line(_bytes(folder / NOTHING).decode(errors="replace"), LONGEST_REASON)


def set_aside(folder: Path) -> Path | None:
    """Move what an earlier submission gave to where nothing counts it, and return where; None where there is nothing.

    Raises InfrastructureError when the folder cannot be written.
    """
    old = [folder / name for name in (RECORD, *FORMATS) if (folder / name).is_file()]
    if not old:
        return None
    names = (BEFORE if number == 1 else f"{BEFORE}-{number}" for number in count(1))
    aside = next(folder / name for name in names if not (folder / name).exists())
    with _writing(folder):
        aside.mkdir()
        for one in old:
            one.replace(aside / one.name)
    return aside


@contextmanager
def only_one(results: Path) -> Iterator[None]:
    """Raises UsageError where another command works on the same folder. A killed one holds nothing.

    Raises InfrastructureError where the folder is another user's.
    """
    with _writing(results):
        lock = (results / LOCK).open("w")
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            hint = "Wait until it has ended, or name another folder with --output."
            raise UsageError(f"Another `grade batch` writes into {results} now.", hint) from error
        yield


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Raises InfrastructureError when the disk is full or the folder cannot be written."""
    try:
        yield
    except OSError as error:
        hint = "Free some space, or name a folder that can be written."
        raise InfrastructureError(f"{folder} could not be written: {error.strerror or error}.", hint) from error


def _bytes(path: Path) -> bytes:
    """What the file holds; nothing where there is none that can be read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _record(folder: Path) -> dict[str, str] | None:
    """What the report.json in `folder` depends on; None where none is known of the one that is there."""
    try:
        newest = json.loads((folder / RECORD).read_bytes())
        there = _hash((folder / REPORT).read_bytes())
        records = [one for one in (newest, newest.get("before")) if one]
        return next(({name: one[name] for name in NAMES} for one in records if one["report"] == there), None)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):  # another version wrote it
        return None


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
