"""The share of mutants of the reference kernels that the simulator detects, by rule, and the mutants that survive.

python -m tests.benchmarks.mutants RESULTS [PER_RULE [AT_A_TIME [SECONDS]]]   grades mutants and prints the tables

RESULTS is a file of JSON lines. Mutants that are in it are not graded again, so a run that was stopped after SECONDS
resumes there. A survivor whose PTX equals that of the kernel itself, apart from line numbers, is equivalent.
"""

import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from grader.errors import SubmissionError
from grader.model import Rubric, Shape, Verdict
from grader.rubric import load
from tests import lab
from tests.launcher import compiled_here
from tests.mutants import RULES, Mutant, mutants, sample

PER_RULE = 18
SQUARE = tuple(Shape(side, side, side) for side in (37, 38, 100, 135, 161))
RECTANGULAR = (Shape(37, 50, 21), Shape(100, 36, 64), Shape(161, 70, 129))
OWN_INTERFACE = ('parameters = ["A", "B", "C", "M", "N", "K"]', "rectangular/naive.cu")
SAME, NOT_COMPILED, SURVIVES = "same code", "does not compile", "survives"
LINES = re.compile(r"^\s*(?://.*|\.(?:loc|file|section|b8|b32|b64)\b.*|\$L__(?:info|tmp|func)\w*:?)\n", re.MULTILINE)


def rubric_of(mutant: Mutant) -> Rubric:
    """A lab for the mutant's interface, with sizes that are no multiple of most tiles and have every remainder by 4."""
    rectangular = mutant.file.parent.name == "rectangular"
    with tempfile.TemporaryDirectory() as folder:
        interface = OWN_INTERFACE if rectangular else lab.SQUARE
        rubric = load.load(lab.write_rubric(Path(folder), kernel=interface, case_seconds=5))
    return replace(rubric, sizes=RECTANGULAR if rectangular else SQUARE)


def outcome(mutant: Mutant) -> str:
    """The verdict that detects the mutant, or why none does."""
    rubric = rubric_of(mutant)
    fault = lab.fault_here(mutant.code.encode(), rubric)
    if fault is None:
        same = instructions(mutant.code, rubric) == instructions(mutant.file.read_text(encoding="utf-8"), rubric)
        return SAME if same else SURVIVES
    return NOT_COMPILED if fault.verdict is Verdict.COMPILE_ERROR else fault.verdict


def instructions(code: str, rubric: Rubric) -> str:
    """The PTX without its references to lines of the source; empty if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "submission.cu"
        source.write_text(code, encoding="utf-8")
        try:
            return LINES.sub("", compiled_here(source, rubric.interface).content.decode())
        except SubmissionError:
            return ""


def known(results: Path) -> dict[str, str]:
    """What is in the file already, by mutant."""
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    return dict(json.loads(line) for line in lines)


def graded(chosen: list[Mutant], results: Path, at_a_time: int, seconds: float) -> dict[str, str]:
    """Grade what is not in the file yet, until the time is over, each mutant in a process that ends with it."""
    outcomes, until = known(results), time.monotonic() + seconds
    with get_context("fork").Pool(at_a_time, maxtasksperchild=1) as pool, ThreadPoolExecutor(at_a_time) as threads:

        def grade(mutant: Mutant) -> None:
            if time.monotonic() < until:
                outcomes[str(mutant)] = pool.apply(outcome, (mutant,))
                with results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([str(mutant), outcomes[str(mutant)]]) + "\n")

        list(threads.map(grade, [mutant for mutant in chosen if str(mutant) not in outcomes]))
    return outcomes


def tables(chosen: list[Mutant], outcome_of: dict[str, str]) -> Iterator[str]:
    """Markdown: a row for each rule, and the survivors."""
    yield from ("| rule | compile | detected | same code | survive |", "|---|---|---|---|---|")
    total = [0, 0, 0, 0]
    for rule in RULES:
        outcomes = [outcome_of[str(mutant)] for mutant in chosen if mutant.rule == rule and str(mutant) in outcome_of]
        compiled = [result for result in outcomes if result != NOT_COMPILED]
        same, alive = compiled.count(SAME), compiled.count(SURVIVES)
        row = [len(compiled), len(compiled) - same - alive, same, alive]
        total = [a + b for a, b in zip(total, row, strict=True)]
        yield f"| {rule} | {' | '.join(map(str, row))} |"
    yield f"| all | {' | '.join(map(str, total))} |"
    yield ""
    yield from (f"- {mutant}" for mutant in chosen if outcome_of.get(str(mutant)) == SURVIVES)


def main(results: str, per_rule: str = str(PER_RULE), at_a_time: str = "1", seconds: str = "inf") -> None:
    by_name = {str(mutant): mutant for mutant in sample(mutants(), int(per_rule))}  # one of each line, rule and text
    chosen = list(by_name.values())
    for line in tables(chosen, graded(chosen, Path(results), int(at_a_time), float(seconds))):
        print(line)


if __name__ == "__main__":
    main(*sys.argv[1:])
