"""The cases of a grade: which sizes run with which families of inputs, and their order. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.contract.inputs import CHECKED, DENSE, FAMILIES, REPEATED
from grader.model import Backend, Case, Order, Shape

REPEATS = 20
CHECKED_SIZES = 2
SMALLEST_CHECKED, LARGEST_CHECKED = 33, 520  # smaller sizes have one block; of larger ones, only the edges run
LARGEST_WITH_EDGES = 2100  # the inputs and the verdicts of larger matrices take long
LEAST_REPEATED = 2 * 32**3  # operations; smaller products exercise too little of a kernel
WHOLE_SIZE = 768  # the largest size at which a slow backend runs every block with every family
# Elements of C in a group of sizes: as many as the square lab has. A wrong element takes about 60 bytes.
MOST_KEPT = 5 << 22


def cases(sizes: tuple[Shape, ...], seed: int, backend: Backend) -> Iterator[Case]:
    """Yield every size with every family, and some sizes as checked launches; then many launches of a small size.

    If the backend can reverse the order of threads, it alternates from family to family: each size runs in both orders.
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
    """Return the indices of the cases in the order in which they run.

    On a fast backend, the dense families of a group of sizes run first. When the other families run, it is known which
    sizes are wrong; these need no more cases. A slow backend runs one size after the other, to show results early.
    """
    numbers = list(range(len(cases)))
    if backend.capabilities.shares_out_blocks:
        return numbers
    groups = _groups(cases)
    return sorted(numbers, key=lambda number: _running_key(cases[number], groups))


def _groups(cases: Sequence[Case]) -> dict[Shape, int]:
    """The group of each size. Groups are small: evidence of wrong cases is kept until their group is checked."""
    groups: dict[Shape, int] = {}
    group, elements = 0, 0
    for shape in dict.fromkeys(case.shape for case in cases):
        elements += shape.M * shape.N
        if elements > MOST_KEPT:
            group, elements = group + 1, shape.M * shape.N
        groups[shape] = group
    return groups


def _running_key(case: Case, groups: Mapping[Shape, int]) -> tuple[int, bool]:
    """The key by which cases are sorted into their running order."""
    if case.family == REPEATED:
        return len(groups), False
    return groups[case.shape], case.family not in {CHECKED, *DENSE}


def _checked_sizes(sizes: tuple[Shape, ...]) -> tuple[Shape, ...]:
    """The smallest of the lab's sizes with several blocks; one of them is odd if there is an odd size.

    If no small size, or no small odd one, exists, a larger one replaces it, of which only the edges run. Sizes outside
    of the lab never run, because a kernel may rely on the lab's sizes.
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
    """Whether a checked launch of all blocks of a size would take too long."""
    return max(shape.M, shape.N, shape.K) > LARGEST_CHECKED
