"""A roster: a CSV file with a line for each student, and where the file lies that was handed in."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from grader.batch.intake import folders
from grader.batch.intake.attribution import Attribution
from grader.errors import UsageError

# What spreadsheets and learning platforms call these columns, in small letters and without what stands between words.
COLUMNS = {
    "student": (
        "student",
        "studentid",
        "id",
        "sid",
        "sisuserid",
        "idnumber",
        "username",
        "login",
        "sisloginid",
        "netid",
    ),
    "file": ("file", "path", "filepath", "filename", "submission", "folder", "source"),
    "name": ("name", "fullname", "studentname", "displayname"),
    "first": ("first", "firstname", "givenname", "forename"),
    "last": ("last", "lastname", "surname", "familyname"),
    "email": ("email", "emailaddress", "mail"),
    "late": ("late", "islate", "lateness", "latenesshms"),
    "submitted": ("submitted", "submittedat", "submissiontime", "time", "date"),
}
NEEDED = ("student", "file")
NOT_LATE = {"", "0", "no", "n", "false", "none", "-", "00:00:00", "0:00:00"}


@contextmanager
def opened(path: Path) -> Iterator[tuple[Attribution, ...]]:
    """Yield what the roster says was handed in; the files lie beside it or where their path says.

    Raises UsageError for what is no roster, and names the columns that it lacks.
    """
    lines = _lines(path, _text(path))
    places = _places(path, lines[0])
    rows = [{what: _cell(line, place) for what, place in places.items()} for line in lines[1:]]
    yield tuple(attribution for row in rows if row["student"] for attribution in _attributions(row, path.parent))


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.", "Check the spelling of its path.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text.", "Save it as “CSV UTF-8”.") from error


def _lines(path: Path, text: str) -> list[list[str]]:
    """Return the cells of each line, the headers first."""
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)  # spreadsheets where a comma is in numbers write semicolons
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise UsageError(f"{path} is not a CSV file: {error}.", "Save it as “CSV UTF-8”.") from error
    if not lines:
        raise UsageError(f"{path} is empty.", "It needs a line of headers: student, name, email, file.")
    return lines


def _places(path: Path, header: list[str]) -> dict[str, int]:
    words = [re.sub(r"[^a-z]", "", title.casefold()) for title in header]
    places: dict[str, int] = {}
    for what, known in COLUMNS.items():
        found = [words.index(one) for one in known if one in words]
        if found:
            places[what] = found[0]
    missing = [what for what in NEEDED if what not in places]
    if missing:
        has = ", ".join(title.strip() for title in header) or "nothing"
        hint = f"Its headers are: {has}. Call them student, name, email, file."
        raise UsageError(f"{path} has no column for: {', '.join(missing)}.", hint)
    return places


def _iso(time: str) -> str:
    try:
        return datetime.fromisoformat(time).isoformat()
    except ValueError:
        return ""


def _cell(line: list[str], place: int) -> str:
    return line[place].strip() if place < len(line) else ""


def _attributions(row: Mapping[str, str], folder: Path) -> Iterator[Attribution]:
    """A path to a folder stands for every file in it."""
    owner = Attribution(
        key=f"roster {row['student'].casefold()}",
        student=row["student"],
        name=row.get("name") or f"{row.get('first', '')} {row.get('last', '')}".strip(),
        email=row.get("email", ""),
        late=row.get("late", "").casefold() not in NOT_LATE,
        submitted=_iso(row.get("submitted", "")),
    )
    yield owner
    if row["file"]:
        listed = folders.one_file(folder / row["file"], row["file"])
        with folders.opened(folder / row["file"]) if listed.is_folder else nullcontext((listed,)) as found:
            for one in found:
                yield replace(owner, file=one.parts[-1], submitted=owner.submitted or one.modified, found=one)
