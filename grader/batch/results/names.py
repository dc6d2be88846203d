"""The names of what is in the results folder, and those of students in their sources, which exports need."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

from grader.errors import UsageError, did_you_mean
from grader.host.atomic_write import write_text
from grader.text.numbers import some

GRADEBOOK, JUNIT = "gradebook.csv", "junit.xml"
INDEX, LEADERBOARD = "index.html", "leaderboard.html"
SIMILAR = ("similarity.html", "similarity.jplag")  # of copydetect and of JPlag, if an instructor puts them here
FILES_OF_THE_CLASS = (GRADEBOOK, JUNIT, INDEX, LEADERBOARD)

LONGEST, MOST_NAMED = 64, 5
SAFE = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._@-]*[A-Za-z0-9_])?")
# What Unicode does not take apart into a letter and its mark.
LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe"} | dict(zip("øØłŁđĐı", "oOlLdDi", strict=True)))
# Windows refuses these names, with any suffix.
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
FILE = ".students.json"
UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)  # or of another version


@dataclass(frozen=True, slots=True)
class Identity:
    """`name` is the student's name in the source, from which the folder's name is derived.

    `number` is the student's number on the `platform` (canvas, moodle, …) if the platform put it into a file's name;
    empty otherwise.
    """

    name: str
    platform: str = ""
    number: str = ""


def identifiers(wanted: Iterable[str]) -> list[str]:
    """Return a folder name for each student's name. They are unique even on file systems that ignore case.

    A number is added to repeated names, so that the result is never the name of another student.
    """
    names = [folder_name(name) for name in wanted]
    reserved = {name.casefold() for name in names}
    taken: set[str] = set()
    unique: list[str] = []
    for name in names:
        numbered = (f"{name}-{number}" for number in count(2))
        others = (other for other in numbered if other.casefold() not in reserved | taken)
        chosen = next(others) if name.casefold() in taken else name
        taken.add(chosen.casefold())
        unique.append(chosen)
    return unique


def folder_name(name: str) -> str:
    """Return `name` if it is safe as the name of a folder, or else its ASCII words and a hash of the whole name."""
    name = unicodedata.normalize("NFC", name)
    taken = RESERVED.fullmatch(name) or name.lower() in FILES_OF_THE_CLASS
    if SAFE.fullmatch(name) and len(name) <= LONGEST and not taken:
        return name
    return f"{ascii_words(name)}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def folder_among(known: Collection[str], name: str, place: str) -> str:
    """Return the one of the `known` folders for a student's name, in the source or of the folder, or how it begins.

    Raises UsageError if there is none in this `place`, or if several begin like that.
    """
    if (folder := folder_name(name)) in known:
        return folder
    begin = [each for each in sorted(known) if each.casefold().startswith(name.casefold())]
    if len(begin) > 1:
        raise UsageError(f"Several students in {place} begin with {name}.", f"Name one: {some(begin, MOST_NAMED)}.")
    if not begin:
        hint = f"Name a folder, such as {min(known)}." if known else "Name the results folder after the student."
        raise UsageError(f"There is no student {name} in {place}.", did_you_mean(name, known, hint))
    return begin[0]


def ascii_words(name: str) -> str:
    """Return the ASCII letters, digits and underscores of `name`, joined by hyphens; "student" if there are none."""
    plain = unicodedata.normalize("NFKD", name.translate(LETTERS)).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9_]+", "-", plain).strip("-")[:40].rstrip("-") or "student"


def read(results: Path) -> dict[str, Identity]:
    """Return the identity of each student by folder; empty if none was recorded or the file is damaged."""
    try:
        recorded = json.loads((results / FILE).read_bytes())
        return {folder: Identity(**values) for folder, values in recorded.items()}
    except UNREADABLE:
        return {}


def record(identities: Mapping[str, Identity], results: Path) -> None:
    """Add these identities, by folder, to those of earlier runs.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    known = read(results)
    every = {**known, **{folder: _with_number(identity, known.get(folder)) for folder, identity in identities.items()}}
    text = json.dumps({folder: asdict(every[folder]) for folder in sorted(every)}, indent=1) + "\n"
    write_text(results / FILE, text)


def _with_number(identity: Identity, earlier: Identity | None) -> Identity:
    """Return the identity of an earlier run if this one lacks the number, as that of a plain folder does."""
    return earlier if earlier and earlier.name == identity.name and not identity.number else identity
