"""The student to whom a file belongs, from the file names in exports of learning platforms."""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from grader.batch.intake.source_entry import NOT_LATE, SourceEntry
from grader.batch.results.names import Identity, ascii_words, folder_name

ONLY_FOLDER = (
    "This is the only folder of the source, so all files in it count as one student's. If it holds a class, name this "
    "folder itself as the source, unpacked."
)
IN_THE_FOLDER = 2  # parts of a path: the only folder, and an entry in it
# instructure/canvas-lms, lib/content_zipper.rb: name, LATE, user, attachment, and the file's name as submitted. Only
# anonymous users have no name, so a number at the start of a path is a file name that a student chose.
CANVAS = re.compile(
    r"(?:(?P<who>.*?)_)??(?P<late>LATE_)?(?P<user>(?<=_)\d+|anon_[A-Za-z0-9]+)_(?P<attachment>\d{1,30})_(?P<file>.+)"
)
# Blackboard: lab, user, time of the attempt, and the file's name as submitted; for each attempt, a .txt without one.
# The part of a lab's name after an underscore becomes part of the user, so that two users are never taken for one.
BLACKBOARD = re.compile(r"[^_]+_(?P<user>.+?)_attempt_(?P<time>[\d-]{19})(?:_(?P<file>.+)|\.txt)")
# moodle/moodle, mod/assign/locallib.php: full name (or Participant), participant, plug-in (file, onlinetext, any other)
# and then a folder or the file. Of two numbers, one is in a name that a student chose, and which one is not known.
MOODLE = re.compile(
    r"(?P<who>(?:(?!\d_assignsubmission_).)+?)_(?P<user>\d+)_assignsubmission_[a-z0-9]+"
    r"(?:_(?P<file>(?!.*\d_assignsubmission_).*))?"
)
# Brightspace: numbers of user and lab, the user's name, time of the attempt, and then a folder or the file.
BRIGHTSPACE = re.compile(
    r"(?P<user>\d+)-\d+ - (?P<who>.+?) - (?P<time>[^-]+ \d{4} \d{3,4}(?: [AP]M)?)(?: - (?P<file>.+))?"
)
FOLDERS, FILES = {"moodle": MOODLE, "brightspace": BRIGHTSPACE}, {"blackboard": BLACKBOARD, "canvas": CANVAS}
DAYS, CLOCKS = ("%b %d %Y", "%B %d %Y", "%d %b %Y", "%d %B %Y"), ("%I%M %p", "%H%M")
TIMES = ("%Y-%m-%d-%H-%M-%S", *(f"{day} {clock}" for day in DAYS for clock in CLOCKS))
PACKED = re.compile(r"\.(zip|tar|gz|tgz|bz2|xz|7z|rar)$", re.IGNORECASE)
SUFFIX = re.compile(r"(\.tar)?\.[^.]*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Owner:
    """A student of a class, whom `key` tells from all others. `identity` has the preferred name of the folder."""

    key: str
    identity: Identity
    name: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class SubmittedFile:
    """A file by the name that the student gave it; without an `entry`, only its owner is known.

    `late`, `submitted` and `note` are as in `Submission`. `rank` orders a student's files, the newest last. `source` is
    the index of the export, if several exports of a class are read together.
    """

    owner: Owner
    name: str = ""
    entry: SourceEntry | None = None
    late: str = ""
    submitted: str = ""
    rank: int = 0
    source: int = 0
    note: str = ""


def by_name(entries: Sequence[SourceEntry], known: Collection[str] = ()) -> Iterator[SubmittedFile]:
    """Yield each entry whose path shows its owner: named by a platform, or a folder or a file for each student.

    `known` are the names of students' folders in lower case; none of them contains the folders of other students.
    """
    is_known = is_one_student(entries, known)
    depth = 1 if _is_wrapped(entries) and not is_known else 0
    note = ONLY_FOLDER if not (depth or is_known) and _may_be_a_class(entries) else ""
    for entry in entries:
        inner = entry.parts[depth:]
        if inner and (found := _of_platform(inner, entry) or _plain(inner, entry)):
            yield replace(found, note=note)


def is_one_student(entries: Sequence[SourceEntry], known: Collection[str]) -> bool:
    """Whether all entries are in the folder of one student, who may have named files after other students."""
    top = {entry.parts[0] for entry in entries}
    return len(top) == 1 and folder_name(*top).casefold() in known


def _may_be_a_class(entries: Sequence[SourceEntry]) -> bool:
    """Whether all entries are in one folder, and several of them are submissions or packed ones."""
    files = [entry for entry in entries if entry.is_source or PACKED.search(entry.parts[-1])]
    return len(files) > 1 and len({entry.parts[0] for entry in entries}) == 1


def _is_wrapped(entries: Sequence[SourceEntry]) -> bool:
    """Whether all entries are in one folder that is not a student's but has students' folders or a platform's files."""
    top = {entry.parts[0] for entry in entries}
    if len(top) != 1 or any(name.fullmatch(entries[0].parts[0]) for name in FOLDERS.values()):
        return False
    inner = [entry for entry in entries if len(entry.parts) > 1]
    if any(_of_platform(entry.parts[1:], entry) for entry in inner):
        return True
    folders = {entry.parts[1] for entry in inner if len(entry.parts) > IN_THE_FOLDER or entry.is_folder}
    return len(folders) > 1 and not any(entry.is_source for entry in inner if len(entry.parts) == IN_THE_FOLDER)


def _of_platform(parts: Sequence[str], entry: SourceEntry) -> SubmittedFile | None:
    """Return the entry of a folder or file whose name a platform chose; None for other names."""
    for platform, pattern in {**FOLDERS, **(FILES if len(parts) == 1 else {})}.items():
        if match := pattern.fullmatch(parts[0]):
            found = {group: text or "" for group, text in match.groupdict().items()}
            name, user = found.get("who", ""), found["user"]
            folder = f"{ascii_words(name) if platform in FOLDERS else name}-{user}".strip("-")
            rank = int(found.get("attachment", 0))  # later uploads have higher numbers
            dated = "" if rank else entry.modified  # Canvas dates entries by the time of the export
            return SubmittedFile(
                owner=Owner(f"{platform} {user}", Identity(folder, platform, user), name),
                name=(len(parts) == 1 and found["file"]) or parts[-1],
                entry=None if entry.is_folder else entry,
                late=("yes" if found["late"] else NOT_LATE) if "late" in found else "",
                submitted=_time(found.get("time", "")) or dated,
                rank=rank,
            )
    return None


def _time(text: str) -> str:
    """Return the time of an attempt in ISO 8601; empty if its notation is unknown."""
    text = re.sub(r" (\d{3})(?!\d)", r" 0\1", text.replace(",", ""))
    for written in TIMES:
        with suppress(ValueError):
            return datetime.strptime(text, written).isoformat()
    return ""


def _plain(parts: Sequence[str], entry: SourceEntry) -> SubmittedFile | None:
    """Return the entry of the student for whom a folder or file is named; None for a file of another kind."""
    if len(parts) > 1 or entry.is_folder:
        name = parts[0]
    elif entry.is_source or PACKED.search(parts[0]) or entry.refusal:
        name = SUFFIX.sub("", parts[0])
    else:
        return None
    owner = Owner(f"folder {name.casefold()}", Identity(name), name)
    return SubmittedFile(owner, parts[-1], None if entry.is_folder else entry, submitted=entry.modified)
