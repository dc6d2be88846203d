"""What is said of a submission that fails while it is timed. Pure."""

from __future__ import annotations

from dataclasses import replace

from grader.judge.compiling import worker_error
from grader.model import Case, CaseResult, Fault, Measurement, Shape, Verdict
from grader.sandbox.client import WorkerLostError
from grader.timing.rounds import FailedWhenTimedError, WrongWhenTimedError


def failed_case(case: Case, fault: Fault, seconds: float) -> CaseResult:
    """The result of a size with a fault."""
    return CaseResult(case, fault.verdict, seconds, fault)


def wrong_when_timed(wrong: WrongWhenTimedError) -> Fault:
    """The fault of an output that is wrong."""
    return Fault(
        Verdict.WRONG_ANSWER,
        f"Correct when checked, wrong when timed: {wrong.rows} rows of C at {wrong.shape} in round {wrong.number}.",
        "Every timed launch has fresh inputs and is checked. Do not keep results from one launch to the next; "
        "if you do not, look for a race between threads or blocks.",
    )


def failed_when_timed(failed: FailedWhenTimedError, shape: Shape) -> Fault:
    """The fault of a launch that failed."""
    fault = failed.fault
    sentence = f"Correct when checked, failed when timed at {shape}: {fault.sentence}"
    return replace(fault, sentence=sentence)


def lost_when_timed(lost: WorkerLostError, shape: Shape) -> Fault:
    """The fault of a kernel that ended its worker. Raises InfrastructureError where the worker itself failed."""
    if lost.code is not None and lost.code > 0:
        raise worker_error(f"timing {shape}", lost)
    verdict = Verdict.TIMEOUT if lost.stopped else Verdict.CRASHED
    return Fault(verdict, f"The kernel finished {shape} when it was checked, but not when it was timed.",
                 "Look for races, and for memory that an earlier launch left changed.")  # fmt: skip


def impossible(measurement: Measurement, peak: float) -> Fault:
    """The fault of a speed above the `peak` of the device, in GFLOPS."""
    return Fault(
        Verdict.IMPOSSIBLE_RATE,
        f"{measurement.gflops.median:,.0f} GFLOPS at {measurement.shape} is more than the device can do ({peak:,.0f}).",
        "No kernel that computes every product in float32 is that fast. If you think yours is, tell your instructor.",
    )
