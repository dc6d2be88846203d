"""The attempts of one student: the grades that later grades have replaced, without their long texts.

An attempt is written before the grade that replaces it, so that a killed command loses none. If there are too many, old
ones are removed, but never the best attempt under each rubric and on each kind of machine.
"""

import json
from collections import defaultdict
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from grader.batch.results.names import UNREADABLE
from grader.host.atomic_write import disk_errors, write_text
from grader.model import Fault, Report, State
from grader.report import json_document
from grader.rubric.outcome import grade

FOLDER = "attempts"
MOST = 50
LONGEST = 1000  # characters of a sentence or a hint


@dataclass(frozen=True, slots=True)
class KeptAttempt:
    """A grade, and the number of the attempt, counted from 1."""

    number: int
    report: Report


def kept(folder: Path) -> list[KeptAttempt]:
    """Return the replaced attempts in the folder of a student, oldest first."""
    attempts = []
    for number, path in _paths(folder):
        with suppress(*UNREADABLE):
            attempts.append(KeptAttempt(number, _read(path, path.stat().st_mtime_ns)))
    return attempts


def with_current(folder: Path, current: Report | None) -> list[KeptAttempt]:
    """Return all attempts, oldest first. `current` is the report that counts, if there is one."""
    before = kept(folder)
    if current is None or (before and same(before[-1].report, current)):
        return before
    return [*before, KeptAttempt(_last(folder) + 1, current)]


def keep(report: Report, folder: Path) -> None:
    """Save a grade that is about to be replaced, unless it is saved already or not finished.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    before = kept(folder)
    if report.state is not State.FINISHED or (before and same(before[-1].report, report)):
        return
    place = folder / FOLDER
    with disk_errors(place):
        place.mkdir(parents=True, exist_ok=True)
    text = json.dumps(json_document.REPORT.to_dict(_slim(report)), ensure_ascii=False, allow_nan=False)
    write_text(place / f"{_last(folder) + 1:04}.json", text + "\n")
    _prune(folder)


def same(first: Report, second: Report) -> bool:
    """Whether two reports are of one attempt. Other points for the same measurements are a new attempt."""
    one, other = ((each.started, each.source.sha256, each.seed, _points(each)) for each in (first, second))
    return one == other


def best(attempts: list[KeptAttempt]) -> KeptAttempt | None:
    """Return the attempt with the most points, the latest of equal ones; None without a grade.

    Attempts in which more points were measured come first, because a grade without speeds is not comparable to others.
    """
    graded = [attempt for attempt in attempts if grade(attempt.report)]
    return max(graded, key=lambda attempt: (*_points(attempt.report), attempt.number), default=None)


def conditions(report: Report) -> Hashable:
    """Return a key that is equal if points are comparable: rubric, naive kernel, backend and GPU."""
    machine = report.machine
    gpu = machine.device if machine.backend.capabilities.uses_gpu else ""
    return report.rubric.rules, report.naive_sha256, machine.backend, gpu


def _points(report: Report) -> tuple[float, float]:
    score = grade(report)
    return (score.measured, score.earned) if score else (0.0, 0.0)


def _paths(folder: Path) -> list[tuple[int, Path]]:
    paths = (path for path in (folder / FOLDER).glob("*.json") if path.stem.isdecimal() and path.stem.isascii())
    return sorted((int(path.stem), path) for path in paths)


def _last(folder: Path) -> int:
    return max((number for number, _ in _paths(folder)), default=0)


@lru_cache(maxsize=4096)
def _read(path: Path, _modified: int) -> Report:
    """Return the report; cached, because the pages of a class are written every minute.

    Raises one of `UNREADABLE` if it is damaged, for example if its time has no offset.
    """
    report = json_document.REPORT.from_text(path.read_bytes())
    if datetime.fromisoformat(report.started).utcoffset() is None:
        raise ValueError(f"{report.started} has no offset from UTC")
    return report


def _prune(folder: Path) -> None:
    paths = _paths(folder)
    if len(paths) <= MOST:
        return
    groups: dict[Hashable, list[KeptAttempt]] = defaultdict(list)
    for attempt in kept(folder):
        groups[conditions(attempt.report)].append(attempt)
    tops = {top.number for group in groups.values() if (top := best(group))}
    removable = [path for number, path in paths if number not in tops]
    for path in removable[: len(paths) - MOST]:
        with disk_errors(path):
            path.unlink(missing_ok=True)


def _slim(report: Report) -> Report:
    """Return the report without texts that may be long."""
    results = tuple(
        replace(
            result,
            fault=_short(result.fault),
            tolerated=_short(result.tolerated),
            mismatch=None,
            printed="",
            remark=result.remark[:LONGEST],
        )
        for result in report.results
    )
    build = report.build and replace(report.build, log="", command=())
    return replace(
        report,
        build=build,
        fault=_short(report.fault),
        results=results,
        baselines={},
        stages={},
        counters=None,
        advice=None,
    )


def _short(fault: Fault | None) -> Fault | None:
    return fault and replace(fault, sentence=fault.sentence[:LONGEST], hint=fault.hint[:LONGEST], detail="")
