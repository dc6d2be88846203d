"""A roster: a CSV file with a row for each student, which has the path of the submission."""

import os
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from grader.batch.intake import folders
from grader.batch.intake.attribution import Owner, SubmittedFile
from grader.batch.intake.source_entry import NOT_LATE
from grader.batch.results.names import Identity
from grader.errors import UsageError
from grader.text import csv_cells

# The names of each column in spreadsheets and learning platforms, in lower case without spaces and signs.
COLUMNS = {
    "student": (
        *("student", "studentid", "id", "sid", "sisuserid", "idnumber", "username", "login", "sisloginid", "netid"),
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
TWICE = "the roster has this row more than once; it counts once."
# A word, a time of 0 in any notation, or a negative time, of a student who was early.
ON_TIME = re.compile(r"no?|none|not? late|n/?a|nan|nat|null|f|false|nein|falsch|on[ -]?time|\D*0[^1-9]*|-.*|.* early")


def submitted_files(path: Path) -> Iterator[SubmittedFile]:
    """Yield the students and the submissions that the roster lists. Their paths are relative to the roster.

    Raises UsageError, which names the missing columns, if the file is not a roster.
    """
    table = csv_cells.read(path, strict=False)
    places = _places(path, table.header)
    times = Counter(tuple(_cell(field, line[place]) for field, place in places.items()) for line in table.rows)
    rows = [dict(zip(places, cells, strict=True)) for cells in times]
    _check_students(path, rows)
    _check_times(path, rows)
    folder = path.parent.resolve()
    for row, number in zip(rows, times.values(), strict=True):
        if row["student"]:
            yield from _files(row, folder, TWICE if number > 1 else "")


def _places(path: Path, header: Sequence[str]) -> dict[str, int]:
    """Return the index of each column that the roster has."""
    words = [re.sub(r"[^a-z]", "", title.casefold()) for title in header]
    known = {field: [words.index(name) for name in names if name in words] for field, names in COLUMNS.items()}
    places = {field: indices[0] for field, indices in known.items() if indices}
    missing = [field for field in NEEDED if field not in places]
    if missing:
        titles = ", ".join(title.strip() for title in header)
        hint = f"Its headers are: {titles}. Name them student, name, email, file."
        raise UsageError(f"{path} has no column for: {', '.join(missing)}.", hint)
    return places


def _cell(field: str, text: str) -> str:
    """Return a cell in Unicode's normal form C; a path is returned as it is on disk."""
    return text.strip() if field == "file" else unicodedata.normalize("NFC", text.strip())


def _check_students(path: Path, rows: Sequence[Mapping[str, str]]) -> None:
    """Raise UsageError for a row with a file but without a student, because the file would not be graded."""
    without_student = next((row["file"] for row in rows if row["file"] and not row["student"]), "")
    if without_student:
        raise UsageError(f"{path} has no student for {without_student}.", "Write the student's id into this row.")


def _check_times(path: Path, rows: Sequence[Mapping[str, str]]) -> None:
    """Raise UsageError if a student has several files, one of them with an unreadable time."""
    of_student: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row["file"]:
            of_student[row["student"].casefold()].append(row.get("submitted", ""))
    for student, times in of_student.items():
        unreadable = next((time for time in times if time and not _iso(time)), "")
        if len(times) > 1 and unreadable:
            sentence = f"{path} has several files of {student}, and “{unreadable}” is not a time in ISO 8601."
            raise UsageError(sentence, "Write it as in 2026-12-01T18:00:00+01:00, or leave one row for each student.")


def _iso(time: str) -> str:
    try:
        return datetime.fromisoformat(time).isoformat()
    except ValueError:
        return ""


def _files(row: Mapping[str, str], folder: Path, note: str) -> Iterator[SubmittedFile]:
    """Yield the student, then each submitted file. If the path is a folder, all files in it are submitted."""
    name = row.get("name") or f"{row.get('first', '')} {row.get('last', '')}".strip()
    owner = Owner(f"roster {row['student'].casefold()}", Identity(row["student"]), name, row.get("email", ""))
    late, submitted = row.get("late", ""), _iso(row.get("submitted", ""))
    late = NOT_LATE if ON_TIME.fullmatch(late.casefold()) else late
    yield SubmittedFile(owner, late=late, submitted=submitted, note=note)
    if row["file"]:
        place = Path(os.path.normpath(folder / row["file"]))
        listed = folders.entry_at(place, row["file"])
        if listed.is_folder and folder.is_relative_to(place):
            sentence = f"The roster gives {row['student']} the folder {row['file']}, which contains the roster itself."
            raise UsageError(sentence, "Name the folder of this student only.")
        if not os.path.lexists(place):
            note = note or f"the roster names {row['file']}, which is not there."
        for entry in folders.entries_of(place) if listed.is_folder else (listed,):
            time = submitted or entry.modified
            yield SubmittedFile(owner, entry.parts[-1], entry, late, time, note=note)
