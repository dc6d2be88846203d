"""Typical mistakes in a loop over tiles, each with the values that it would give. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.comparison.compare import Exact
from grader.explain.wrong_elements.evidence import Candidates, Evidence, Indices, Trial

ONLY_ONCE = "set the sum to zero only once, and add each tile to it (+=)."
TILES = (4, 8, 16, 32, 64, 128)
ZERO_FILL = (
    "Asynchronous copies set what lies in A and B to zero, and copy what lies outside: the last argument of "
    "__pipeline_memcpy_async() is the number of bytes that become zero, that of cp.async the number that are copied."
)


def sides(trial: Trial) -> tuple[int, ...]:
    """The lengths that a tile may have, the launch's own first."""
    launch = trial.launch
    return tuple(dict.fromkeys(side for side in (*launch.tile, *launch.block[:2], *TILES) if side > 1))


def tiles(e: Evidence) -> Candidates:
    """Mistakes in a loop over tiles."""
    K = e.terms.shape[1]
    for tile in sides(e.trial):
        if K % tile and tile < K and (K % tile > 1 or e.trial.uses.shared_memory):
            yield from _last_tile(e, tile)
        if tile < K:
            yield from _single_tile(e, tile)
        if e.trial.uses.shared_memory:
            yield from _transposed_tiles(e, tile)
        if e.trial.uses.asynchronous_copies and K % tile:
            yield from _filled_with_zeros(e, tile)


def _filled_with_zeros(e: Evidence, tile: int) -> Candidates:
    """Tiles in which only the places beyond the matrices are copied, from the first elements of A and B."""
    first = float(e.comparison.inputs.A[0, 0]) * float(e.comparison.inputs.B[0, 0])
    yield e.scaled(np.full(e.got.size, -e.terms.shape[1] % tile * first)), ZERO_FILL


def _transposed_tiles(e: Evidence, tile: int) -> Candidates:
    hint = (
        f"Every {tile} x {tile} tile of {{}} is transposed: x and y are swapped where it is stored to shared memory or "
        "where it is read from there."
    )
    yield e.scaled((_transposed_tiles_of_a(e, tile) * e.b).sum(1)), hint.format("A")
    yield e.scaled((e.a * _transposed_tiles_of_b(e, tile)).sum(1)), hint.format("B")


def _last_tile(e: Evidence, tile: int) -> Candidates:
    """Mistakes with the last tile along k, which is not full."""
    K = e.terms.shape[1]
    cut = K - K % tile
    missing = (
        f"{K - cut} terms of every sum are missing, those" if K - cut > 1 else "term of every sum is missing, that"
    )
    yield (
        e.scaled(e.terms[:, :cut].sum(1)),
        f"The last {missing} of the last tile of {tile} along k, which is not "
        "full. Does the loop over k run over whole tiles only, so that the number of tiles must be rounded up? Or does "
        "a check leave out the tile as a whole? Store zero only for elements outside the matrix.",
    )
    yield (
        e.scaled(e.terms.sum(1) + e.terms[:, K - tile : cut].sum(1)),
        f"The last tile of {tile} along k, which is not full, also has terms of the tile before it, which are added "
        "twice. Either they were not overwritten, or the tile was moved back to fit into the matrix. Store zero for "
        "every element outside the matrix.",
    )


def _single_tile(e: Evidence, tile: int) -> Candidates:
    K = e.terms.shape[1]
    last = (K - 1) // tile * tile
    if tile < K - 1 or e.trial.uses.shared_memory:  # else it may be a loop over k that is one step too short
        yield e.scaled(e.terms[:, :tile].sum(1)), f"Only the first tile of {tile} along k is added."
    if last < K - 1 or e.trial.uses.shared_memory:
        hint = f"Only the last tile of {tile} along k is added: {ONLY_ONCE}"
        yield e.scaled(e.terms[:, last:].sum(1)), hint


def _transposed_tiles_of_a(e: Evidence, tile: int) -> Exact:
    """Rows of an A whose tiles are transposed, zero outside the matrix (sample x K)."""
    k = np.arange(e.a.shape[1])
    row = e.rows[:, None] // tile * tile + k % tile
    return _or_zero(e.comparison.inputs.A, row, k // tile * tile + e.rows[:, None] % tile)


def _transposed_tiles_of_b(e: Evidence, tile: int) -> Exact:
    k = np.arange(e.b.shape[1])
    row = k // tile * tile + e.columns[:, None] % tile
    return _or_zero(e.comparison.inputs.B, row, e.columns[:, None] // tile * tile + k % tile)


def _or_zero(matrix: NDArray[np.generic], row: Indices, column: Indices) -> Exact:
    inside = (row < matrix.shape[0]) & (column < matrix.shape[1])
    values = matrix[np.where(inside, row, 0), np.where(inside, column, 0)].astype(np.float64)
    return np.where(inside, values, 0.0)
