"""Gradescope's export: a folder for each submission, and a YAML file that says whose it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import yaml

from grader.batch.intake.attribution import Attribution, by_name
from grader.batch.intake.source_entry import SourceEntry
from grader.errors import SubmissionError, UsageError

METADATA = "submission_metadata.yml"
MOST_METADATA = 64 << 20  # it holds every test of every attempt of the class
TOP, IN_A_FOLDER = 1, 2  # parts of the path of the file; deeper ones are a student's


def metadata(found: Sequence[SourceEntry]) -> SourceEntry | None:
    """Return the export's own metadata, where there is any."""
    return next((one for one in found if one.parts[-1] == METADATA and _is_ours(one, found)), None)


def attributions(found: Sequence[SourceEntry], described: SourceEntry) -> Iterator[Attribution]:
    """Tell whose each file is. Every member of a group has handed in the group's files.

    Raises UsageError where the metadata cannot be read.
    """
    depth = len(described.parts) - 1
    held: dict[str, list[SourceEntry]] = defaultdict(list)
    for one in found:
        if one is not described and len(one.parts) > depth:
            held[one.parts[depth]].append(replace(one, path=one.path.split("/", depth)[-1]))
    for folder, submission in _parsed(described).items():
        files = [one for one in held.pop(_text(folder), []) if not one.is_folder]
        for owner in _owners(submission):
            yield owner
            yield from (replace(owner, file=one.parts[-1], entry=one) for one in files)
    yield from by_name([one for files in held.values() for one in files])  # what the metadata does not know


def _is_ours(one: SourceEntry, found: Sequence[SourceEntry]) -> bool:
    if len(one.parts) == TOP:
        return True
    return len(one.parts) == IN_A_FOLDER and len({other.parts[0] for other in found}) == 1


def _parsed(described: SourceEntry) -> dict[Any, Any]:
    try:
        values = yaml.load(described.read(MOST_METADATA), Loader=_Plain)  # noqa: S506 - a SafeLoader, which builds no objects
    except (yaml.YAMLError, SubmissionError, RecursionError, ValueError) as error:
        raise UsageError(f"{described.path} is not the metadata that Gradescope writes.", "Export it again.") from error
    if not isinstance(values, dict):
        raise UsageError(f"{described.path} names no submissions.", "Export it again.")
    return values


def _owners(submission: object) -> Iterator[Attribution]:
    if not isinstance(submission, dict):
        return
    submitters = submission.get(":submitters")
    for one in submitters if isinstance(submitters, list) else []:
        if isinstance(one, dict):
            name, email, number = (_text(one.get(field)) for field in (":name", ":email", ":sid"))
            if known := number or email or name:
                key = f"gradescope {(email or known).casefold()}"
                yield Attribution(key, known, name, email, submitted=_time(submission.get(":created_at")))


def _text(value: object) -> str:
    """A plain value as text; anything nested may be endless, because YAML has references."""
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
    """Takes Ruby's own tags, as on its times and symbols, for the plain values below them."""


def _untagged(loader: Any, _tag: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_mapping(node, deep=True)


_Plain.add_multi_constructor("!ruby/", _untagged)
