"""A roster: a CSV file with a line for each student and the path of the submission."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from grader.batch.intake import folders
from grader.batch.intake.attribution import Attribution
from grader.errors import UsageError
from grader.text import csv_cells

# Names of these columns in spreadsheets and learning platforms, in lower case, letters only.
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
NOT_LATE = {"", "0", "no", "n", "false", "none", "-", "00:00:00", "0:00:00"}


@contextmanager
def opened(path: Path) -> Iterator[tuple[Attribution, ...]]:
    """Yield the submissions that the roster names. Their paths are relative to the roster.

    Raises UsageError if the file is not a roster, and names the missing columns.
    """
    table = csv_cells.read(path, strict=False)
    places = _places(path, table.header)
    rows = [{field: line[place].strip() for field, place in places.items()} for line in table.rows]
    yield tuple(attribution for row in rows if row["student"] for attribution in _attributions(row, path.parent))


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


def _iso(time: str) -> str:
    try:
        return datetime.fromisoformat(time).isoformat()
    except ValueError:
        return ""


def _attributions(row: Mapping[str, str], folder: Path) -> Iterator[Attribution]:
    """Yield the student, then each submitted file; a path to a folder means every file in it."""
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
        listed = folders.entry_at(folder / row["file"], row["file"])
        with folders.opened(folder / row["file"]) if listed.is_folder else nullcontext((listed,)) as entries:
            for entry in entries:
                submitted = owner.submitted or entry.modified
                yield replace(owner, file=entry.parts[-1], submitted=submitted, entry=entry)
