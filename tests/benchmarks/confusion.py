"""The verdicts that submissions and our own kernels should get beside those that they get, by folder, as Markdown.

python -m tests.benchmarks.confusion BACKEND RESULTS [AT_A_TIME [SECONDS]]   BACKEND: simulator or cuda

RESULTS is a file of JSON lines. Files that are in it are not graded again, so a run that was stopped after
SECONDS resumes there. More than one submission AT_A_TIME is for the simulator.
"""

import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from grader.host import machine
from grader.model import Backend, Machine, State, Verdict
from tests import corpus, lab, test_corpus
from tests.test_corpus import ALL, LABS, OURS, SIZES, Expected, name

LIMITS: dict[str, Any] = {"compile_seconds": 60, "case_seconds": 30, "memory_mib": 4096}
GRADER_ERROR = "grader error"
TIMED = {Backend.SIMULATOR: (), Backend.CUDA: (257, 512)}
OWN = Expected(frozenset({Verdict.OK}), "square", "")
FILES = (*ALL, *OURS)

Given = dict[str, str]  # submission: verdict


def expected(path: Path, backend: Backend) -> Expected:
    """Kernels of this repository are correct; a submission's first line says what it is."""
    return OWN if path in OURS else test_corpus.expected(path, backend)


def rubrics(folder: Path, backend: Backend) -> dict[str, Path]:
    """The labs of the corpus, as its tests have them, with limits that a busy machine keeps."""
    made = {}
    for title, kernel in LABS.items():
        own = folder / title
        own.mkdir()
        sizes = (*SIZES, *(size for size in TIMED[backend] if size not in SIZES))
        made[title] = lab.write_rubric(own, sizes, timed=TIMED[backend], kernel=kernel, **LIMITS)
    return made


def verdict_of(path: Path, labs: dict[str, Path], graded_on: Machine) -> str:
    """The verdict of the whole grader."""
    with tempfile.TemporaryDirectory() as folder:
        file = corpus.handed_in(path, Path(folder))
        report = lab.grade(file, labs[expected(path, graded_on.backend).lab], graded_on)
    return lab.verdict(report) if report.state is State.FINISHED else GRADER_ERROR


def known(results: Path) -> Given:
    """What is in the file already."""
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    return dict(json.loads(line) for line in lines)


def graded(backend: Backend, results: Path, at_a_time: int, seconds: float) -> Given:
    """Grade what is not in the file yet, until the time is over."""
    given, until, graded_on = known(results), time.monotonic() + seconds, machine.choose(backend)

    def grade(path: Path) -> None:
        if time.monotonic() < until:
            given[name(path)] = verdict_of(path, labs, graded_on)
            with results.open("a", encoding="utf-8") as file:
                file.write(json.dumps([name(path), given[name(path)]]) + "\n")

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(at_a_time) as pool:
        labs = rubrics(Path(folder), backend)
        list(pool.map(grade, [path for path in FILES if name(path) not in given]))
    return given


def tables(backend: Backend, given: Given) -> Iterator[str]:
    """A table for each folder: a row for each expectation, a column for each verdict, bold where they differ."""
    for folder in sorted({path.parent.name for path in FILES}):
        rows: dict[frozenset[Verdict], Counter[str]] = {}
        for path in FILES:
            if path.parent.name == folder and name(path) in given:
                rows.setdefault(expected(path, backend).verdicts, Counter())[given[name(path)]] += 1
        columns = sorted({verdict for row in rows.values() for verdict in row})
        yield f"| `{folder}`: expected on {backend} | {' | '.join(columns)} |"
        yield f"|---|{'---|' * len(columns)}"
        for want, row in sorted(rows.items(), key=lambda item: sorted(item[0])):
            cells = [_cell(row[verdict], verdict in want) for verdict in columns]
            yield f"| {' or '.join(sorted(want))} | {' | '.join(cells)} |"
        yield ""


def _cell(number: int, is_expected: bool) -> str:
    if not number:
        return ""
    return str(number) if is_expected else f"**{number}**"


def differences(backend: Backend, given: Given) -> Iterator[str]:
    """A line for each submission with another verdict than expected."""
    for path in FILES:
        if (verdict := given.get(name(path))) and verdict not in expected(path, backend).verdicts:
            yield f"- {name(path)}: {verdict}, expected {' or '.join(sorted(expected(path, backend).verdicts))}"


def main(backend: str, results: str, at_a_time: str = "1", seconds: str = "inf") -> None:
    chosen = Backend(backend)
    given = graded(chosen, Path(results), int(at_a_time), float(seconds))
    print(f"{len(given)} of {len(FILES)} files\n")
    for line in (*tables(chosen, given), *differences(chosen, given)):
        print(line)


if __name__ == "__main__":
    main(*sys.argv[1:])
