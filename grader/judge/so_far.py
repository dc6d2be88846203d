"""Which of the remaining cases need not run, given the verdicts so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from grader.contract.inputs import CHECKED, REPEATED
from grader.explain.not_run import MOST_FAULTS, MOST_STOPS, Settled
from grader.explain.several_cases import CheckedCase
from grader.model import Case, Shape, Verdict


@dataclass
class SoFar:
    """The verdicts of the first cases, in their order: which sizes failed, which are endless, which finish."""

    smallest: Shape | None = None
    faults: Counter[Shape] = field(default_factory=Counter)
    endless: set[Shape] = field(default_factory=set)
    finishing: set[Shape] = field(default_factory=set)
    """Sizes with a case that finished before it was known that others do not."""
    stops: int = 0
    correct: bool = True

    def add(self, checked: CheckedCase) -> None:
        """Add the verdict of a case that was not skipped."""
        result = checked.result
        if result.case.run != CHECKED:  # it has the inputs of another case
            self.faults[result.case.shape] += result.verdict.is_students_fault
        if checked.timed_out or result.verdict.stopped_at_a_limit:
            self.stops += 1
            self.finishing.discard(result.case.shape)
        elif not self.settles_others:
            self.finishing.add(result.case.shape)
        if checked.timed_out:
            self.endless.add(result.case.shape)
        self.correct = self.correct and result.verdict is Verdict.OK

    @property
    def settles_others(self) -> bool:
        """Whether only sizes that finish need to run."""
        return self.stops >= MOST_STOPS or self.smallest in self.endless

    def doubts(self, case: Case) -> bool:
        """Whether one more fault of its size would make the case unnecessary."""
        return self.faults[case.shape] == MOST_FAULTS - 1

    def settles(self, case: Case) -> Settled | None:
        """Why the case need not run; None if it must."""
        if case.shape in self.endless:
            return Settled.ENDLESS_HERE
        if self.settles_others and (case.shape not in self.finishing or case.run == REPEATED):
            everywhere = self.smallest in self.endless
            return Settled.ENDLESS_EVERYWHERE if everywhere else Settled.DOES_NOT_FINISH
        return Settled.WRONG_ALREADY if self.faults[case.shape] >= MOST_FAULTS else None


def smallest_shape(cases: Iterable[Case]) -> Shape | None:
    """Return the smallest size of the cases; None if there are none."""
    return min((case.shape for case in cases), key=lambda shape: shape.flops, default=None)
