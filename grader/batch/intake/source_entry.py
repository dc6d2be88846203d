"""A file as it lies in a folder or a zip file: named and dated, and read only when it is wanted."""

from __future__ import annotations

import re
import stat
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from grader.errors import SubmissionError, UsageError
from grader.model import Fault, Verdict
from grader.text.clean import one_line

MOST_FILES = 100_000  # in one source: a thousand students with a hundred files each
JUNK = re.compile(r"(^|/)(__MACOSX|\.git|\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)(/|$)")


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A file, or a folder where `path` ends with a slash.

    `path` has no part that leads out of the source; `modified` is ISO 8601 or empty. `read` takes the most bytes that
    it may hold, and raises SubmissionError for what is refused; `refusal` is the sentence where that is known before.
    """

    path: str
    modified: str
    read: Callable[[int], bytes]
    refusal: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(self.path.rstrip("/").split("/"))

    @property
    def is_folder(self) -> bool:
        return self.path.endswith("/")

    @property
    def is_source(self) -> bool:
        return not self.is_folder and self.path.lower().endswith(".cu")


def inside(name: str) -> str:
    """Return `name` as a path with forward slashes, less every part that leads out of where it lies."""
    parts = unicodedata.normalize("NFC", name).replace("\\", "/").split("/")
    return "/".join(part for part in parts if part not in {"", ".", ".."} and not re.fullmatch(r"[A-Za-z]:", part))


def why_refused(mode: int) -> str:
    """What a file is, by the mode that it has, where it is not a plain file."""
    kind = stat.S_IFMT(mode)
    if kind == stat.S_IFLNK:
        return "is a link and not a file"
    return "" if kind in {0, stat.S_IFREG, stat.S_IFDIR} else "is a device or a pipe and not a file"


def sentence(name: str, why: str) -> str:
    """Return why the file called `name` is not graded."""
    return f"“{one_line(name, 120)}” {why}, so it was not read."


def too_large(name: str, most: int) -> SubmissionError:
    """Return what to raise for a file of more than `most` bytes."""
    return refused(sentence(name, f"is larger than {most >> 20} MiB"))


def refused(words: str) -> SubmissionError:
    """Return what to raise for a file that is not read."""
    return SubmissionError(Fault(Verdict.BAD_FILE, words, "Hand in one .cu file of source text."))


def check_number(files: int, source: object) -> None:
    """Raise UsageError where a source has more files than any class hands in."""
    if files > MOST_FILES:
        hint = "Take away what was not handed in, or split it."
        raise UsageError(f"{source} holds more than {MOST_FILES} files.", hint)
