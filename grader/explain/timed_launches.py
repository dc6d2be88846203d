"""What a student reads of a case that did not run, because others decide, and of one that fails while it is timed."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from grader.model import Fault, Measurement, Shape, Verdict

MOST_STOPS = 2  # cases stopped at a limit, after which the rest is skipped: all sizes of a hanging kernel take hours
MOST_FAULTS = 2  # cases of a size that fail, after which its others are skipped


class Settled(Enum):
    """Why no case of a size has to run, whatever it would show."""

    DOES_NOT_FINISH = f"{MOST_STOPS} runs before it did not finish"
    WRONG_ALREADY = "other runs of this size failed before it"
    ENDLESS_HERE = "a run of this size did not finish before it"
    ENDLESS_EVERYWHERE = "a run of the smallest size did not finish"


def not_checked(why: Settled) -> Fault:
    """What is said of a case that is settled."""
    return _skipped(f"Not run: {why.value}.")


def not_timed(lost_at: Shape) -> Fault:
    """What is said of a size that is not timed, because the kernel did not finish another one."""
    return _skipped(f"Not timed: the kernel did not finish {lost_at} when it was timed.")


def wrong_elsewhere() -> Fault:
    """What is said of a correct size that a sweep does not time."""
    return _skipped("Not timed: the kernel is incorrect at another size.")


def _skipped(sentence: str) -> Fault:
    return Fault(Verdict.SKIPPED, sentence, "Fix that first.")


def wrong(rows: int, shape: Shape, number: int) -> Fault:
    """The fault of an output that is wrong, in the round with this number."""
    return Fault(
        Verdict.WRONG_ANSWER,
        f"Correct when checked, wrong when timed: {rows} rows of C at {shape} in round {number}.",
        "Every timed launch has fresh inputs and is checked. Do not keep results from one launch to the next; "
        "if you do not, look for a race between threads or blocks.",
    )


def failed(fault: Fault, shape: Shape) -> Fault:
    """The fault of a launch that failed."""
    return replace(fault, sentence=f"Correct when checked, failed when timed at {shape}: {fault.sentence}")


def lost(shape: Shape, *, at_a_limit: bool) -> Fault:
    """The fault of a kernel that ended its worker."""
    verdict = Verdict.TIMEOUT if at_a_limit else Verdict.CRASHED
    sentence = f"The kernel finished {shape} when it was checked, but not when it was timed."
    return Fault(verdict, sentence, "Look for races, and for memory that an earlier launch left changed.")


def faster_than_the_device(measurement: Measurement, peak: float) -> Fault:
    """The fault of a speed above the `peak` of the device, in GFLOPS."""
    return Fault(
        Verdict.IMPOSSIBLE_RATE,
        f"{measurement.gflops.median:,.0f} GFLOPS at {measurement.shape} is more than the device can do ({peak:,.0f}).",
        "No kernel that computes every product in float32 is that fast. If you think yours is, tell your instructor.",
    )


def slower_than_the_host(device_seconds: float, host_seconds: float) -> Fault:
    """The fault of launches that take longer by the device's clock than by the host's."""
    sentence = (
        f"The device reports {device_seconds * 1e3:.3g} ms for launches that took {host_seconds * 1e3:.3g} ms by "
        "the host's clock."
    )
    return Fault(Verdict.IMPOSSIBLE_RATE, sentence, "Remove what changes the clock, or tell your instructor.")
