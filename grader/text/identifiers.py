"""Names of students as names of folders: safe on every file system, and the same in every run."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from itertools import count

LONGEST = 64
SAFE = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._@-]*[A-Za-z0-9_])?")
# Windows refuses these as names, whatever follows a dot; the rest are files of the class beside the students' folders.
TAKEN = re.compile(
    r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?|gradebook\.csv|junit\.xml|(index|leaderboard)\.html", re.IGNORECASE
)


def identifiers(wanted: Iterable[str]) -> list[str]:
    """Return an identifier for each name, no two of them alike even where case does not count."""
    free: list[str] = []
    taken: set[str] = set()
    for name in wanted:
        one = folder_name(name)
        numbered = (one if number == 1 else f"{one}-{number}" for number in count(1))
        chosen = next(name for name in numbered if name.casefold() not in taken)
        taken.add(chosen.casefold())
        free.append(chosen)
    return free


def folder_name(name: str) -> str:
    """Return `name` where it is safe, and else what is left of it with a hash of the whole, which keeps names apart."""
    name = unicodedata.normalize("NFC", name)
    if SAFE.fullmatch(name) and len(name) <= LONGEST and not TAKEN.fullmatch(name):
        return name
    return f"{ascii_words(name)}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def ascii_words(name: str) -> str:
    """Return what plain letters can say of a name, its words joined by hyphens: for whoever reads a list of folders."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9_]+", "-", plain).strip("-")[:40].rstrip("-") or "student"
