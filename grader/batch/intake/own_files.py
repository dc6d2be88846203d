"""Submissions of several files: which of them is graded, with what it includes of the others.

A file is found only among those that the student submitted; a header also beside the file that the user names.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from os.path import lexists
from pathlib import Path
from posixpath import basename, dirname, join, normpath

from grader.batch.intake import folders
from grader.batch.intake.archives import OPENED, entries_of
from grader.batch.intake.source_entry import SourceEntry
from grader.errors import SubmissionError, UsageError
from grader.judge import joined, submission
from grader.judge.submission import MOST_BYTES
from grader.model import Rubric
from grader.text.numbers import some

HEADER = re.compile(r"\.(?:cuh|h|hh|hpp|hxx|inc|inl)$")  # a .cu file beside one may be another student's
MOST_SOURCES = 32  # that are read to choose one of them
MOST_NAMED = 5  # of several that may be the one to grade
SOURCE = ".cu"
KERNEL = b"__global__"
PLAIN = str.maketrans("“”", '""')


@dataclass(frozen=True, slots=True)
class Submitted:
    """The file to grade: its name, its text with what it includes, and the paths of all files that it depends on.

    Some of these may not be there.
    """

    name: str
    content: bytes
    files: tuple[Path, ...]


def read(path: Path, rubric: Rubric | None = None) -> Submitted:
    """Read a .cu file with the headers beside it that it includes, or the one to grade of a folder or a packed file.

    The compiler has the headers of the lab, whose naive kernel is not graded where there are others. Raises UsageError
    if there is no such file.
    """
    course = [header.name for header in rubric.headers] if rubric else []
    if not path.is_dir() and not OPENED.search(path.name):
        return _beside(path, course)
    entries = _entries(path)
    if not (sources := [entry for entry in entries if entry.is_source]):
        raise UsageError(f"There is no .cu file in {path}.", "Name a .cu file, or the folder of one.")
    files = {entry.path: entry for entry in entries}
    try:
        own = [entry for entry in sources if not rubric or entry.path != rubric.naive] or sources
        found = candidates(files, own, course)
        if len(found) > 1:
            named = some([entry.path for entry in found], MOST_NAMED)
            hint = "Name the one to grade." if path.is_dir() else "Unpack it, and name the one to grade."
            raise UsageError(f"{path} has several .cu files: {named}.", hint)
        entry = found[0]
        content = with_files(entry.read(MOST_BYTES), entry.path, files, course)
    except SubmissionError as error:
        raise UsageError(f"{path}: {error.fault.sentence}", error.fault.hint) from error
    return Submitted(entry.parts[-1], content, tuple(path / name for name in files) if path.is_dir() else (path,))


def candidates(
    files: Mapping[str, SourceEntry], sources: Sequence[SourceEntry], course: Collection[str] = ()
) -> list[SourceEntry]:
    """Return the sources that may be the one to grade: no other one includes them, and they have a kernel, if any."""
    if not 1 < len(sources) <= MOST_SOURCES:
        return list(sources)
    texts = {entry.path: _read(entry) for entry in sources}
    inner = {normpath(join(dirname(path), name)) for path, text in texts.items() for name in joined.included(text)}
    outer = [entry for entry in sources if entry.path not in inner] or list(sources)
    return [each for each in outer if KERNEL in with_files(texts[each.path], each.path, files, course)] or outer


def with_files(content: bytes, path: str, files: Mapping[str, SourceEntry], course: Collection[str] = ()) -> bytes:
    """Return a text with the files that it includes, of those that were submitted with it."""

    def find(name: str) -> bytes | None:
        entry = None if name in course or basename(name) in course else files.get(name)
        return _read(entry) if entry else None

    return joined.joined(content, path, find)


def _beside(path: Path, course: Collection[str]) -> Submitted:
    content, found = submission.read(path), [path]
    if path.suffix.lower() != SOURCE:
        raise UsageError(f"{path} is not a {SOURCE} file.", f"Rename it to {path.stem}{SOURCE} if it is a kernel.")
    folder = path.parent.resolve()

    def find(name: str) -> bytes | None:
        if name in course or basename(name) in course or not HEADER.search(name):
            return None
        found.append(path.parent / name)
        return _read(folders.entry_at(folder / name, name)) if lexists(folder / name) else None

    return Submitted(path.name, joined.joined(content, path.name, find), tuple(found))


def _entries(path: Path) -> Sequence[SourceEntry]:
    if path.is_dir():
        return folders.entries_of(path)
    try:
        return entries_of(folders.entry_at(path.resolve(), path.name))
    except SubmissionError as error:
        raise UsageError(error.fault.sentence, "Name a .cu file.") from error


def _read(entry: SourceEntry) -> bytes:
    """Return the content of a file; for one that is refused, what makes the compiler say why."""
    try:
        return entry.read(MOST_BYTES)
    except SubmissionError as error:
        return f"#error {error.fault.sentence}".translate(PLAIN).encode()
