"""From what an instructor has, a folder, a roster or zip files of a learning platform, to one file for each student."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from grader.batch.intake import archives, folders, gradescope, roster
from grader.batch.intake.attribution import PACKED, Attribution, by_name
from grader.batch.intake.source_entry import SourceEntry
from grader.batch.intake.submission import Submission
from grader.batch.results.folder_names import identifiers
from grader.errors import SubmissionError, UsageError
from grader.judge.submission import MOST_BYTES
from grader.text.clean import one_line

LONGEST_NAME = 120


def collect(*sources: Path) -> tuple[Submission, ...]:
    """Return what each student handed in, in the order of their identifiers.

    Raises UsageError where a source as a whole cannot be read or holds nobody's files. What is wrong with one student's
    files is that student's `problem`.
    """
    students: dict[str, list[Attribution]] = defaultdict(list)
    with ExitStack() as open_sources:
        for number, source in enumerate(sources):
            for attribution in _attributions(source, open_sources):
                students[attribution.key].append(replace(attribution, source=number))
        if not students:
            raise UsageError(
                f"Nobody has handed in anything in {' or '.join(map(str, sources))}.",
                "It needs a folder or a .cu file for each student.",
            )
        groups = [students[key] for key in sorted(students)]
        names = identifiers(one_line(attributions[0].student, 1000) for attributions in groups)
        return tuple(sorted(map(_submission, names, groups), key=lambda one: one.student))


def _attributions(source: Path, open_sources: ExitStack) -> Iterable[Attribution]:
    if source.is_file() and source.suffix.lower() == ".csv":
        return open_sources.enter_context(roster.opened(source))
    opened = folders.opened if source.is_dir() else archives.opened
    found = open_sources.enter_context(opened(source))
    described = gradescope.metadata(found)
    return by_name(found) if described is None else gradescope.attributions(found, described)


def _submission(student: str, attributions: Sequence[Attribution]) -> Submission:
    newest = max(attributions, key=_newness)
    content, problem = _content(attributions, newest.entry)
    known = next((one for one in attributions if one.name), newest)
    return Submission(
        student=student,
        name=one_line(known.name, LONGEST_NAME),
        email=one_line(known.email, LONGEST_NAME),
        file=one_line(newest.file, LONGEST_NAME) or "matmul.cu",
        content=content,
        late=newest.late,
        submitted=newest.submitted,
        problem=problem,
    )


def _newness(attribution: Attribution) -> tuple[bool, int, str, str, bool, str]:
    """Order a student's files: a source file before anything else, then the later one, then the expected name."""
    found = attribution.entry
    if found is None:
        return (False, 0, "", "", False, "")
    name = attribution.file.lower()
    return (found.is_source, attribution.rank, attribution.submitted, found.modified, name == "matmul.cu", found.path)


def _content(attributions: Sequence[Attribution], newest: SourceEntry | None) -> tuple[bytes, str]:
    """Return the file's bytes, or none and why there are none."""
    if newest is None or not newest.is_source:
        return b"", _no_source([one.entry for one in attributions if one.entry is not None])
    if problem := newest.refusal or next(_collisions(attributions), ""):
        return b"", problem
    try:
        return newest.read(MOST_BYTES), ""
    except SubmissionError as error:
        return b"", error.fault.sentence


def _no_source(found: Sequence[SourceEntry]) -> str:
    if not found:
        return "Nothing was handed in."
    if refusals := [one.refusal for one in found if one.refusal]:
        return refusals[0]
    names = sorted({one.parts[-1] for one in found})
    shown = one_line(", ".join(names[:3]), LONGEST_NAME) + (", …" if names[3:] else "")
    packed = " Packed files are not opened." if any(PACKED.search(name) for name in names) else ""
    return f"There is no .cu file, only {shown}.{packed}"


def _collisions(attributions: Sequence[Attribution]) -> Iterator[str]:
    """Files that one folder could not hold on every system, so that nobody can say which of them was meant."""
    seen: dict[tuple[int, str], str] = {}
    for source, path in ((one.source, one.entry.path) for one in attributions if one.entry and one.entry.is_source):
        place = (source, path.casefold())
        if place in seen:
            same = "are there twice" if seen[place] == path else "differ only in case"
            yield f"{_pair(seen[place], path)} {same}, so neither was read."
        seen[place] = path
    spellings = sorted({one.student for one in attributions})
    if len(spellings) > len({one.casefold() for one in spellings}):
        yield f"{_pair(*spellings[:2])} differ only in case, so neither was read."


def _pair(one: str, other: str) -> str:
    return f"“{one_line(one, LONGEST_NAME)}” and “{one_line(other, LONGEST_NAME)}”"
