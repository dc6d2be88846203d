"""A file or folder in a source; sources are folders and zip files. The content is read on demand."""

import re
import stat
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from grader.batch.results.names import Identity, folder_name
from grader.errors import SubmissionError
from grader.explain import files
from grader.text.clean import one_line

# The limits for one student. A virtual environment among the files has a tenth of that.
MOST_FILES, MOST_DEPTH = 10_000, 64
NOT_LATE = "no"
JUNK = re.compile(r"(^|/)(__MACOSX|\.git|\.ipynb_checkpoints|\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini)(/|$)")


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A file, or a folder if `path` ends with a slash.

    `path` is relative to the source and never leads out of it; `modified` is in ISO 8601 or empty. `read` takes the
    maximal number of bytes, and raises SubmissionError if the file is refused. `refusal` is the reason as a
    sentence, if it is known before reading.
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
    """Return `name` as a path with forward slashes, without the parts that lead out of its folder."""
    parts = unicodedata.normalize("NFC", name).replace("\\", "/").split("/")
    return "/".join(part for part in parts if part not in {"", ".", ".."} and not re.fullmatch(r"[A-Za-z]:", part))


def why_refused(mode: int) -> str:
    """Return the reason to refuse a file with this mode; empty for a regular file or a folder."""
    kind = stat.S_IFMT(mode)
    if kind == stat.S_IFLNK:
        return "is a link and not a file"
    return "" if kind in {0, stat.S_IFREG, stat.S_IFDIR} else "is a device or a pipe and not a file"


def sentence(name: str, why: str) -> str:
    """Return the sentence that says why the file `name` is not graded; empty without a reason."""
    return f"“{one_line(name, 120)}” {why}, so it was not read." if why else ""


def refused(name: str, why: str) -> SubmissionError:
    """Return the exception for a file that is not read."""
    return SubmissionError(files.not_read(sentence(name, why)))


def checked_size(content: bytes, name: str, most: int) -> bytes:
    """Return the content. Raises SubmissionError if it is larger than `most` bytes."""
    if len(content) > most:
        raise refused(name, f"is larger than {most >> 20} MiB")
    return content


@dataclass(frozen=True, slots=True)
class Submission:
    """One student's file.

    `student` is unique in the class and safe as the name of a folder; `submitted` is in ISO 8601 or empty. `problem` is
    the reason, as a sentence, why there is nothing to grade; `content` is empty then. `identity` is None if the
    submission was not read from a source in this run. `others` are the paths of .cu files that are not graded. `note`
    is a message about the source to the instructor. `late` is what the source says: how late, `NOT_LATE` or nothing.
    """

    student: str
    name: str = ""
    email: str = ""
    file: str = "matmul.cu"
    content: bytes = b""
    late: str = ""
    submitted: str = ""
    problem: str = ""
    identity: Identity | None = None
    others: tuple[str, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        if self.problem and self.content:
            raise ValueError(f"{self.student} has both a file and a problem")

    @property
    def is_late(self) -> bool:
        return self.late not in {"", NOT_LATE}

    @property
    def source_name(self) -> str:
        """The student's name in the source, or the folder's if others have that name too."""
        name = self.identity.name if self.identity else self.student
        return name if folder_name(name) == self.student else self.student
