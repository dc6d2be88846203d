"""Names in the results folder: the files of the class, and for each student a folder name valid on every system."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from itertools import count

GRADEBOOK, JUNIT = "gradebook.csv", "junit.xml"
INDEX, LEADERBOARD = "index.html", "leaderboard.html"
SIMILAR = ("similarity.html", "similarity.jplag")  # of copydetect and of JPlag, if an instructor puts them here
FILES_OF_THE_CLASS = (GRADEBOOK, JUNIT, INDEX, LEADERBOARD)

LONGEST = 64
SAFE = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._@-]*[A-Za-z0-9_])?")
# What Unicode does not take apart into a letter and its mark.
LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe"} | dict(zip("øØłŁđĐı", "oOlLdDi", strict=True)))
# Windows refuses these names, with any suffix.
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


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


def ascii_words(name: str) -> str:
    """Return the ASCII letters, digits and underscores of `name`, joined by hyphens; "student" if there are none."""
    plain = unicodedata.normalize("NFKD", name.translate(LETTERS)).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9_]+", "-", plain).strip("-")[:40].rstrip("-") or "student"
