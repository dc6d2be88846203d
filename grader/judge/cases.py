"""The cases of a grade: which sizes run with which families of inputs, and in what order. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.contract.inputs import CHECKED, DENSE, FAMILIES, REPEATED
from grader.model import Backend, Case, Order, Shape

REPEATS = 20
CHECKED_SIZES = 2
SMALLEST_CHECKED, LARGEST_CHECKED = 33, 520  # smaller ones have one block, and of larger ones the edges run only
LARGEST_WITH_EDGES = 2100  # larger matrices take long to draw and to judge
LEAST_REPEATED = 2 * 32**3  # operations: fewer repeat too little
WHOLE_SIZE = 768  # the largest size of which a slow backend runs every block with every family


def cases(sizes: tuple[Shape, ...], seed: int, backend: Backend) -> Iterator[Case]:
    """Every size with every family, some sizes also checked; then many launches of a small size in one process.

    The order of threads alternates from family to family where the backend can reverse it, so that each size sees both.
    """
    can = backend.capabilities
    checked = _checked_sizes(sizes) if backend.tracer else ()
    for shape in sizes:
        if shape in checked:
            yield Case(shape, CHECKED, seed, shared_out=_is_long(shape))
        shared_out = can.shares_out_blocks and max(shape.M, shape.N, shape.K) > WHOLE_SIZE
        for number, family in enumerate(FAMILIES):
            order: Order = "reverse" if can.reverses_threads and number % 2 else "forward"
            yield Case(shape, family, seed, order=order, shared_out=shared_out)
    large_enough = [shape for shape in sizes if shape.flops >= LEAST_REPEATED]
    smallest = min(large_enough or sizes, key=lambda shape: shape.flops)
    yield Case(smallest, REPEATED, seed, launches=REPEATS)


def running_order(cases: Sequence[Case], backend: Backend) -> list[int]:
    """The numbers of the cases in the order in which they run.

    On a fast backend, the dense families of every size run first. By the time of the others, it is known which sizes
    are wrong, and those need no more cases. A slow backend takes one size after the other, to show results early.
    """
    numbers = list(range(len(cases)))
    return numbers if backend.capabilities.shares_out_blocks else sorted(numbers, key=lambda n: _part(cases[n]))


def _part(case: Case) -> int:
    """The part of a fast grade in which the case runs."""
    if case.family == REPEATED:
        return 2
    return 0 if case.family in {CHECKED, *DENSE} else 1


def _checked_sizes(sizes: tuple[Shape, ...]) -> tuple[Shape, ...]:
    """The smallest sizes with several blocks, one of them odd if there is one.

    If small sizes, or odd ones among them, are missing, a larger one replaces them, of which only the edges run. No
    other sizes run, because a lab's kernels may rely on its sizes.
    """
    several = [shape for shape in sizes if max(shape.M, shape.N, shape.K) >= SMALLEST_CHECKED]
    by_work = sorted(set(several or sizes[:1]), key=lambda shape: shape.flops)
    small = [shape for shape in by_work if not _is_long(shape)]
    possible = [shape for shape in by_work if max(shape.M, shape.N, shape.K) <= LARGEST_WITH_EDGES]
    odd = ([shape for shape in small if _is_odd(shape)] or [shape for shape in possible if _is_odd(shape)])[:1]
    others = [shape for shape in small or possible[:1] if shape not in odd]
    return (*odd, *others[: CHECKED_SIZES - len(odd)])


def _is_odd(shape: Shape) -> bool:
    return bool((shape.M | shape.N | shape.K) & 1)


def _is_long(shape: Shape) -> bool:
    """Whether all blocks of a size take too long in a checked launch."""
    return max(shape.M, shape.N, shape.K) > LARGEST_CHECKED
