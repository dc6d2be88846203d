"""The inputs and the expected result of a launch: a function of the case, independent of the kernel. Pure."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from grader.comparison.error_limit import ErrorLimit, error_limit
from grader.contract.inputs import Inputs, draw
from grader.contract.precision import SIGNIFICAND
from grader.host import cpus, timeline
from grader.host.prefetch import Prefetch
from grader.model import Case, Interface, Shape

Exact = NDArray[np.float64]
Number = TypeVar("Number", bound=np.generic)

# The least number of rows of A for a thread. At N = 2048, these take 0.1 s, of which packing B takes 2 ms.
PANEL = 512
MOST_AHEAD = 5 << 23  # elements of C in all results computed ahead: those of the square lab, with 16 bytes each
MOST_BYTES = 1 << 30  # the square lab takes 0.6; to draw it and to multiply takes two thirds of the judge's time


@dataclass(frozen=True, slots=True)
class Expectation:
    """The inputs of a launch, and C as it should be (M x N).

    Exact elements must be equal; if all are exact, there is no limit.
    """

    inputs: Inputs
    C: Exact
    limit: ErrorLimit | None


Expect = Callable[[Case, Interface, int], Expectation]  # from a case and the number of a launch of it
ProductKey = tuple[Shape, str, int, int, Interface]


def expectation(case: Case, interface: Interface, launch: int) -> Expectation:
    """Draw the inputs of a launch of a case, and compute the expected result."""
    return of_inputs(draw(case, interface, launch), interface)


def of_inputs(inputs: Inputs, interface: Interface) -> Expectation:
    """Return what a launch with these inputs has to leave."""
    limit = None if inputs.all_exact else error_limit(inputs, interface)
    return Expectation(inputs, exact_result(inputs, interface), limit)


def exact_result(inputs: Inputs, interface: Interface) -> Exact:
    """C in float64 (M x N), without rounding if the inputs are exact."""
    C = interface.alpha * _product(inputs, interface)
    if inputs.C is not None and interface.beta:
        C += interface.beta * inputs.C.astype(np.float64)
    return np.asarray(C)


def _product(inputs: Inputs, interface: Interface) -> Exact:
    """A times B, leaving out rows, columns and terms that are zero; in float32 where that is exact."""
    single = inputs.all_exact and SIGNIFICAND[interface.type_c] <= SIGNIFICAND["float32"]
    kind = np.float32 if single else np.float64
    rows, columns = inputs.A.any(1), inputs.B.any(0)
    terms = inputs.A.any(0) & inputs.B.any(1)
    if rows.all() and columns.all() and terms.all():
        return np.asarray(product(inputs.A.astype(kind), inputs.B.astype(kind)), np.float64)
    C = np.zeros((rows.size, columns.size))
    a, b = inputs.A[np.ix_(rows, terms)], inputs.B[np.ix_(terms, columns)]
    C[np.ix_(rows, columns)] = product(a.astype(kind), b.astype(kind))
    return C


def product(a: NDArray[Number], b: NDArray[Number]) -> NDArray[Number]:
    """The product of a (M x K) and b (K x N), which have one type, with the rows of a divided among the CPUs."""
    rows = a.shape[0]
    panels = max(1, min(len(cpus.allowed()), rows // PANEL))
    ends = [rows * panel // panels for panel in range(panels + 1)]
    c = np.empty((rows, b.shape[1]), a.dtype)
    with ThreadPoolExecutor(panels) as threads:
        list(threads.map(lambda first, end: np.matmul(a[first:end], b, out=c[first:end]), ends[:-1], ends[1:]))
    return c


def key(case: Case, interface: Interface, launch: int) -> ProductKey:
    """All that determines the inputs of a launch of a case, and thereby its product."""
    return case.shape, case.run, case.seed, launch, interface


@contextmanager
def ahead(cases: Sequence[Case], interface: Interface, computed: Expect) -> Iterator[Expect]:
    """Compute what the first cases have to leave, in this order; others when they are asked for."""

    def compute(of: ProductKey) -> Expectation:
        shape, run, seed, launch, called = of
        with timeline.span(f"expect {shape} {run}"):
            return computed(Case(shape, run, seed), called, launch)

    elements = accumulate(case.shape.M * case.shape.N for case in cases)
    first = [case for case, total in zip(cases, elements, strict=True) if total <= MOST_AHEAD]
    with closing(Prefetch(compute)) as results:
        results.begin(key(case, interface, 0) for case in first)
        yield lambda case, called, launch: results.take(key(case, called, launch))


class KnownProducts:
    """Expected results for a class, whose submissions have the same inputs. Several threads may use one cache."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._left = most_bytes
        self._known: dict[ProductKey, Expectation] = {}

    def expect(self, case: Case, interface: Interface, launch: int) -> Expectation:
        """Return the expected result of a launch, and cache it if there is room."""
        of = key(case, interface, launch)
        if known := self._known.get(of):
            return known
        computed = expectation(case, interface, launch)
        inputs = computed.inputs
        arrays = [each for each in (inputs.A, inputs.B, inputs.C, computed.C) if each is not None]
        if (nbytes := sum(each.nbytes for each in arrays)) <= self._left:
            for each in arrays:
                each.setflags(write=False)
            self._left -= nbytes
            self._known[of] = computed
        return computed
