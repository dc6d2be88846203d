"""The cases of a grade: the runs of each size, what else runs, and what need not run after earlier verdicts."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from grader.contract.inputs import CHECKED, REPEATED, RUNS
from grader.explain.several_cases import CheckedCase
from grader.explain.timed_launches import MOST_FAULTS, MOST_STOPS, Settled
from grader.model import Backend, Case, Order, Shape, Verdict

REPEATS = 20
CHECKED_SIZES = 2
SMALLEST_CHECKED, LARGEST_CHECKED = 33, 520  # smaller sizes may have one block; of larger ones, only the edges run
LARGEST_WITH_EDGES = 2100  # the inputs and the verdicts of larger matrices take long
LEAST_REPEATED = 2 * 32**3  # operations; smaller products exercise too little of a kernel
WHOLE_SIZE = 768  # the largest size at which a slow backend runs every block in both runs


def cases(sizes: tuple[Shape, ...], seed: int, backend: Backend) -> Iterator[Case]:
    """Yield both runs of every size, and some sizes as checked launches; then many launches of a small size.

    If the backend can reverse the order of threads, it alternates from run to run: each size runs in both orders.
    """
    can = backend.capabilities
    large_enough = [shape for shape in sizes if shape.flops >= LEAST_REPEATED]
    repeated = min(large_enough or sizes, key=lambda shape: shape.flops)
    checked = _checked_sizes(sizes) if backend.tracer else ()
    for shape in sizes:
        if shape in checked:
            yield Case(shape, CHECKED, seed, shared_out=_is_long(shape))
        shared_out = can.shares_out_blocks and max(shape.M, shape.N, shape.K) > WHOLE_SIZE
        for number, run in enumerate(RUNS):
            order: Order = "reverse" if can.reverses_threads and number % 2 else "forward"
            yield Case(shape, run, seed, order=order, shared_out=shared_out)
    yield Case(repeated, REPEATED, seed, launches=REPEATS)


def _checked_sizes(sizes: tuple[Shape, ...]) -> tuple[Shape, ...]:
    """The smallest of the lab's sizes with several blocks, one of them odd if there is an odd size, and with one block.

    If no small size, or no small odd one, exists, a larger one replaces it, of which only the edges run. Sizes outside
    of the lab never run, because a kernel may rely on the lab's sizes.
    """
    every = sorted(set(sizes), key=lambda shape: shape.flops)
    several = [shape for shape in every if max(shape.M, shape.N, shape.K) >= SMALLEST_CHECKED]
    single = [shape for shape in every if shape not in several][:1]
    by_work = several or single
    small = [shape for shape in by_work if not _is_long(shape)]
    possible = [shape for shape in by_work if max(shape.M, shape.N, shape.K) <= LARGEST_WITH_EDGES]
    odd = ([shape for shape in small if shape.is_odd] or [shape for shape in possible if shape.is_odd])[:1]
    others = [shape for shape in small or possible[:1] if shape not in odd]
    return tuple(dict.fromkeys([*single, *odd, *others[: CHECKED_SIZES - len(odd)]]))


def _is_long(shape: Shape) -> bool:
    """Whether a checked launch of all blocks of a size would take too long."""
    return max(shape.M, shape.N, shape.K) > LARGEST_CHECKED


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
