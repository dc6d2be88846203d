"""What the verdicts so far decide about the cases that are still to run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from grader.contract.inputs import CHECKED, REPEATED
from grader.judge.verdicts import JudgedCase
from grader.model import Case, Shape, Verdict

MOST_STOPS = 2  # cases stopped at a limit, after which the rest is skipped: all sizes of a hanging kernel take hours
DOES_NOT_FINISH = f"{MOST_STOPS} cases before it did not finish"
MOST_FAULTS = 2  # cases of a size that fail, after which its others are skipped
WRONG_ALREADY = f"{MOST_FAULTS} cases of this size failed before it"
ENDLESS_HERE = "a case of this size did not finish before it"
ENDLESS_EVERYWHERE = "a case of the smallest size did not finish"


@dataclass
class SoFar:
    """What the cases so far, in their order, decide about the next."""

    smallest: Shape | None = None
    faults: Counter[Shape] = field(default_factory=Counter)
    endless: set[Shape] = field(default_factory=set)
    finishing: set[Shape] = field(default_factory=set)
    """Sizes whose cases finish, of those that began before it was known that others do not."""
    stops: int = 0
    correct: bool = True

    def add(self, judged: JudgedCase) -> None:
        """Count a case that was not skipped."""
        result = judged.result
        if result.case.family != CHECKED:  # whose inputs are those of another case
            self.faults[result.case.shape] += result.verdict.is_students_fault
        if judged.timed_out or result.verdict.stopped_at_a_limit:
            self.stops += 1
            self.finishing.discard(result.case.shape)
        elif not self.settles_others:
            self.finishing.add(result.case.shape)
        if judged.timed_out:
            self.endless.add(result.case.shape)
        self.correct = self.correct and result.verdict is Verdict.OK

    @property
    def settles_others(self) -> bool:
        """Whether only sizes that finish have to run."""
        return self.stops >= MOST_STOPS or self.smallest in self.endless

    def doubts(self, case: Case) -> bool:
        """Whether one more fault of its size would settle the case."""
        return self.faults[case.shape] == MOST_FAULTS - 1

    def settles(self, case: Case) -> str:
        """Why no case of a size has to run, whatever it would show; empty if the verdicts on that size do not say."""
        if case.shape in self.endless:
            return ENDLESS_HERE
        if self.settles_others and (case.shape not in self.finishing or case.family == REPEATED):
            return ENDLESS_EVERYWHERE if self.smallest in self.endless else DOES_NOT_FINISH
        return WRONG_ALREADY if self.faults[case.shape] >= MOST_FAULTS else ""


def smallest_shape(cases: Iterable[Case]) -> Shape | None:
    """Return the smallest size of some cases; None without cases."""
    return min((case.shape for case in cases), key=lambda shape: shape.flops, default=None)
