"""A grade on the simulator in this process, up to the first fault: many kernels in the time of a few whole grades.

It skips the confined worker processes, so it is for kernels of this repository only.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from grader.contract.inputs import cases
from grader.contract.layout import operands
from grader.contract.messages import Check, Compile
from grader.errors import SubmissionError
from grader.judge.compare import Trial
from grader.judge.verdicts import LaunchOutput, judge
from grader.model import Backend, Case, CaseResult, Fault, Rubric, Verdict
from grader.worker.simulator.backend import SimulatorBackend
from grader.worker.simulator.executor import Executor

SOURCE = "submission.cu"


def first_fault(content: bytes, rubric: Rubric, name: str = SOURCE) -> Fault | None:
    """The fault of the build, or else of the first case that fails; None for a kernel that is correct."""
    with tempfile.TemporaryDirectory(prefix="in-process-") as folder:
        box = Path(folder)
        (box / name).write_bytes(content)
        try:
            build = SimulatorBackend().compile(Compile(name, "", rubric.interface, rubric.flags, rubric.limits), box)
            launch, executor = build.launch or rubric.launch, Executor()
            for case in cases(rubric.sizes, 1, Backend.SIMULATOR):
                checked = executor.check(Check(build, launch, case, rubric.interface, rubric.limits), box)
                if checked.fault is not None:
                    return checked.fault
                trial = Trial(case, rubric.interface, launch, Backend.SIMULATOR)
                result = judge(trial, [_left(box, case, rubric, number) for number in range(case.launches)], 0.0, "")
                if result.verdict is not Verdict.OK:
                    return _fault(result)
        except SubmissionError as error:
            return error.fault
    return None


def _left(box: Path, case: Case, rubric: Rubric, number: int) -> LaunchOutput:
    """The matrices as a launch left them in the box, with their guards."""
    names = operands(rubric.interface, case.shape)
    return LaunchOutput(**{name: np.fromfile(box / f"{name}-{number}", np.uint8) for name in names})


def _fault(result: CaseResult) -> Fault:
    assert result.fault is not None
    return result.fault
