"""The cases of a grade: which sizes run with which families of inputs, and in what order. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.contract.inputs import CHECKED, DENSE, FAMILIES, REPEATED
from grader.model import Backend, Case, Order, Shape

REPEATS = 20
CHECKED_SIZES = 2
SMALLEST_CHECKED, LARGEST_CHECKED = 33, 520  # smaller ones have one block, and of larger ones the edges run only
LARGEST_WITH_EDGES = 2100  # larger matrices take long to draw and to judge
LEAST_REPEATED = 2 * 32**3  # operations: fewer repeat too little
WHOLE_SIZE = 768  # the largest size of which a slow backend runs every block with every family
# Elements of C in a group of sizes: those of the whole square lab. Each takes some 60 bytes if it is wrong.
MOST_KEPT = 5 << 22


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

    On a fast backend, the dense families of all sizes run first, or those of one group of sizes after the other. By
    the time of the others, it is known which sizes are wrong, and those need no more cases. A slow backend takes one
    size after the other, to show results early.
    """
    numbers = list(range(len(cases)))
    if backend.capabilities.shares_out_blocks:
        return numbers
    groups = _groups(cases)
    return sorted(numbers, key=lambda number: _turn(cases[number], groups))


def _groups(cases: Sequence[Case]) -> dict[Shape, int]:
    """The number of the group of each size: what is known of wrong cases is kept until their group is checked."""
    groups: dict[Shape, int] = {}
    group, elements = 0, 0
    for shape in dict.fromkeys(case.shape for case in cases):
        elements += shape.M * shape.N
        if elements > MOST_KEPT:
            group, elements = group + 1, shape.M * shape.N
        groups[shape] = group
    return groups


def _turn(case: Case, groups: Mapping[Shape, int]) -> tuple[int, bool]:
    """When a case runs, compared with others."""
    if case.family == REPEATED:
        return len(groups), False
    return groups[case.shape], case.family not in {CHECKED, *DENSE}


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
