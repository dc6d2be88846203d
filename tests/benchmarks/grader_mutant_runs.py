"""Which mutants of the grader (grader_mutants.py) the tests kill.

python -m tests.benchmarks.grader_mutant_runs map FOLDER [--processes N] [TESTS ...]
python -m tests.benchmarks.grader_mutant_runs run FOLDER [--processes N] [--seconds S] [--survivors RESULTS]
python -m tests.benchmarks.grader_mutant_runs table FOLDER

`map` copies this tree into FOLDER and runs its tests there, to learn which tests execute which line. `run` gives each
mutant the tests that execute its lines, cheapest first, in a copy of this tree, until one fails, and appends to
FOLDER/results.jsonl: what is in it is not run again. With --seconds, no mutant begins later than that. --survivors
takes another run's results and runs only what survived there.

What runs in processes of workers and commands is not seen: a mutant of what workers import also gets the cheapest
tests that start them. A line outside of functions runs at import: it gets the tests of its module and of importers.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tests.benchmarks.grader_mutants import DRAWN, ROOT, Mutant, read

if TYPE_CHECKING:
    import pytest

TOLD = "MUTANT_TESTS"  # names the file to which the plugin below writes
OPEN = Path.open  # a test forbids it to those that it calls
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.benchmarks.grader_mutant_runs")
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*cache", ".hypothesis", ".coverage*", "build")
START_PROCESSES = {"simulator", "desk"}  # fixtures
OF_WORKERS = ("grader/contract", "grader/worker")
FIRST = 40  # tests that run before all others
MOST_SECONDS, MOST_IN_PROCESSES = 300.0, 60.0  # of all tests of a mutant, and of those that start workers
LONGEST = 90  # seconds of a test; so much and four times what the tests take is the limit of a mutant
KILLED, TIMEOUT, SURVIVED, UNREACHED, GONE = "killed", "timeout", "survived", "not reached", "gone"
ALIVE = {SURVIVED, UNREACHED}


def pytest_runtest_setup(item: pytest.Item) -> None:
    started = not START_PROCESSES.isdisjoint(getattr(item, "fixturenames", ()))
    item.user_properties.append(("starts processes", started))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if (path := os.environ.get(TOLD)) and "PYTEST_XDIST_WORKER" not in os.environ:
        with OPEN(Path(path), "a", encoding="utf-8") as file:
            started = dict(report.user_properties).get("starts processes", False)
            print(json.dumps([report.nodeid, report.outcome, report.duration, started]), file=file)


@dataclass(frozen=True, slots=True)
class Suite:
    """The tests that pass, with their seconds; those that start processes; the tests of each line of a file."""

    folder: Path
    seconds: Mapping[str, float]
    in_processes: frozenset[str]
    of_lines: Mapping[str, Mapping[int, frozenset[str]]]

    def tests_of(self, mutant: Mutant, source: str) -> tuple[list[str], int]:
        """Return the tests that may kill a mutant, cheapest first, and how many are left out because of their time."""
        lines = mutant.lines(source) or ()
        own = self.of_lines.get(mutant.path, {})
        if all(_is_in_function(line, source) for line in lines):
            found = frozenset[str]().union(*(own.get(line, ()) for line in lines))
        else:
            paths = [mutant.path, *_importing(mutant.path, self.folder / "tree")]
            found = frozenset[str]().union(*(tests for path in paths for tests in self.of_lines.get(path, {}).values()))
        tests = self._cheapest(found, MOST_SECONDS)
        more = self.in_processes - found if mutant.path.startswith(OF_WORKERS) else frozenset[str]()
        tests += self._cheapest(more, MOST_IN_PROCESSES)
        return tests, len((found | more) & self.seconds.keys()) - len(tests)

    def _cheapest(self, tests: Iterable[str], most: float) -> list[str]:
        chosen, spent = list[str](), 0.0
        for test in sorted(set(tests) & self.seconds.keys(), key=lambda test: (self.seconds[test], test)):
            spent += self.seconds[test]
            if spent < most:
                chosen.append(test)
        return chosen


def make_map(folder: Path, processes: int, tests: Sequence[str]) -> None:
    """Copy the tree, and run the tests in the copy with an empty cache: code that is kept is not generated again."""
    for name in ("tree", "cache"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in ("tests.jsonl", "coverage"):
        (folder / name).unlink(missing_ok=True)
    shutil.copytree(ROOT, folder / "tree", ignore=LEFT_OUT, symlinks=True)
    more = {TOLD: str(folder / "tests.jsonl"), "COVERAGE_FILE": str(folder / "coverage")}
    covered = ("--cov=grader", "--cov-context=test", "--cov-report=", "--cov-fail-under=0")
    command = (*PYTEST, "-n", str(processes), "--dist", "worksteal", *covered, *tests)
    (folder / "cache").mkdir()
    subprocess.run(command, cwd=folder / "tree", env=_environment(folder / "tree", folder / "cache", more), check=False)


def load_suite(folder: Path) -> Suite:
    from coverage import CoverageData

    rows = [json.loads(line) for line in (folder / "tests.jsonl").read_text(encoding="utf-8").splitlines()]
    seconds, failed = Counter[str](), {test for test, outcome, *_ in rows if outcome != "passed"}
    for test, _, duration, _ in rows:
        seconds[test] += duration
    started = frozenset(test for test, *_, started in rows if started)
    data = CoverageData(str(folder / "coverage"))
    data.read()
    of_lines: dict[str, dict[int, frozenset[str]]] = {}
    for file in data.measured_files():
        contexts = data.contexts_by_lineno(file)
        name = f"grader/{file.rpartition('/tree/grader/')[2]}"
        of_lines[name] = {line: frozenset(c.rpartition("|")[0] for c in which) for line, which in contexts.items()}
    return Suite(folder, {test: s for test, s in seconds.items() if test not in failed}, started, of_lines)


def run_mutant(mutant: Mutant, suite: Suite, own: Path) -> dict[str, Any]:
    """Run the tests of one mutant in `own`, a copy of the tree and the cache of the map, which is as before then."""
    original = suite.folder / "tree" / mutant.path
    source = original.read_text(encoding="utf-8") if original.exists() else ""
    found = {"path": mutant.path, "line": mutant.line, "kind": mutant.kind, "after": mutant.after}
    if mutant.lines(source) is None:
        return {**found, "outcome": GONE}
    tests, left_out = suite.tests_of(mutant, source)
    changed = own / "tree" / mutant.path
    changed.unlink()
    changed.write_text(mutant.applied(source), encoding="utf-8")
    began, outcome, killer = time.monotonic(), SURVIVED if tests else UNREACHED, ""
    for part in (tests[:FIRST], tests[FIRST:]):
        if part and outcome == SURVIVED:
            outcome, killer = _run(part, own, LONGEST + 4 * sum(suite.seconds[test] for test in part))
    changed.unlink()
    os.link(original, changed)
    spent = round(time.monotonic() - began, 1)
    counts = {"tests": len(tests), "left_out": left_out, "seconds": spent}
    return {**found, "outcome": outcome, "killer": killer, **counts}


def _copy(suite: Suite, number: int) -> Path:
    """Copy the tree and the cache of the map, which share all files with it until they are changed."""
    own = suite.folder / f"copy-{number}"
    shutil.rmtree(own, ignore_errors=True)
    for name in ("tree", "cache"):
        shutil.copytree(suite.folder / name, own / name, copy_function=os.link, symlinks=True)
    return own


def _run(tests: Sequence[str], own: Path, limit: float) -> tuple[str, str]:
    """Run tests up to the first that fails. Return the outcome, and which failed or what was printed last."""
    (own / "names").write_text("".join(f"{test}\n" for test in tests), encoding="utf-8")
    (own / "told").write_text("", encoding="utf-8")
    command = (*PYTEST, "-x", "--timeout", str(LONGEST), f"@{own / 'names'}")
    with (
        TemporaryDirectory(dir=own, ignore_cleanup_errors=True) as temporary,
        subprocess.Popen(
            command, cwd=own / "tree", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
            env=_environment(own / "tree", own / "cache", {TOLD: str(own / "told"), "TMPDIR": temporary}),
        ) as process,
    ):  # fmt: skip
        try:
            printed, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return TIMEOUT, ""
    if process.returncode == 0:
        return SURVIVED, ""
    told = [json.loads(line) for line in (own / "told").read_text(encoding="utf-8").splitlines()]
    failed = [test for test, outcome, *_ in told if outcome == "failed"]
    return TIMEOUT if "Timeout" in printed else KILLED, failed[0] if failed else printed[-400:]


def _environment(tree: Path, cache: Path, more: Mapping[str, str]) -> dict[str, str]:
    caches = dict.fromkeys(("GRADER_CACHE", "GRADER_TEST_CACHE"), str(cache))  # of commands, and of tests
    chosen = {"PYTHONPATH": str(tree), "OPENBLAS_NUM_THREADS": "1", **caches}
    return {**os.environ, **chosen, **more}


def _is_in_function(line: int, source: str) -> bool:
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    return any(node.body[0].lineno <= line <= (node.end_lineno or 0) for node in functions)


def _importing(path: str, tree: Path) -> list[str]:
    word = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    package, _, module = word.rpartition(".")
    wanted = (f"from {word} import", f"from {package} import {module}")
    files = ((tree / "grader").rglob("*.py"), (tree / "tests").rglob("*.py"))
    every = ((file, file.read_text(encoding="utf-8")) for some in files for file in some)
    return [str(file.relative_to(tree)) for file, text in every if any(words in text for words in wanted)]


def run(folder: Path, processes: int, seconds: float, survivors: Path | None) -> None:
    results, end = folder / "results.jsonl", time.monotonic() + seconds
    known = {_key(row) for row in _rows(results)}
    wanted = None if survivors is None else {_key(row) for row in _rows(survivors) if row["outcome"] in ALIVE}
    keys = {(mutant.path, mutant.line, mutant.after): mutant for mutant in read()}
    left = [mutant for key, mutant in keys.items() if key not in known and (wanted is None or key in wanted)]
    suite, copies = load_suite(folder), SimpleQueue[Path]()
    for number in range(processes):
        copies.put(_copy(suite, number))

    def one(mutant: Mutant) -> None:
        if time.monotonic() < end:
            own = copies.get()
            row = json.dumps(run_mutant(mutant, suite, own))
            copies.put(own)
            with results.open("a", encoding="utf-8") as file:
                file.write(f"{row}\n")

    with ThreadPoolExecutor(processes) as pool:
        list(pool.map(one, left))
    print(table(_rows(results)))


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def _key(row: Mapping[str, Any]) -> tuple[str, int, str]:
    return row["path"], row["line"], row["after"]


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    outcomes = (KILLED, TIMEOUT, SURVIVED, UNREACHED, GONE)
    lines = [f"| folder | {' | '.join(outcomes)} |", f"|---|{'---|' * len(outcomes)}"]
    for folder in (*DRAWN, "grader"):
        counts = Counter(row["outcome"] for row in rows if row["path"].startswith(f"{folder}/"))
        lines.append(f"| `{folder}` | {' | '.join(str(counts[outcome]) for outcome in outcomes)} |")
    left = [row for row in rows if row["outcome"] in ALIVE]
    return "\n".join([*lines, "", *(f"{row['path']}:{row['line']}: {row['after'].strip()}" for row in left)])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("map", "run", "table"))
    parser.add_argument("folder", type=lambda word: Path(word).resolve())
    parser.add_argument("tests", nargs="*")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--survivors", type=Path)
    wanted = parser.parse_intermixed_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    if wanted.what == "map":
        make_map(wanted.folder, wanted.processes, wanted.tests)
    elif wanted.what == "run":
        run(wanted.folder, wanted.processes, wanted.seconds, wanted.survivors)
    else:
        print(table(_rows(wanted.folder / "results.jsonl")))


if __name__ == "__main__":
    main()
