"""What a student reads of a case that did not run, because others decide."""

from __future__ import annotations

from enum import Enum

from grader.model import Fault, Shape, Verdict

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
