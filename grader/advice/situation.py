"""The facts about a kernel that the rules of advice use, and the problems that they find in them. Pure."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from grader.advice.devices import GpuFigures
from grader.advice.elements import FLOAT, WORD, Elements, needed, tiles_of_a_block
from grader.advice.work import Work, bounds
from grader.model import AccessCount, Counters, Launch

ESTIMATED_SLOWDOWN = 1.25  # of a kernel over its largest bound, where it is not timed: 1.2 to 1.3 for plain kernels


@dataclass(frozen=True, slots=True)
class Situation:
    """A kernel at one size on one GPU. `measured` is the time of a launch in microseconds; None if it was not timed."""

    counters: Counters
    launch: Launch
    gpu: GpuFigures
    work: Work
    measured: float | None
    elements: Elements = FLOAT

    @property
    def tensor_rate(self) -> int:
        """Multiply-adds that tensor cores start in a cycle; 0 where the lab or the GPU allows none."""
        return self.gpu.tensor.get(self.elements.tensor, 0)

    @property
    def microseconds(self) -> float:
        """The time of a launch, measured or estimated."""
        return self.measured or ESTIMATED_SLOWDOWN * self.least(self.work)

    def least(self, work: Work) -> float:
        """Return the largest bound."""
        return bounds(work, self.gpu)[0].microseconds

    @property
    def limiter(self) -> str:
        return bounds(self.work, self.gpu)[0].resource

    def of(self, space: str, *kinds: str) -> list[AccessCount]:
        """Return the accesses to a space of these kinds."""
        return [access for access in self.counters.accesses if access.space == space and access.kind in kinds]

    @property
    def useful(self) -> float:
        """Multiply-add instructions of warps that the product needs."""
        return needed(self.counters.shape)

    @property
    def results(self) -> float:
        """Elements of C that a thread computes."""
        if working := self.counters.working:
            return self.counters.shape.M * self.counters.shape.N / working / self.launch.threads
        return self.tiles * self.launch.tile[0] * self.launch.tile[1] / self.launch.threads

    @property
    def tiles(self) -> int:
        """Tiles as large as that of the launch that a block computes: more than one if the launch names another."""
        return max(1, tiles_of_a_block(self.counters, self.launch))

    @property
    def tile(self) -> tuple[int, int] | None:
        """Columns and rows of C that a block computes; None where a kernel chooses them by the size."""
        return None if self.counters.working else self.launch.tile

    @property
    def lines(self) -> float:
        """Cycles in which 32 neighbouring elements are read: one for each 128 bytes."""
        return max(1.0, self.elements.words)

    @property
    def mergeable(self) -> float:
        """Wavefronts that are saved if the assembler merges reads of one element into reads of four.

        LDS.128 takes two wavefronts where the threads of a warp read one or two addresses.
        """
        loads = self.of("shared", "load")
        return sum(access.wavefronts / 2 for access in loads if access.width == WORD and not access.stride)


def requests(accesses: Iterable[AccessCount]) -> int:
    """Return the requests of some accesses."""
    return sum(access.requests for access in accesses)


def busiest(accesses: Iterable[AccessCount]) -> AccessCount:
    """Return the access with the most requests."""
    return max(accesses, key=lambda access: access.requests)


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that the counters show. `after` is the work without it; `wasted` a factor on the whole time.

    `waits` is whether threads wait because of it: then what no bound explains of the measured time may disappear too.
    """

    name: str
    line: int
    evidence: str
    change: str
    after: Work
    wasted: float = 1.0
    waits: bool = False


Rule = Callable[[Situation], Problem | None]
