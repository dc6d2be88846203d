"""The sizes of a proposed rubric: those for which its kernel is written. Pure."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from grader.model import Shape
from grader.rubric.arithmetic import constant
from grader.rubric.host_names import REAL, TILE, HostNames, size_of
from grader.rubric.proposed_call import ProposedCall
from grader.rubric.source_calls import SourceKernel

GUARD = re.compile(r"\b(?:if|while)\b|\?")  # of an access, so that any size is right
OF_VECTORS = re.compile(r"\bload_matrix_sync\b|\b(?:float|int|double)[24]\b")  # whose accesses are aligned
WHOLE_TILES, ANY_SIZE = (64, 128, 256), (33, 64, 130)
MOST_SIZE, SOON = 1 << 15, 1024

Shapes = tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class ProposedSizes:
    """Sizes, the constants of the program that are set to one which is checked soon, and what is not certain."""

    shapes: Shapes
    constants: dict[str, int]
    remarks: tuple[str, ...] = ()


def proposed_sizes(call: ProposedCall, symbols: Sequence[str]) -> ProposedSizes:
    """Return sizes for which a kernel is written: its own constants if it is given none, or whole tiles, or any."""
    body = call.kernel.body
    if not (symbols or call.sizes):
        return _own_sizes(call.kernel, call.launch.names)
    is_guarded = GUARD.search(body) and not OF_VECTORS.search(body)
    return ProposedSizes(of_lengths(ANY_SIZE if is_guarded or not body.strip() else WHOLE_TILES, call.sizes), {})


def squares(*lengths: int) -> Shapes:
    """Return the size of each length."""
    return tuple(Shape(length, length, length) for length in lengths)


def of_lengths(lengths: Sequence[int], given: Collection[str]) -> Shapes:
    """Return the size of each length, after one that shows the order of M, N and K to a kernel of rectangles."""
    if not ({"N", "K"} <= set(given) and len(lengths) == len("MNK")):
        return squares(*lengths)
    # The shortest are the rows of C, and the longest its columns: so blocks of rows and of columns differ in number.
    return (Shape(*(lengths[index] for index in (0, 2, 1))), *squares(*lengths))


def _own_sizes(kernel: SourceKernel, names: HostNames) -> ProposedSizes:
    """Return the size of the constants that a kernel uses, or of one for each of M, N and K, as it is checked soon."""
    written = _constants(names)
    used = [name for name in written if name in set(re.findall(r"\w+", kernel.body))]
    lengths = _lengths(name for name in written if name in used or name in names.macros) or _lengths(written)
    is_oblong = len({written[name] for name in lengths}) > 1
    chosen = lengths if is_oblong else used
    numbers = sorted({written[name] for name in chosen}) or [WHOLE_TILES[-1]]
    soon = _soon(numbers, is_oblong=is_oblong)
    constants = {name: soon[written[name]] for name in chosen if soon[written[name]] != written[name]}
    set_to = ", ".join(f"{name} = {length}" for name, length in constants.items())
    several = f"The kernel has the sizes {numbers}: for a product that is not square, give [M, N, K]."
    long = f"The kernel is for its own size alone, which takes long. Set for the check: {set_to}."
    return ProposedSizes(
        (Shape(*(soon[written[name]] for name in lengths)),) if is_oblong else squares(soon[numbers[-1]]),
        constants,
        (*([several] if len(numbers) > 1 and not is_oblong else ()), *([long] if constants else ())),
    )


def _constants(names: HostNames) -> dict[str, int]:
    """Return the whole numbers that may be sizes of matrices."""
    reals = {name for name, kind in names.types.items() if REAL.search(kind)}
    whole = {name: text for name, text in names.values.items() if name not in reals and "Idx" not in text}
    numbers = {name: constant(names, text) for name, text in whole.items() if not TILE.search(name)}
    return {name: number for name, number in numbers.items() if 1 < number <= MOST_SIZE}


def _lengths(names: Iterable[str]) -> list[str]:
    """Return the names of M, N and K, or nothing if these names are not one for each."""
    named = [(size_of(name), name) for name in names]
    found = [[name for size, name in named if size == length] for length in "MNK"]
    return [name for (name,) in found] if all(len(each) == 1 for each in found) else []


def _soon(numbers: Sequence[int], *, is_oblong: bool) -> dict[int, int]:
    """Return the length that is checked in the place of each number."""
    if is_oblong and numbers[-1] > SOON:
        return dict(zip(numbers, WHOLE_TILES, strict=False))
    return {number: WHOLE_TILES[1] if number > SOON else number for number in numbers}
