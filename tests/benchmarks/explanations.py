"""What a student reads of every planted mistake, beside a judgement of it, as Markdown.

python -m tests.benchmarks.explanations BACKEND RESULTS [AT_A_TIME [SECONDS]]   BACKEND: simulator or cuda

RESULTS is a file of JSON lines. Submissions of tests/submissions/wrong that are in it are not graded again, so a run
that was stopped after SECONDS resumes there. The simulator grades one AT_A_TIME, in this process.

judgements.json beside this file says of each submission "right", "vague" or "wrong", and of which explanation; a
changed explanation counts as not judged. judgements_cuda.json has the explanations that are others on a GPU.
"""

import json
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import takewhile
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from grader import pipeline
from grader.explain.scenes import GENERAL
from grader.host import machine
from grader.model import Backend, Fault
from grader.rubric import load
from tests import corpus, lab
from tests.test_corpus import LABS, SIZES, expected

JUDGEMENTS = tuple(Path(__file__).with_name(name) for name in ("judgements.json", "judgements_cuda.json"))
WRONG = [path for path in corpus.submissions() if path.parent.name == "wrong"]
LIMITS: dict[str, Any] = {"compile_seconds": 60, "case_seconds": 3, "memory_mib": 1024}
SIZE_FIRST = re.compile(r"^At \w+=\d+[^:]*: ")
# Which elements are wrong, if several blocks write to the same ones, follows from the order of the blocks.
WRONG_ELEMENTS = re.compile(r"^\d+ of (?=\d+ elements)|C\[\d+\]\[\d+\] should be \S+ but is \S+")
RUNNING = re.compile(r"thread \([\d, ]+\) of block \([\d, ]+\) was still running")  # whichever it is at that moment
ACCEPTED, NOT_JUDGED = "ok", "not judged"
COLUMNS = ("right", "vague", "wrong", NOT_JUDGED)

Explanation = tuple[str, str]  # the verdict, and what a student reads
Explanations = dict[str, Explanation]  # by submission


def explanation(path: Path) -> Explanation:
    """The verdict on a submission on the simulator, with the sentence, the hint and the line of its first fault.

    Where the values of C do not tell the mistake, it is that of a whole grade, which runs the launch again.
    """
    with tempfile.TemporaryDirectory() as folder:
        fault = lab.fault_here(corpus.content(path), load.load(_rubric(path, Path(folder))))
        if fault is None or not fault.hint.startswith(GENERAL):
            return _read(fault)
        return _read(_first_fault(path, Path(folder), Backend.SIMULATOR))


def explanation_on_gpu(path: Path) -> Explanation:
    """The same of a whole grade on the GPU; kernels with a fault are not timed."""
    with tempfile.TemporaryDirectory() as folder:
        return _read(_first_fault(path, Path(folder), Backend.CUDA))


def _first_fault(path: Path, folder: Path, backend: Backend) -> Fault | None:
    plan = replace(lab.plan(corpus.handed_in(path, folder), _rubric(path, folder)), timed=False)
    return lab.first_fault(pipeline.grade(plan, machine.choose(backend), lambda *_: None))


def _rubric(path: Path, folder: Path) -> Path:
    kernel = LABS[expected(path, Backend.SIMULATOR).lab]
    return lab.write_rubric(folder, SIZES, kernel=kernel, **LIMITS)


def _read(fault: Fault | None) -> Explanation:
    if fault is None:
        return ACCEPTED, ""
    line = f" (line {fault.line})" if fault.line else ""
    return str(fault.verdict), f"{fault.sentence}{line} {fault.hint}"


def planted(path: Path) -> str:
    """The mistake, as the comment at the head of the file describes it."""
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return " ".join(line[2:].strip() for line in takewhile(lambda line: line.startswith("//"), lines))


def known(results: Path) -> Explanations:
    """What is in the file already, by submission."""
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    return {name: (verdict, text) for name, verdict, text in map(json.loads, lines)}


def graded(explain: Callable[[Path], Explanation], results: Path, at_a_time: int, seconds: float) -> Explanations:
    """Grade what is not in the file yet, until the time is over."""
    explanations, until = known(results), time.monotonic() + seconds

    def grade(path: Path) -> None:
        if time.monotonic() < until:
            explanations[path.stem] = explain(path)
            with results.open("a", encoding="utf-8") as file:
                file.write(json.dumps([path.stem, *explanations[path.stem]]) + "\n")

    with ThreadPoolExecutor(at_a_time) as threads:
        list(threads.map(grade, [path for path in WRONG if path.stem not in explanations]))
    return explanations


def judgement(name: str, text: str) -> str:
    """The judgement of this explanation; a changed text counts as not judged."""
    judged = (json.loads(path.read_text(encoding="utf-8")).get(name, ("", "")) for path in JUDGEMENTS)
    return next((str(said) for said, of in judged if _without_chance(of) == _without_chance(text)), NOT_JUDGED)


def _without_chance(text: str) -> str:
    """The text without the size at its start, which a GPU's report has, and without what differs between two runs."""
    sentence = WRONG_ELEMENTS.sub("", SIZE_FIRST.sub("", RUNNING.sub("a thread was still running", text)))
    return sentence[:1].upper() + sentence[1:]


def tables(explanations: Explanations) -> Iterator[str]:
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


def main(backend: str, results: str, at_a_time: str = "1", seconds: str = "inf") -> None:
    limits = Path(results), int(at_a_time), float(seconds)
    if Backend(backend) is Backend.CUDA:
        print("\n".join(tables(graded(explanation_on_gpu, *limits))))
        return
    with get_context("fork").Pool(1, maxtasksperchild=1) as pool:  # each submission in a process that ends with it
        print("\n".join(tables(graded(lambda path: pool.apply(explanation, (path,)), *limits))))


if __name__ == "__main__":
    main(*sys.argv[1:])
