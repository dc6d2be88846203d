"""Hostile names, prints and rosters: every output is well-formed, and nothing is unescaped.

python -m tests.benchmarks.fuzz_texts [COUNT]

Makes COUNT reports, students and rosters of each kind (2,000 by default) from pieces that break formats.
"""

import csv
import io
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from grader.batch.intake import collect
from grader.batch.present.gradebook import gradebook
from grader.batch.present.student_summary import StudentResult
from grader.batch.results.names import SAFE
from grader.errors import UsageError
from grader.export import canvas, moodle, roster
from grader.text import csv_cells
from tests import hostile_texts
from tests.every_format import for_class, for_students
from tests.well_formed import structure

COUNT, CLASS = 2000, 50
HEADERS = ("student", "name", "email", "file", "late")
CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Lab (7)")


def main(count: int) -> None:
    """Print how many texts of each kind were well-formed. The first that is not raises an error."""
    chance = random.Random(count)
    print(f"{count} reports: {_reports(chance, count)} texts of students and instructors")
    print(f"{count} students: {_classes(chance, count)} files of classes of {CLASS}")
    print(f"{count} rosters for intake: {dict(_rosters(chance, count))}")
    print(f"{count} rosters of platforms: {dict(_platforms(chance, count))}")


def _reports(chance: random.Random, count: int) -> int:
    known = [
        _structures(for_students(_report(lambda: "plain", compiles), b"plain\n" * 9)) for compiles in (False, True)
    ]
    checked = 0
    for number in range(count):
        text, compiles = hostile_texts.texts(chance), bool(number % 2)
        content = "\n".join(text() for _ in range(9)).encode("utf-8", "replace")
        for name, shown in for_students(_report(text, compiles), content).items():
            assert structure(name, shown) <= known[compiles][name], (name, number)
            checked += 1
    return checked


def _report(text: hostile_texts.Text, compiles: bool):
    return hostile_texts.report(text, compiles=compiles)


def _structures(texts: dict[str, str]) -> dict[str, set[object]]:
    return {name: structure(name, text) for name, text in texts.items()}


def _classes(chance: random.Random, count: int) -> int:
    known = _structures(for_class(hostile_texts.students(lambda: "plain", CLASS)))
    known["index.html"].add(("details", "open"))  # the first of several mistakes
    checked = 0
    for _ in range(0, count, CLASS):
        for name, shown in for_class(hostile_texts.students(hostile_texts.texts(chance), CLASS)).items():
            assert structure(name, shown) <= known[name], name
            checked += 1
    return checked


def _rosters(chance: random.Random, count: int) -> Counter[str]:
    """Give rosters to `grade batch`: it reads each, or refuses it in a sentence."""
    ended: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.cu").write_text("a kernel")
        path = Path(folder) / "roster.csv"
        for _ in range(count):
            text = hostile_texts.texts(chance)
            path.write_bytes(
                _table(HEADERS, [(text(), text(), text(), chance.choice(("a.cu", text())), text())], chance)
            )
            try:
                submissions = collect.collect(path)
            except UsageError:
                ended["refused"] += 1
                continue
            assert all(SAFE.fullmatch(submission.student) for submission in submissions)
            structure("gradebook.csv", gradebook([StudentResult(submission, None) for submission in submissions]))
            ended["read"] += 1
    return ended


def _platforms(chance: random.Random, count: int) -> Counter[str]:
    """Fill gradebooks of Canvas and Moodle: the cells of the platform stay, and the grade is in its column."""
    ended: Counter[str] = Counter()
    for number in range(count):
        text = hostile_texts.texts(chance)
        rows = [(text(), str(number), text(), text(), text(), "")]
        try:
            listed = roster.checked(
                csv_cells.parse(_table(CANVAS, rows, chance).decode("utf-8-sig"), "roster"), "roster"
            )
            filled = csv_cells.parse(canvas.render(listed, "Lab (7)", {0: 1.5}, 2.0), "filled")
            moodled = csv_cells.parse(moodle.render(listed, 1, text(), {0: (1.5, text())}), "filled")
        except (UsageError, UnicodeDecodeError):
            ended["refused"] += 1
            continue
        if canvas.roster(listed, "Lab (7)", None).students == [0] and len(listed.rows) == 1:
            assert filled.rows[-1] == (*listed.rows[0][:5], "1.50"), (filled.rows, listed.rows)
        assert (moodled.rows[0][1], moodled.rows[0][-2]) == (listed.rows[0][1], "1.50"), moodled.rows
        ended["filled"] += 1
    return ended


def _table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]], chance: random.Random) -> bytes:
    """Return a table as a spreadsheet writes it, sometimes without quotes around its cells."""
    out, delimiter = io.StringIO(), chance.choice(",;\t")
    if chance.random() < 0.2:
        out.write("\n".join(delimiter.join(row) for row in (header, *rows)))
    else:
        csv.writer(out, delimiter=delimiter).writerows((header, *rows))
    return out.getvalue().encode("utf-8", chance.choice(("surrogatepass", "replace")))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT)
