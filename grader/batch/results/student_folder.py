"""The folder of one student: the files of a result, or the reason why there is nothing to grade."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from itertools import count
from pathlib import Path

from grader.batch.results.reuse import Fingerprint, Result
from grader.host.atomic_write import disk_errors, write_text
from grader.model import Report
from grader.report import json_report, junit
from grader.report.all_formats import FORMATS, Options, rendered
from grader.text.clean import one_line

REPORT = "report.json"
JUNIT = "junit.xml"
PAGE = "report.html"
PAGE_END = b"</html>"
RECORD = ".graded.json"  # written last: a folder without it, or with the hash of another report, is not finished
NAMES = ("measured", "rubric", "report")  # its keys: the fingerprint of the result, and the hash of report.json
EARLIER = "before"  # folder for results that no longer count
REASON = "nothing-to-grade.txt"
LONGEST_REASON = 500
UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)  # or of another version


def write(result: Result, content: bytes, folder: Path, junit_family: str, source: str = "") -> None:
    """Write every format of the report, and its fingerprint. An earlier result stays valid until all is written.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    path = path_of(source, folder.name, result.report)
    options = Options(junit_family, folder.name, source=path)
    texts = rendered(result.report, content, options)
    fingerprint = result.fingerprint
    record = {"measured": fingerprint.measured, "rubric": fingerprint.rubric, "report": _hash(texts[REPORT].encode())}
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / REASON).unlink(missing_ok=True)
    if before := _record(folder):  # report.json may be the old or the new one after a crash: the record knows both
        write_text(folder / RECORD, json.dumps({**record, "before": before}) + "\n")
    for name in sorted(texts, key=lambda name: name == REPORT):
        write_text(folder / name, texts[name])
    write_text(folder / RECORD, json.dumps(record) + "\n")


def read(folder: Path) -> Result | None:
    """Return the finished result in `folder`; None if there is none, or one that is incomplete or unreadable."""
    record = _record(folder)
    try:
        report = json_report.from_dict(json.loads((folder / REPORT).read_bytes()))
        return Result(Fingerprint(record["measured"], record["rubric"]), report) if record else None
    except UNREADABLE:
        return None


def path_of(template: str, student: str, report: Report) -> str:
    """Return the path of a student's file in the repository of the class: `template` with {student} and {file}."""
    return template.replace("{student}", student).replace("{file}", report.source.name)


def files(folder: Path) -> list[str]:
    """Return the names of the files in `folder` that the page of the class links to."""
    return [name for name in (PAGE, REPORT) if (folder / name).is_file()]


def is_whole(folder: Path) -> bool:
    """Return whether the folder has the report that its record names, and a page that was not emptied or cut."""
    return _record(folder) is not None and _bytes(folder / PAGE).rstrip().endswith(PAGE_END)


def write_dialect(report: Report, folder: Path, junit_family: str, source: str = "") -> None:
    """Write junit.xml of a finished report again if it is missing or in another dialect.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    _write_changed(folder / JUNIT, junit.render(report, junit_family, path_of(source, folder.name, report)))


def write_reason(reason: str, folder: Path) -> None:
    """Write why there is nothing to grade.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    _write_changed(folder / REASON, f"{one_line(reason, LONGEST_REASON)}\n")


def read_reason(folder: Path) -> str:
    """Return why an earlier run had nothing to grade; empty if no run wrote a reason."""
    return one_line(_bytes(folder / REASON).decode(errors="replace"), LONGEST_REASON)


def set_aside(folder: Path) -> Path | None:
    """Move the files of an earlier result to a folder that is not counted, and return it; None if there are none.

    Raises InfrastructureError when the folder cannot be written.
    """
    old = [folder / name for name in (RECORD, *FORMATS) if (folder / name).is_file()]
    if not old:
        return None
    names = (EARLIER if number == 1 else f"{EARLIER}-{number}" for number in count(1))
    aside = next(folder / name for name in names if not (folder / name).exists())
    with disk_errors(folder):
        aside.mkdir()
        for file in old:
            file.replace(aside / file.name)
    return aside


def earlier_reports(folder: Path) -> list[Report]:
    """Return the reports that were set aside and can be read, from the first to the last."""
    paths = sorted(folder.glob(f"{EARLIER}*/{REPORT}"), key=lambda path: (len(path.parent.name), path.parent.name))
    reports = []
    for path in paths:
        with suppress(*UNREADABLE):
            reports.append(json_report.from_dict(json.loads(path.read_bytes())))
    return reports


def _write_changed(path: Path, text: str) -> None:
    if _bytes(path) != text.encode():
        write_text(path, text)


def _bytes(path: Path) -> bytes:
    """Return the content of a file; empty if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _record(folder: Path) -> dict[str, str] | None:
    """Return the record of the report.json that is in `folder`; None if there is no record of it."""
    try:
        newest = json.loads((folder / RECORD).read_bytes())
        present = _hash((folder / REPORT).read_bytes())
        records = [record for record in (newest, newest.get("before")) if record]
        return next(({name: record[name] for name in NAMES} for record in records if record["report"] == present), None)
    except UNREADABLE:
        return None


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
