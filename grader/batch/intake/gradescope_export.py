"""An export of Gradescope: a folder for each submission, and a YAML file with the students of each folder."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import yaml

from grader.batch.intake.attribution import Owner, SubmittedFile, by_name
from grader.batch.intake.source_entry import SourceEntry
from grader.batch.results.names import Identity
from grader.errors import SubmissionError, UsageError

METADATA = "submission_metadata.yml"
MOST_METADATA = 64 << 20  # bytes; it contains every test of every attempt of the class
TOP, IN_A_FOLDER = 1, 2  # parts of the path of the metadata


def metadata(entries: Sequence[SourceEntry]) -> SourceEntry | None:
    """Return the entry of the metadata; None if this is not an export of Gradescope."""
    return next((entry for entry in entries if entry.parts[-1] == METADATA and _is_gradescopes(entry, entries)), None)


def submitted_files(entries: Sequence[SourceEntry], described: SourceEntry) -> Iterator[SubmittedFile]:
    """Yield each student, then the student's files. The files of a group belong to all of its members.

    Raises UsageError if the metadata cannot be read.
    """
    depth = len(described.parts) - 1
    unclaimed: dict[str, list[SourceEntry]] = defaultdict(list)
    for entry in entries:
        if entry is not described and len(entry.parts) > depth:
            unclaimed[entry.parts[depth]].append(replace(entry, path=entry.path.split("/", depth)[-1]))
    submissions = _parsed(described)
    repeated = _repeated([owner for submission in submissions.values() for owner in _owners(submission)])
    for folder, submission in submissions.items():
        files = [entry for entry in unclaimed.pop(_text(folder), []) if not entry.is_folder]
        time = _time(submission.get(":created_at"))
        for known in _owners(submission):
            is_repeated = known.email and known.identity.name in repeated
            owner = replace(known, identity=Identity(known.email)) if is_repeated else known
            yield SubmittedFile(owner, submitted=time)
            yield from (SubmittedFile(owner, entry.parts[-1], entry, submitted=time) for entry in files)
    yield from by_name([entry for files in unclaimed.values() for entry in files])  # folders without metadata


def _is_gradescopes(entry: SourceEntry, entries: Sequence[SourceEntry]) -> bool:
    """Whether the file is at the top, or in the only folder at the top; a deeper one is a student's."""
    if len(entry.parts) == TOP:
        return True
    return len(entry.parts) == IN_A_FOLDER and len({other.parts[0] for other in entries}) == 1


def _parsed(described: SourceEntry) -> dict[object, dict[object, object]]:
    try:
        values = yaml.load(described.read(MOST_METADATA), Loader=_Plain)  # noqa: S506 - a SafeLoader, which builds no objects
    except (yaml.YAMLError, SubmissionError, RecursionError, ValueError) as error:
        raise UsageError(f"{described.path} is not the metadata that Gradescope writes.", "Export it again.") from error
    if not isinstance(values, dict):
        raise UsageError(f"{described.path} contains no submissions.", "Export it again.")
    return {folder: submission if isinstance(submission, dict) else {} for folder, submission in values.items()}


def _owners(submission: Mapping[object, object]) -> Iterator[Owner]:
    submitters = submission.get(":submitters")
    for student in submitters if isinstance(submitters, list) else []:
        if isinstance(student, dict):
            name, email, number = (_text(student.get(field)) for field in (":name", ":email", ":sid"))
            if known := number or email or name:
                yield Owner(f"gradescope {(email or known).casefold()}", Identity(known), name, email)


def _repeated(owners: Sequence[Owner]) -> set[str]:
    """Return the ids that several students have, because Gradescope lets students edit them."""
    keys: dict[str, set[str]] = defaultdict(set)
    for owner in owners:
        keys[owner.identity.name].add(owner.key)
    return {student for student, of_student in keys.items() if len(of_student) > 1}


def _text(value: object) -> str:
    """Return a scalar as text; empty for a nested value, which may be infinite because YAML has references."""
    return str(value).strip() if isinstance(value, str | int) else ""


def _time(value: object) -> str:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return ""
    if not isinstance(value, datetime):
        return ""
    return (value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)).isoformat(timespec="seconds")


class _Plain(yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):  # type: ignore[misc]
    """Reads values with Ruby's tags, such as times and symbols, as plain values."""


def _untagged(loader: yaml.SafeLoader, _tag: str, node: yaml.Node) -> object:
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_mapping(node, deep=True) if isinstance(node, yaml.MappingNode) else None


_Plain.add_multi_constructor("!ruby/", _untagged)
