"""What a student reads of every planted mistake on the simulator, beside a judgement of it, as Markdown.

python -m tests.benchmarks.explanations RESULTS [SECONDS]   grades tests/submissions/wrong and prints the tables

RESULTS is a file of JSON lines. Submissions that are in it are not graded again, so a run that was stopped after
SECONDS resumes there. judgements.json beside this file says of each submission "right", "vague" or "wrong", and of
which explanation; a changed explanation counts as not judged.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from grader.model import Backend
from grader.rubric import load
from tests import lab
from tests.in_process import first_fault
from tests.test_corpus import LABS, SIZES, SUBMISSIONS, expected

JUDGEMENTS = Path(__file__).with_name("judgements.json")
WRONG = sorted((SUBMISSIONS / "wrong").glob("*.cu"))
LIMITS: dict[str, Any] = {"compile_seconds": 60, "case_seconds": 3, "memory_mib": 1024}
ACCEPTED, NOT_JUDGED = "ok", "not judged"
COLUMNS = ("right", "vague", "wrong", NOT_JUDGED)

Explanation = tuple[str, str]  # the verdict, and what a student reads


def explanation(path: Path) -> Explanation:
    """The verdict on a submission, with the sentence, the hint and the line of its first fault."""
    with tempfile.TemporaryDirectory() as folder:
        kernel = LABS[expected(path, Backend.SIMULATOR).lab]
        fault = first_fault(
            path.read_bytes(), load.load(lab.write_rubric(Path(folder), SIZES, kernel=kernel, **LIMITS))
        )
    if fault is None:
        return ACCEPTED, ""
    line = f" (line {fault.line})" if fault.line else ""
    return str(fault.verdict), f"{fault.sentence}{line} {fault.hint}"


def planted(path: Path) -> str:
    """The mistake, as the comment at the head of the file describes it."""
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return " ".join(line[2:].strip() for line in takewhile(lambda line: line.startswith("//"), lines))


def known(results: Path) -> dict[str, Explanation]:
    """What is in the file already, by submission."""
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    return {name: (verdict, text) for name, verdict, text in map(json.loads, lines)}


def graded(results: Path, seconds: float) -> dict[str, Explanation]:
    """Grade what is not in the file yet, until the time is over, each submission in a process that ends with it."""
    explanations, until = known(results), time.monotonic() + seconds
    with get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        for path in WRONG:
            if path.stem not in explanations and time.monotonic() < until:
                explanations[path.stem] = pool.apply(explanation, (path,))
                with results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([path.stem, *explanations[path.stem]]) + "\n")
    return explanations


def judgement(name: str, text: str) -> str:
    """The judgement of this explanation; a changed text counts as not judged."""
    said, of = json.loads(JUDGEMENTS.read_text(encoding="utf-8")).get(name, ("", ""))
    return str(said) if of == text else NOT_JUDGED


def tables(explanations: dict[str, Explanation]) -> Iterator[str]:
    """Markdown: the judgements by verdict, and every explanation."""
    wrong = {name: explained for name, explained in explanations.items() if explained[0] != ACCEPTED}
    counts = {verdict: Counter[str]() for verdict, _ in wrong.values()}
    for name, (verdict, text) in wrong.items():
        counts[verdict][judgement(name, text)] += 1
    yield f"| verdict | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}"
    for verdict, row in [*sorted(counts.items()), ("all", sum(counts.values(), Counter[str]()))]:
        yield f"| {verdict} | {' | '.join(str(row[column]) for column in COLUMNS)} |"
    yield "\n| submission | mistake | what a student reads | judgement |\n|---|---|---|---|"
    for path in WRONG:
        if path.stem in wrong:
            text = wrong[path.stem][1]
            yield f"| {path.stem} | {planted(path)} | {text} | {judgement(path.stem, text)} |"
    yield from (f"\n{name}: accepted" for name in explanations if name not in wrong)


def main(results: str, seconds: str = "inf") -> None:
    print("\n".join(tables(graded(Path(results), float(seconds)))))


if __name__ == "__main__":
    main(*sys.argv[1:])
