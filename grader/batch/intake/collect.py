"""Collect one file for each student from folders, rosters, or zip files of learning platforms."""

import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from grader.batch.intake import archives, csv_roster, folders, gradescope_export, own_files
from grader.batch.intake.attribution import PACKED, SubmittedFile, by_name, is_one_student
from grader.batch.intake.source_entry import MOST_DEPTH, MOST_FILES, SourceEntry, Submission, sentence
from grader.batch.results.names import GRADEBOOK, folder_among, folder_name, identifiers
from grader.errors import SubmissionError, UsageError
from grader.judge import joined, submission
from grader.text.clean import one_line

LONGEST_NAME = 120
MOST_OTHERS = 5  # of the files that are not graded: how many are listed
OPENED_ARE = "Of packed files, zip, tar and tar.gz are opened, but none that is in another one."


def collect(*sources: Path, known: Iterable[str] = (), course: Collection[str] = ()) -> tuple[Submission, ...]:
    """Return the submission of each student, sorted by identifier.

    `known` are the students of earlier runs, and `course` headers of the lab, which the compiler has. Raises
    UsageError for an unreadable source, one without submissions, and a folder of results. A problem with one
    student's files is the `problem` of that submission.
    """
    students: dict[str, list[SubmittedFile]] = defaultdict(list)
    folders = {student.casefold() for student in known}
    with ExitStack() as open_sources:
        for number, source in enumerate(sources):
            files = list(_files(source, open_sources, folders))
            for file in files:
                students[file.owner.key].append(replace(file, source=number))
            folders |= {folder_name(file.owner.identity.name).casefold() for file in files}
        if not students:
            sentence = f"There are no submissions in {' or '.join(map(str, sources))}."
            raise UsageError(sentence, "It should contain a folder or a .cu file for each student.")
        groups = [students[key] for key in sorted(students)]
        names = identifiers(one_line(group[0].owner.identity.name, 1000) for group in groups)
        read = sorted(map(partial(_submission, course=course), names, groups), key=lambda each: each.student)
    results = [source for source in sources if (source / GRADEBOOK).is_file()]
    if results and all(each.problem for each in read):
        sentence = f"{results[0]} has the results of a class, and no .cu file."
        raise UsageError(sentence, "Name the folder or the zip file with the students' files.")
    return tuple(read)


def only(submissions: Sequence[Submission], students: Sequence[str]) -> tuple[Submission, ...]:
    """Return the submissions of `students`, by their names. Raises UsageError for an unknown name."""
    known = {submission.student: submission for submission in submissions}
    folders = (folder_among(known, student, "the sources") for student in students)
    return tuple(known[folder] for folder in dict.fromkeys(folders))


def _files(source: Path, open_sources: ExitStack, known: Collection[str]) -> Iterable[SubmittedFile]:
    if source.is_file() and source.suffix.lower() == ".csv":
        return csv_roster.submitted_files(source)
    is_folder = source.is_dir()
    entries = folders.entries_of(source) if is_folder else open_sources.enter_context(archives.opened(source))
    metadata = None if is_one_student(entries, known) else gradescope_export.metadata(entries)
    return by_name(entries, known) if metadata is None else gradescope_export.submitted_files(entries, metadata)


def _submission(student: str, submitted: Sequence[SubmittedFile], course: Collection[str]) -> Submission:
    files = archives.unpacked(sorted(submitted, key=_newness, reverse=True))
    newest, others = _to_grade(files, course)
    content, problem = _content(files, newest.entry)
    if content and newest.entry:
        content = own_files.with_files(content, _path(newest), others, course)
    named = next((file.owner for file in files if file.owner.name), newest.owner)
    identity = submitted[0].owner.identity
    return Submission(
        student=student,
        name=one_line(named.name, LONGEST_NAME),
        email=one_line(named.email, LONGEST_NAME),
        file=one_line(newest.name, LONGEST_NAME) or "matmul.cu",
        content=content,
        late=one_line(newest.late, LONGEST_NAME),
        submitted=newest.submitted,
        problem=problem,
        identity=replace(identity, name=one_line(identity.name, 1000)),
        others=_others(files, newest.entry, content) if content else (),
        note=next((file.note for file in files if file.note), ""),
    )


def _to_grade(files: Sequence[SubmittedFile], course: Collection[str]) -> tuple[SubmittedFile, dict[str, SourceEntry]]:
    """Return the newest file to grade, and the files that were submitted with it by their paths, the newest first."""
    newest = max(files, key=_newness)
    together = [file for file in files if file.entry and _attempt(file) == _attempt(newest)]
    by_path = {_path(file): file for file in sorted(together, key=_newness)}
    entries = {path: file.entry for path, file in by_path.items() if file.entry}
    sources = [replace(entry, path=path) for path, entry in entries.items() if entry.is_source]
    paths = {entry.path for entry in own_files.candidates(entries, sources, course)}
    return max((by_path[path] for path in paths), key=_newness, default=newest), entries


def _attempt(file: SubmittedFile) -> tuple[int, str]:
    return file.source, file.submitted if file.owner.identity.platform else ""


def _path(file: SubmittedFile) -> str:
    """Return the path of a file, with the name that the student gave it."""
    return posixpath.join(posixpath.dirname(file.entry.path), file.name) if file.entry else ""


def _others(files: Sequence[SubmittedFile], newest: SourceEntry | None, content: bytes) -> tuple[str, ...]:
    """Return the paths of the .cu files that are not graded."""
    included = {posixpath.basename(part.file) for part in joined.parts(content)}
    sources = [file.entry for file in files if file.entry is not None and file.entry.is_source]
    left = [entry for entry in sources if entry is not newest and entry.parts[-1] not in included]
    paths = sorted({one_line(entry.path, LONGEST_NAME) for entry in left})
    return (*paths[:MOST_OTHERS], *([f"{len(paths) - MOST_OTHERS} more"] if len(paths) > MOST_OTHERS else []))


def _newness(file: SubmittedFile) -> tuple[bool, int, float, float, bool, str]:
    """The key that orders a student's files: source files last, then by time, then files with the expected name."""
    entry = file.entry
    if entry is None:
        return (False, 0, 0.0, 0.0, False, "")
    expected = file.name.lower() == "matmul.cu"
    return (entry.is_source, file.rank, _instant(file.submitted), _instant(entry.modified), expected, entry.path)


def _instant(time: str) -> float:
    """Return the seconds since 1970 of a time in ISO 8601, which is in UTC if it has no offset; 0 for an empty text."""
    if not time:
        return 0.0
    moment = datetime.fromisoformat(time)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _content(files: Sequence[SubmittedFile], newest: SourceEntry | None) -> tuple[bytes, str]:
    """Return the content and an empty problem, or no content and the problem."""
    if problem := _excess(files):
        return b"", problem
    if newest is None or not newest.is_source:
        return b"", _no_source([file.entry for file in files if file.entry is not None])
    if problem := newest.refusal or next(_collisions(files), ""):
        return b"", problem
    try:
        content = newest.read(submission.MOST_BYTES)
    except SubmissionError as error:
        return b"", error.fault.sentence
    fault = submission.fault(submission.without_magic(content))
    return (b"", f"{fault.sentence} {fault.hint}") if fault else (content, "")


def _excess(files: Sequence[SubmittedFile]) -> str:
    """Return the problem if one student's files exceed the limits: then none of them is read. Empty otherwise."""
    if len(files) > MOST_FILES:
        return f"There are more than {MOST_FILES} files, so none was read."
    deep = next((file.entry.parts for file in files if file.entry and len(file.entry.parts) > MOST_DEPTH), ())
    return sentence("/".join((*deep[:3], "…")), f"is more than {MOST_DEPTH} folders deep") if deep else ""


def _no_source(entries: Sequence[SourceEntry]) -> str:
    if not entries:
        return "Nothing was submitted."
    if refusals := [entry.refusal for entry in entries if entry.refusal]:
        return refusals[0]
    names = sorted({entry.parts[-1] for entry in entries})
    shown = one_line(", ".join(names[:3]), LONGEST_NAME) + (", …" if names[3:] else "")
    packed = f" {OPENED_ARE}" if any(PACKED.search(name) for name in names) else ""
    return f"There is no .cu file, only {shown}.{packed}"


def _collisions(files: Sequence[SubmittedFile]) -> Iterator[str]:
    """Yield the problems of ambiguous files: two with the same path, or with paths that differ only in case."""
    seen: dict[tuple[int, str], str] = {}
    for source, path in ((file.source, file.entry.path) for file in files if file.entry and file.entry.is_source):
        place = (source, path.casefold())
        if place in seen:
            same = "are there twice" if seen[place] == path else "differ only in case"
            yield f"{_pair(seen[place], path)} {same}, so neither was read."
        seen[place] = path
    spellings = sorted({file.owner.identity.name for file in files})
    if len(spellings) > len({spelling.casefold() for spelling in spellings}):
        yield f"{_pair(*spellings[:2])} differ only in case, so neither was read."
    yield from _two_students(files)


def _two_students(files: Sequence[SubmittedFile]) -> Iterator[str]:
    """Yield the problem of an id that is not of one student: its files have different names or e-mail addresses.

    A roster may have an id twice, and a student may choose a name that looks like the number of another one.
    """
    for source in sorted({file.source for file in files}):
        owners = [file.owner for file in files if file.source == source]
        for values in ([owner.name for owner in owners], [owner.email for owner in owners]):
            spellings = {" ".join(value.casefold().split()): value for value in values if value.strip()}
            if len(spellings) > 1:
                yield f"{_pair(*sorted(spellings.values())[:2])} have the same id, so neither was read."


def _pair(first: str, second: str) -> str:
    return f"“{one_line(first, LONGEST_NAME)}” and “{one_line(second, LONGEST_NAME)}”"
