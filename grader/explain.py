"""Why an answer is wrong: the typical mistakes, tried one by one against what the kernel computed. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from grader.inputs import Inputs
from grader.model import Case, Fault, Launch, Mismatch, Verdict

TRIED_UP_TO = 1100  # products of this size cost a fraction of a second; a mistake shows at a small size as well
TILES = (4, 8, 16, 32, 64, 128)
Matrix = NDArray[np.generic]
Exact = NDArray[np.float64]


def wrong_answer(case: Case, inputs: Inputs, got: Matrix, want: Exact, mismatch: Mismatch, launch: Launch) -> Fault:
    """A sentence on what is wrong and where, and the most likely mistake as the hint."""
    region, first = mismatch.region, mismatch.first
    sentence = f"{region.wrong} of {region.total} elements of C are wrong at {case.shape}, {region.where}: "
    sentence += f"C[{first.row}][{first.column}] should be {first.expected:.9g} and is {_value(mismatch)}."
    hint = next(_mistakes(case, inputs, got, want, mismatch, launch), _by_place(case, mismatch, launch))
    return Fault(Verdict.WRONG_ANSWER, sentence, hint)


def _value(mismatch: Mismatch) -> str:
    region = mismatch.region
    if region.never_written == region.wrong:
        return "never written"
    return f"{mismatch.first.got:.9g}"


def _mistakes(
    case: Case, inputs: Inputs, got: Matrix, want: Exact, mismatch: Mismatch, launch: Launch
) -> Iterator[str]:
    """Hints of the mistakes that give exactly what the kernel computed."""
    if mismatch.region.never_written == mismatch.region.total:
        yield "The kernel writes nothing. Does every thread return early, or does it write to a copy of C?"
    if not np.any(got):
        yield "Every element is zero. Is the sum ever added to, and is it the sum that is stored?"
    if max(case.shape.M, case.shape.N, case.shape.K) > TRIED_UP_TO:
        return
    a, b = inputs.A.astype(np.float64), inputs.B.astype(np.float64)
    for product, hint in _products(a, b, want, launch):
        if np.array_equal(got, product()) if inputs.exact else np.allclose(got, product(), 1e-5, 1e-4):
            yield hint
    if inputs.exact and _nearly(got, want, a, b):
        yield (
            "The values are close but not exact: these inputs and sums fit float32 without rounding. "
            "Multiply and add in float32, not in half, TF32 or integers."
        )


def _products(a: Exact, b: Exact, want: Exact, launch: Launch) -> Iterator[tuple[Callable[[], Exact], str]]:
    K = a.shape[1]
    if want.shape[0] == want.shape[1]:
        yield lambda: want.T, "C is transposed: rows and columns are swapped when it is stored, or in row and col."
    if a.shape == b.shape == want.shape:
        yield lambda: a @ b.T, "This is A times the transpose of B: B's row and column are swapped when it is read."
        yield lambda: a.T @ b, "This is the transpose of A times B: A's row and column are swapped when it is read."
        yield lambda: b @ a, "This is B times A: the operands are swapped."
    yield lambda: a[:, :-1] @ b[:-1], "The last term of every sum is missing: the loop over k ends one too early."
    yield lambda: a[:, 1:] @ b[1:], "The first term of every sum is missing: the loop over k begins at 1."
    for tile in sorted({*TILES, launch.tile[0], launch.tile[1], launch.block[0]}):
        tail = K % tile
        if tail > 1:
            yield (
                lambda cut=K - tail: a[:, :cut] @ b[:cut],
                f"The last {tail} terms of every sum are missing: the loop over k runs over whole tiles of {tile} only. "
                f"Round the number of tiles up, and fill what lies outside with zeros.",
            )
    yield lambda: 2 * want, "Every element is twice what it should be: is every term added twice?"


def _nearly(got: Matrix, want: Exact, a: Exact, b: Exact) -> bool:
    """Whether every element is within the rounding of an 8-bit significand (bfloat16's) of its terms."""
    return bool(np.all(np.abs(got - want) <= 2.0**-7 * (np.abs(a) @ np.abs(b))))


def _by_place(case: Case, mismatch: Mismatch, launch: Launch) -> str:
    """What usually goes wrong there."""
    region = mismatch.region
    if region.not_a_number:
        return (
            "NaN stands in the result: the kernel reads elements outside of A or B, or of C before it is written, "
            "or shared memory that no thread filled. Check every index against N before loading."
        )
    if region.never_written == region.wrong:
        columns, rows = launch.tile
        return (
            f"These elements are never written. LAUNCH says that a block computes {columns} columns and {rows} rows "
            "of C: does it, also where the last tile sticks out?"
        )
    if "last" in region.where or "corner" in region.where:
        return "Only the edge is wrong: look at how the last tile, which is not full, is loaded and stored."
    if case.order == "reverse":
        return (
            "The threads of a block ran in reverse order here. If the other order is right, a __syncthreads() is "
            "missing: one thread reads what another has not written yet, or has already overwritten."
        )
    return (
        "Is a __syncthreads() missing after the tiles are loaded or before they are loaded again? "
        "Otherwise compute one element by hand for N = 2 and compare the indices."
    )
