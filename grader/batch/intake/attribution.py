"""Which student a file belongs to, by the names that learning platforms give the files of their exports."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from grader.batch.intake.source_entry import SourceEntry
from grader.batch.results.folder_names import ascii_words, folder_name

IN_THE_FOLDER = 2  # parts of a path: the only folder, and an entry in it
# instructure/canvas-lms, lib/content_zipper.rb: name, LATE, user, attachment, and the student's name of the file. Only
# anonymous users have no name, so a number at the beginning is a name that a student chose.
CANVAS = re.compile(
    r"(?:(?P<who>.*?)_)??(?P<late>LATE_)?(?P<user>(?<=_)\d+|anon_[A-Za-z0-9]+)_(?P<attachment>\d+)_(?P<file>.+)"
)
# moodle/moodle, mod/assign/locallib.php: full name (or Participant), participant, plug-in (file, onlinetext, any other)
# and then a folder or the file.
MOODLE = re.compile(r"(?P<who>.+?)_(?P<participant>\d+)_assignsubmission_[a-z0-9]+(?:_(?P<file>.*))?")
PACKED = re.compile(r"\.(zip|tar|gz|tgz|bz2|xz|7z|rar)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Attribution:
    """A student, with one submitted file or without any.

    `key` identifies the student; `student` is the preferred name of the folder. `rank` orders a student's files, the
    newest last; `source` is the number of the source, for exports of one class that are read together. `platform` and
    `number` are set only where the platform's own file name contains the student's number.
    """

    key: str
    student: str
    name: str = ""
    email: str = ""
    late: bool = False
    submitted: str = ""
    rank: int = 0
    source: int = 0
    file: str = ""
    entry: SourceEntry | None = None
    platform: str = ""
    number: str = ""


def by_name(entries: Sequence[SourceEntry], known: Collection[str] = ()) -> Iterator[Attribution]:
    """Yield the student of each entry by its path: Moodle's, Canvas's, or a folder or a file for each student.

    `known` are the folders of students in lower case, which are no folder around those of others.
    """
    depth = 1 if _is_wrapped(entries) and not is_one_student(entries, known) else 0
    for entry in entries:
        inner = entry.parts[depth:]
        if inner and (student := _moodle(inner) or _canvas(inner) or _plain(inner, entry)):
            submitted = "" if student.rank else entry.modified  # Canvas dates entries by the time of the export
            file = student.file or inner[-1]
            yield replace(student, file=file, submitted=submitted, entry=None if entry.is_folder else entry)


def is_one_student(entries: Sequence[SourceEntry], known: Collection[str]) -> bool:
    """Return whether all is in the folder of one student, who may have named what is in it after other students."""
    top = {entry.parts[0] for entry in entries}
    return len(top) == 1 and folder_name(*top).casefold() in known


def _is_wrapped(entries: Sequence[SourceEntry]) -> bool:
    """Return whether all is in one folder that is not a student's: it holds students' folders or a platform's files."""
    if len({entry.parts[0] for entry in entries}) != 1 or _moodle(entries[0].parts[:1]):
        return False
    inner = [entry for entry in entries if len(entry.parts) > 1]
    if any(_moodle(entry.parts[1:]) or _canvas(entry.parts[1:]) for entry in inner):
        return True
    folders = {entry.parts[1] for entry in inner if len(entry.parts) > IN_THE_FOLDER or entry.is_folder}
    return len(folders) > 1 and not any(entry.is_source for entry in inner if len(entry.parts) == IN_THE_FOLDER)


def _moodle(parts: Sequence[str]) -> Attribution | None:
    match = MOODLE.fullmatch(parts[0])
    if match is None:
        return None
    number, name = match["participant"], match["who"]
    file = match["file"] if len(parts) == 1 else ""
    student = f"{ascii_words(name)}-{number}"
    return Attribution(f"moodle {number}", student, name, file=file, platform="moodle", number=number)


def _canvas(parts: Sequence[str]) -> Attribution | None:
    match = CANVAS.fullmatch(parts[0]) if len(parts) == 1 else None
    if match is None:
        return None
    name, user = match["who"] or "", match["user"]
    return Attribution(
        key=f"canvas {user}",
        student=f"{name}-{user}".strip("-"),
        name=name,
        late=bool(match["late"]),
        rank=int(match["attachment"]),  # later uploads have higher numbers
        file=match["file"],
        platform="canvas",
        number=user,
    )


def _plain(parts: Sequence[str], entry: SourceEntry) -> Attribution | None:
    """Return the student whose folder or file this is, by its name; None for other files beside those."""
    if len(parts) > 1 or entry.is_folder:
        name = parts[0]
    elif entry.is_source or PACKED.search(parts[0]) or entry.refusal:
        name = parts[0].rsplit(".", 1)[0]
    else:
        return None
    return Attribution(f"folder {name.casefold()}", name, name)
