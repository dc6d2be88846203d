"""The folder of one student: the files of a result, or the reason why there is nothing to grade."""

import hashlib
import json
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from grader.batch.results import attempts
from grader.batch.results.names import UNREADABLE
from grader.batch.results.reuse import Fingerprint, Result
from grader.host.atomic_write import disk_errors, write_text
from grader.model import Report
from grader.report import json_document, junit
from grader.report.all_formats import FORMATS, JUNIT, PAGE, REPORT, rendered
from grader.report.changes import changes
from grader.report.html.facts import Origin
from grader.report.junit import STRICT, Dialect
from grader.rubric.visible import for_students, hidden, hidden_as_in
from grader.text.clean import one_line

PAGE_END = b"</html>"
RECORD = ".graded.json"  # written last: without it, or with the hash of another report, the folder is incomplete
NAMES = ("measured", "rubric", "report")  # its keys: the result's fingerprint and the hash of report.json
UNTIL = "visible_after"  # its key for the date until which the page omits hidden sizes; empty if it has all
EARLIER = "before"  # folder for results that no longer count
REASON = "nothing-to-grade.txt"
LONGEST_REASON = 500


def write(
    result: Result, content: bytes, folder: Path, dialect: Dialect = STRICT, others: tuple[str, ...] = ()
) -> None:
    """Write every format of the report, and its fingerprint. An earlier result is valid until all is written.

    A grade that is replaced is saved as an attempt. `others` are the student's files that are not graded.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    if (old := read(folder)) and not attempts.same(old.report, result.report):
        attempts.keep(old.report, folder)
    now = datetime.now(UTC)
    shown = for_students(result.report, now)
    origin = _origin(result.report, shown, folder, others)
    texts = rendered(shown, content, dialect.of(folder.name, shown.source.name), origin)
    if shown is not result.report:  # report.json is the instructor's record
        texts[REPORT] = json_document.REPORT.render(result.report)
    fingerprint = result.fingerprint
    record = {
        "measured": fingerprint.measured,
        "rubric": fingerprint.rubric,
        "report": _hash(texts[REPORT].encode()),
        UNTIL: result.report.rubric.visible_after if hidden(result.report.rubric, now) else "",
    }
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / REASON).unlink(missing_ok=True)
    if before := _record(folder):  # after a crash, report.json may be either one: the record has both hashes
        write_text(folder / RECORD, json.dumps({**record, "before": before}) + "\n")
    for name in sorted(texts, key=lambda name: name == REPORT):
        write_text(folder / name, texts[name])
    write_text(folder / RECORD, json.dumps(record) + "\n")


def _origin(report: Report, shown: Report, folder: Path, others: tuple[str, ...]) -> Origin:
    *before, current = attempts.with_current(folder, report)
    if not before:
        return Origin(folder.name, current.number, (), others)
    earlier = for_students(hidden_as_in(before[-1].report, report.rubric), datetime.now(UTC))
    return Origin(folder.name, current.number, changes(earlier, shown), others)


def read(folder: Path) -> Result | None:
    """Return the finished result in `folder`; None if there is none, or one that is incomplete or unreadable."""
    record = _record(folder)
    try:
        report = json_document.REPORT.from_text((folder / REPORT).read_bytes())
        date = report.rubric.visible_after
        return Result(Fingerprint(record["measured"], record["rubric"], date), report) if record else None
    except UNREADABLE:
        return None


def files(folder: Path) -> list[str]:
    """Return the names of the files in `folder` to which the page of the class links."""
    return [name for name in (PAGE, REPORT) if (folder / name).is_file()]


def is_whole(folder: Path) -> bool:
    """Whether the report in the folder matches the record, and the page is complete."""
    return _record(folder) is not None and _bytes(folder / PAGE).rstrip().endswith(PAGE_END)


def lacks_visible_sizes(folder: Path) -> bool:
    """Whether the page omits sizes that are no longer hidden."""
    try:
        until = json.loads((folder / RECORD).read_bytes()).get(UNTIL, "")
        return bool(until) and datetime.now(UTC) >= datetime.fromisoformat(until)
    except UNREADABLE:
        return False


def write_dialect(report: Report, folder: Path, dialect: Dialect = STRICT) -> None:
    """Write junit.xml of a finished report again if it is missing or in another dialect.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    shown = for_students(report, datetime.now(UTC))
    _write_changed(folder / JUNIT, junit.render(shown, dialect.of(folder.name, report.source.name)))


def write_reason(reason: str, folder: Path) -> None:
    """Write the reason why there is nothing to grade.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    _write_changed(folder / REASON, f"{one_line(reason, LONGEST_REASON)}\n")


def read_reason(folder: Path) -> str:
    """Return the reason why an earlier run had nothing to grade; empty if none was written."""
    return one_line(_bytes(folder / REASON).decode(errors="replace"), LONGEST_REASON)


def set_aside(folder: Path) -> Path | None:
    """Move the files of an earlier result to a subfolder, where they do not count, and return it; None without files.

    Raises InfrastructureError when the folder cannot be written.
    """
    old = [folder / name for name in (RECORD, *FORMATS) if (folder / name).is_file()]
    if not old:
        return None
    if result := read(folder):
        attempts.keep(result.report, folder)
    names = (EARLIER if number == 1 else f"{EARLIER}-{number}" for number in count(1))
    aside = next(folder / name for name in names if not (folder / name).exists())
    with disk_errors(folder):
        aside.mkdir()
        for file in old:
            file.replace(aside / file.name)
    return aside


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
    """Return the record with the hash of the report.json in `folder`; None if there is no such record."""
    try:
        newest = json.loads((folder / RECORD).read_bytes())
        present = _hash((folder / REPORT).read_bytes())
        records = [record for record in (newest, newest.get("before")) if record]
        return next(({name: record[name] for name in NAMES} for record in records if record["report"] == present), None)
    except UNREADABLE:
        return None


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
