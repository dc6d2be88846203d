"""A grade on the simulator in this process, up to the first fault: many kernels in the time of a few whole grades.

It skips the confined worker processes, so it is for kernels of this repository only.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np

from grader.contract.layout import operands
from grader.contract.messages import Check, Compile
from grader.errors import SubmissionError
from grader.judge.cases import cases
from grader.judge.compare import Trial
from grader.judge.hints import after_proof, explained, with_launch_of_lab, with_races
from grader.judge.so_far import SoFar
from grader.judge.uses import uses
from grader.judge.verdicts import JudgedCase, LaunchOutput, judge, with_reason
from grader.model import Backend, Build, Case, CaseResult, Fault, Rubric, Shape
from grader.worker.simulator.backend import SimulatorBackend
from grader.worker.simulator.executor import Executor
from tests import compiled_once

SOURCE = "submission.cu"


@dataclass(frozen=True, slots=True)
class Graded:
    """The first fault, if there is one, and what the compiler printed of a file that it compiled."""

    fault: Fault | None
    log: str = ""


def first_fault(content: bytes, rubric: Rubric, name: str = SOURCE) -> Fault | None:
    """The fault of the build, or else of the first case that fails; None for a kernel that is correct."""
    return graded(content, rubric, rubric.sizes, name).fault


def graded(content: bytes, rubric: Rubric, sizes: tuple[Shape, ...], name: str = SOURCE) -> Graded:
    """Compile, and check at these sizes up to the first fault."""
    with tempfile.TemporaryDirectory(prefix="in-process-") as folder:
        box = Path(folder)
        compiled_once.share(box)
        (box / name).write_bytes(content)
        try:
            request = Compile(name, "", rubric.interface, rubric.flags, rubric.limits)
            build = SimulatorBackend().compile(request, box).build
            assert build
        except SubmissionError as error:
            return Graded(error.fault)
        launch, executor = build.launch or rubric.launch, Executor()
        done: tuple[CaseResult, ...] = ()
        for _, of_size in groupby(cases(sizes, 1, Backend.SIMULATOR), key=lambda case: case.shape):
            trials = (Trial(case, rubric.interface, launch, Backend.SIMULATOR, uses(content)) for case in of_size)
            judged = list(_until_settled(_judged(executor, build, trial, rubric, box) for trial in trials))
            done = (*done, *explained(judged))
            results = with_launch_of_lab(after_proof(with_races(done, uses(content))), uses(content))
            if faults := [result.fault for result in results if result.fault is not None]:
                return Graded(faults[0], build.log)
    return Graded(None, build.log)


def _until_settled(of_size: Iterable[JudgedCase]) -> Iterator[JudgedCase]:
    """The cases of a size up to the last one that grading does not skip."""
    so_far = SoFar()
    for judged in of_size:
        yield judged
        so_far.add(judged)
        if so_far.settles(judged.result.case):
            return


def _judged(executor: Executor, build: Build, trial: Trial, rubric: Rubric, box: Path) -> JudgedCase:
    try:
        answer = executor.check(Check(build, trial.launch, trial.case, rubric.interface, rubric.limits), box)
        fault, if_wrong, timed_out = answer.fault, answer.if_wrong, answer.timed_out
    except SubmissionError as error:
        fault, if_wrong, timed_out = error.fault, None, False
    if fault is not None:
        return JudgedCase(CaseResult(trial.case, fault.verdict, fault=fault), timed_out=timed_out)
    outputs = [_left(box, trial.case, rubric, number) for number in range(trial.case.launches)]
    return with_reason(judge(trial, outputs, 0.0, ""), if_wrong)


def _left(box: Path, case: Case, rubric: Rubric, number: int) -> LaunchOutput:
    """The matrices as a launch left them in the box, with their guards."""
    names = operands(rubric.interface, case.shape)
    return LaunchOutput(**{name: np.fromfile(box / f"{name}-{number}", np.uint8) for name in names})
