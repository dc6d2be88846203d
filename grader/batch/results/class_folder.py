"""The results folder of a class: the files of the class, and the path of each student's folder."""

import fcntl
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from grader.batch.results import attempts, student_folder
from grader.batch.results.names import GRADEBOOK, SIMILAR
from grader.errors import UsageError, refused
from grader.host.atomic_write import disk_errors, sweep, write_bytes
from grader.model import Report
from grader.report import json_document
from grader.report.all_formats import REPORT

PREVIEW = ".preview"  # folder for the results under a changed rubric until it is applied
LOCK = ".lock"
KEY = ".leaderboard-key"
KEY_BYTES = 32


def read_gradebook(results: Path) -> str:
    """Return the text of gradebook.csv; empty if it is missing, or in another encoding than UTF-8."""
    try:
        return (results / GRADEBOOK).read_bytes().decode("utf-8-sig")
    except (OSError, ValueError):
        return ""


def similar_files(results: Path) -> str:
    """Return the name of the report on similar files in the folder; empty if there is none."""
    return next((name for name in SIMILAR if (results / name).is_file()), "")


def leaderboard_key(results: Path) -> bytes:
    """Return the secret key of the leaderboard's pseudonyms; make one if there is none.

    Only the owner of the file may read it. Raises InfrastructureError if it can be neither read nor written.
    """
    path = results / KEY
    with disk_errors(path):
        if path.exists() and len(key := path.read_bytes()) == KEY_BYTES:
            return key
    key = secrets.token_bytes(KEY_BYTES)
    write_bytes(path, key, 0o600)
    return key


def folder_of(student: str, results: Path) -> Path:
    """Return the folder of the result of `student` that counts."""
    return results / student


def links(student: str, results: Path) -> tuple[tuple[str, str], ...]:
    """Return the address of each report of `student`, relative to `results`, and the report's format."""
    names = student_folder.files(folder_of(student, results))
    return tuple((f"{quote(student)}/{quote(name)}", name.removeprefix("report.")) for name in names)


def preview_of(student: str, results: Path) -> Path:
    """Return the folder of the result that `student` would have under a changed rubric."""
    return results / PREVIEW / student


def students(results: Path) -> list[str]:
    """Return every student who has a folder, sorted."""
    return sorted(path.name for path in results.iterdir() if not path.name.startswith(".") and path.is_dir())


def best_reports(results: Path, shown: Callable[[Report], Report] = lambda report: report) -> dict[str, Report]:
    """Return the best attempt of each student with a graded one, by the points that are `shown`.

    Only attempts with the rubric and the kind of machine of the student's current result are compared. If the student
    has none, those of the other students' results count.

    Raises the UsageError of `read_reports`.
    """
    current = read_reports(results)
    of_class = {attempts.conditions(report) for report in current.values()}
    best = {student: shown(report) for student, report in current.items()}
    for student in students(results):
        own = current.get(student)
        comparable = {attempts.conditions(own)} if own else of_class
        every = attempts.with_current(folder_of(student, results), own)
        chosen = [attempt for attempt in every if attempts.conditions(attempt.report) in comparable]
        top = attempts.best([replace(attempt, report=shown(attempt.report)) for attempt in chosen])
        if top is not None:
            best[student] = top.report
    return best


def read_reports(results: Path) -> dict[str, Report]:
    """Return the report of each student who has one. Raises UsageError if no student has, or if one is unreadable."""
    names = students(results) if results.is_dir() else []
    paths = {name: folder_of(name, results) / REPORT for name in names}
    reports = {name: json_document.REPORT.read(path) for name, path in paths.items() if path.exists()}
    if not reports:
        hint = "Give the results folder of `grade batch`, which has a folder for each student."
        raise UsageError(f"There is no */{REPORT} in {results}.", hint)
    return reports


@contextmanager
def lock(results: Path) -> Iterator[None]:
    """Lock the folder against other commands, and remove the temporary files of killed ones, whose locks have ended.

    Raises UsageError if another command has the lock, InfrastructureError if the folder cannot be written.
    """
    with disk_errors(results):
        file = (results / LOCK).open("w")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            hint = "Wait until it has ended, or name another folder with --output."
            raise UsageError(f"Another `grade batch` is writing to {results}.", hint) from error
        except OSError as error:  # a file system without locks
            hint = "Name a folder on another disk with --output."
            raise refused(error, f"{results} cannot be locked", hint) from error
        for folder in (
            results,
            *results.glob("*/"),
            *results.glob(f"{PREVIEW}/*/"),
            *results.glob(f"*/{attempts.FOLDER}/"),
        ):
            sweep(folder)
        yield
