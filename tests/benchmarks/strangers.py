"""Kernels by authors who had not seen the grader: is the line named that they would change? As Markdown.

python -m tests.benchmarks.strangers RESULTS [SET]

Grades the kernels of strangers/SET (a) on the simulator, in this process; one that is correct at small sizes again at
those of the square lab. RESULTS is a file of JSON lines; kernels that are in it are not graded again. expected.jsonl
beside them has the lines that their authors would change, and readers.jsonl how two readers judged the first results.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader import pipeline
from grader.host import machine
from grader.model import Backend
from grader.model.reports import leading_faults
from tests import lab
from tests.launcher import start_here

SETS = Path(__file__).with_suffix("")
SQUARE = Path(__file__).parents[2] / "rubrics" / "square.toml"
SIZES = (1, 33, 100, 257)
LINES = re.compile(r"\blines? ([\d, and]+)", re.IGNORECASE)
COLUMNS = ("class", "kernels", "line leads", "line named", "accepted")


@dataclass(frozen=True, slots=True)
class Told:
    """What a student reads of a kernel: the verdict, the line, the sentence and the hint; nothing of a correct one."""

    file: str
    verdict: str = ""
    line: int | None = None
    words: str = ""

    def names(self, lines: Sequence[int]) -> bool:
        """Whether one of some lines is that of the fault, or in its words."""
        said = {int(number) for some in LINES.findall(self.words) for number in re.findall(r"\d+", some)}
        return bool({self.line, *said} & set(lines))


def told(path: Path) -> Told:
    """Grade a kernel."""
    with tempfile.TemporaryDirectory() as folder:
        small = lab.write_rubric(Path(folder), SIZES, case_seconds=4)
        for rubric in (small, SQUARE):
            plan = lab.plan(path, rubric, start=start_here)
            report = pipeline.grade(replace(plan, timed=False), machine.choose(Backend.SIMULATOR), lambda *_: None)
            if faults := leading_faults(report):
                fault = faults[0]
                return Told(path.name, fault.verdict, fault.line, f"{fault.sentence} {fault.hint}".strip())
    return Told(path.name)


def _records(path: Path) -> Iterator[Any]:
    yield from map(json.loads, path.read_text(encoding="utf-8").splitlines() if path.exists() else ())


def _graded(folder: Path, results: Path) -> dict[str, Told]:
    found = {each["file"]: Told(**each) for each in _records(results)}
    for path in sorted(folder.glob("*.cu")):
        if path.name not in found:
            found[path.name] = each = told(path)
            with results.open("a", encoding="utf-8") as file:
                file.write(json.dumps({name: getattr(each, name) for name in Told.__slots__}) + "\n")
    return found


def table(folder: Path, graded: dict[str, Told]) -> Iterator[str]:
    """Yield the rows, one for each class, and one of all wrong kernels; for correct ones, how many are refused."""
    by_class: dict[str, list[list[bool]]] = defaultdict(list)
    for expected in _records(folder / "expected.jsonl"):
        each, line = graded[expected["file"]], expected.get("line", ())
        lines = line if isinstance(line, (list, tuple)) else [line]
        row = [True, each.line in lines, each.names(lines), not each.verdict]
        for name in (expected["class"], "all wrong") if lines else ("correct",):
            by_class[name].append(row)
    yield f"| {' | '.join(COLUMNS)} |"
    yield "|---" * len(COLUMNS) + "|"
    for name, rows in sorted(by_class.items(), key=lambda item: item[0] == "all wrong"):
        yield f"| {name} | {' | '.join(str(sum(column)) for column in zip(*rows, strict=True))} |"


def main(results: str, name: str = "a") -> None:
    """Grade a set, and print its table."""
    graded = _graded(SETS / name, Path(results))
    print("\n".join(table(SETS / name, graded)))


if __name__ == "__main__":
    main(*sys.argv[1:])
