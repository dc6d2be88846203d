"""Whose a file is: what a learning platform writes into the names of its exports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grader.batch.intake.source_entry import SourceEntry
from grader.batch.results.folder_names import ascii_words

# instructure/canvas-lms, lib/content_zipper.rb: name, LATE, user, attachment, and what the student called the file.
IN_THE_FOLDER = 2  # parts of a path: the one folder, and what lies in it
CANVAS = re.compile(
    r"(?:(?P<who>.+?)_)??(?P<late>LATE_)?(?P<user>\d+|anon_[A-Za-z0-9]+)_(?P<attachment>\d+)_(?P<file>.+)"
)
# moodle/moodle, mod/assign/locallib.php: full name (or Participant), participant, plug-in (file, onlinetext, any other)
# and then a folder or the file.
MOODLE = re.compile(r"(?P<who>.+?)_(?P<participant>\d+)_assignsubmission_[a-z0-9]+(?:_(?P<file>.*))?")
PACKED = re.compile(r"\.(zip|tar|gz|tgz|bz2|xz|7z|rar)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Attribution:
    """A student and one thing that was handed in, or nothing.

    `key` tells students apart; `student` is the identifier they would like. `rank` orders a student's files, the
    newest last; `source` tells apart exports of one class that are read together.
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


def by_name(found: Sequence[SourceEntry]) -> Iterator[Attribution]:
    """Tell whose each file is by its path alone: Moodle's, Canvas's, or a folder or a file for each student."""
    depth = 1 if _is_wrapped(found) else 0
    for one in found:
        inner = one.parts[depth:]
        if inner and (attribution := _moodle(inner) or _canvas(inner) or _plain(inner, one)):
            file = attribution.file or inner[-1]
            submitted = "" if attribution.rank else one.modified  # Canvas dates its entries when they are exported
            yield replace(attribution, file=file, submitted=submitted, entry=None if one.is_folder else one)


def _is_wrapped(found: Sequence[SourceEntry]) -> bool:
    """Whether everything lies in one folder that is no student's: it has folders of students or a platform's files."""
    if len({one.parts[0] for one in found}) != 1 or _moodle(found[0].parts[:1]):
        return False
    inner = [one for one in found if len(one.parts) > 1]
    if any(_moodle(one.parts[1:]) or _canvas(one.parts[1:]) for one in inner):
        return True
    folders = {one.parts[1] for one in inner if len(one.parts) > IN_THE_FOLDER or one.is_folder}
    return len(folders) > 1 and not any(one.is_source for one in inner if len(one.parts) == IN_THE_FOLDER)


def _moodle(parts: Sequence[str]) -> Attribution | None:
    match = MOODLE.fullmatch(parts[0])
    if match is None:
        return None
    participant, name = match["participant"], match["who"]
    return Attribution(
        f"moodle {participant}",
        f"{ascii_words(name)}-{participant}",
        name,
        file=match["file"] if len(parts) == 1 else "",
    )


def _canvas(parts: Sequence[str]) -> Attribution | None:
    match = CANVAS.fullmatch(parts[0]) if len(parts) == 1 else None
    if match is None:
        return None
    who, user = match["who"] or "", match["user"]
    return Attribution(
        key=f"canvas {user}",
        student=f"{who}-{user}".strip("-"),
        name=who,
        late=bool(match["late"]),
        rank=int(match["attachment"]),  # a later upload has a higher number
        file=match["file"],
    )


def _plain(parts: Sequence[str], found: SourceEntry) -> Attribution | None:
    """A folder for each student, or a file called as the student is; other files beside those are nobody's."""
    if len(parts) > 1 or found.is_folder:
        return Attribution(f"folder {parts[0].casefold()}", parts[0], parts[0])
    if found.is_source or PACKED.search(parts[0]) or found.refusal:
        stem = parts[0].rsplit(".", 1)[0]
        return Attribution(f"folder {stem.casefold()}", stem, stem)
    return None
