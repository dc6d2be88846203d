"""The inputs of timed launches, drawn early, and the check of their outputs.

Outputs are projected onto a vector that is drawn after the launches. Threads check the projections meanwhile.
"""

import secrets
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from grader.comparison.error_limit import Scale, plain_loss, scale
from grader.contract import freivalds
from grader.contract.freivalds import Changes, Vector, is_small
from grader.contract.inputs import Inputs
from grader.contract.precision import SIGNIFICAND
from grader.host.prefetch import Prefetch
from grader.model import Interface, Shape

# The projection of a correct row has an error of more standard deviations than these with a probability below
# 2 exp(-9**2 / 2) = 5e-18 (Hoeffding's inequality: the signs of x are independent of the errors).
DEVIATIONS = 9.0
THREADS = 2  # at N = 2048, the verification of a turn takes as long as the turn


@dataclass(frozen=True, slots=True)
class BaseInputs:
    """The inputs that all launches of a size derive from, and what rounding may do to a projection.

    `typical` is the largest root mean square of the errors of C, as a share of the `scale`: 0 if all is exact.
    """

    pair: Inputs
    interface: Interface
    typical: float
    scale: Scale


@dataclass(frozen=True, slots=True)
class Size:
    """A size to time, the seed of its inputs and a function that waits for them, and the next size if there is one."""

    shape: Shape
    seed: int
    following: Shape | None
    base: Callable[[], BaseInputs]


def base(shape: Shape, interface: Interface, seed: int) -> BaseInputs:
    """Draw the inputs of a size, and find how large errors may be."""
    pair = freivalds.base(shape, interface, seed)
    typical = 0.0 if pair.all_exact else interface.accuracy * plain_loss(pair, interface).typical
    return BaseInputs(freivalds.in_float64(pair), interface, typical, scale(pair, interface))


def fresh_vector(base: BaseInputs) -> Vector:
    """Return a random x from the operating system's generator."""
    return freivalds.vector(base.pair, base.interface, np.random.default_rng(secrets.randbits(128)))


def wrong_rows(got: NDArray[np.float64], base: BaseInputs, fresh: Changes, x: Vector) -> int:
    """Count the rows whose projection is not the expected one (`got` is launches x M); NaN is wrong.

    A single row is wrong with an error of more than DEVIATIONS. Rows of real sums together must not have a larger root
    mean square than the errors of C may have: few deviations more would hide factors of 16 bits.
    """
    errors = np.abs(got - freivalds.projections(base.pair, fresh, x, base.interface.alpha, base.interface.beta))
    deviation, rounding = _allowed(base, x)
    wrong = ~(errors <= DEVIATIONS * deviation + rounding)
    real = base.pair.rows.real & base.pair.columns.real[x != 0].all()
    shares = np.maximum(errors - rounding, 0.0)[:, real] / deviation[real]
    if not np.square(shares).sum() <= shares.size + DEVIATIONS**2:
        wrong[:, real] |= ~(shares <= 1)
    return int(np.count_nonzero(wrong))


def _allowed(base: BaseInputs, x: Vector) -> tuple[Vector, Vector]:
    """The deviation and the rounding that the projection of each row of C (M) may have: 0 for exact rows and columns.

    The errors of C contribute their root mean square times the norm of x. The sums of the projection itself contribute
    at most N + K roundings of float64, relative to the sum of the magnitudes of their terms.
    """
    scale, inputs = base.scale, base.pair
    terms = scale.columns * np.abs(x)
    sigma, total = scale.rows * np.linalg.norm(terms), scale.rows * terms.sum()
    if scale.start is not None:
        start = np.abs(scale.start * x)
        sigma, total = sigma + np.linalg.norm(start, axis=1), total + start.sum(1)
    roundings = (inputs.A.shape[1] + x.size) * 2.0 ** -SIGNIFICAND["float64"]
    counts = ~freivalds.exact_rows(inputs, x) if base.interface.type_c != "float64" else 1.0
    return base.typical * sigma * counts, roundings * total * counts


class Verifications:
    """The verifications of one size. Each raises an error for a wrong output."""

    def __init__(self, threads: Executor) -> None:
        self._threads = threads
        self._begun: list[Future[None]] = []

    def begin(self, verify: Callable[[], None]) -> None:
        """Queue a verification; threads take them in order."""
        self._begun.append(self._threads.submit(verify))

    def raise_if_wrong(self) -> None:
        """Raise the error of a verification that has ended, without waiting for others."""
        for each in self._begun:
            if each.done():
                each.result()

    def finish(self) -> None:
        """Wait for all verifications, and raise the first error."""
        for each in self._begun:
            each.result()


@contextmanager
def verification_threads() -> Iterator[Executor]:
    """Give the threads. Leaving cancels verifications that have not begun."""
    threads = ThreadPoolExecutor(THREADS)
    try:
        yield threads
    finally:
        threads.shutdown(cancel_futures=True)


def single_size(shape: Shape, interface: Interface, seed: int) -> Size:
    """A size that no other follows."""
    return Size(shape, seed, None, cache(lambda: base(shape, interface, seed)))


def sizes(shapes: Sequence[Shape], interface: Interface, seed: int) -> Generator[Size]:
    """Yield each size. A thread draws its inputs, and early those of the next size if they are small."""
    with closing(Prefetch(partial(base, interface=interface, seed=seed), 1)) as bases:
        for shape, following in zip_longest(shapes, shapes[1:]):
            bases.begin([shape, *([following] if following and is_small(following) else [])])
            yield Size(shape, seed, following, cache(partial(bases.take, shape)))
