"""How the hardware serves the accesses of a warp: sectors, lines and wavefronts of each request. Pure.

Addresses are arrays of requests x 32 lanes. Sectors have 32 bytes and lines 128 (CUDA C++ Best Practices Guide,
"Coalesced Access to Global Memory"; Nsight Compute, "Memory Tables"). Shared memory has 32 banks of 4 bytes, and lanes
that read the same word share it (CUDA C++ Programming Guide, "Shared Memory").
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import LANES

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

SECTOR, LINE = 32, 128  # bytes
BANKS, WORD = 32, 4


def distinct(addresses: Integers, acts: Mask, size: int) -> Integers:
    """Return how many different aligned pieces of `size` bytes each request accesses."""
    pieces = np.sort(_filled(addresses, acts) // size, axis=1)
    return np.asarray(1 + np.count_nonzero(np.diff(pieces, axis=1), axis=1))


def wavefronts(addresses: Integers, acts: Mask, width: int) -> Integers:
    """Return the wavefronts of each request to shared memory with `width` bytes for each lane.

    A phase serves lanes with 128 bytes in total. Two phases are served together if lanes of each pair, next to each
    other or two apart, have the same address.
    """
    unit = max(WORD, width)
    phases = unit // WORD
    separate = _conflicts(addresses, acts, unit, LANES // phases)
    if phases == 1:
        return separate
    pairs = max(LANES // phases * 2, 1)
    together = _conflicts(addresses, acts, unit, pairs)
    return np.asarray(np.where(_in_pairs(_filled(addresses, acts)), together, separate))


def _conflicts(addresses: Integers, acts: Mask, unit: int, lanes: int) -> Integers:
    """Return the sum, over phases of that many lanes, of the most distinct units in one bank."""
    groups, banks = LANES // lanes, BANKS * WORD // unit
    rows = addresses.reshape(-1, lanes) // unit
    acting = acts.reshape(-1, lanes)
    units = np.sort(np.where(acting, rows, -1), axis=1)
    is_new = (np.diff(units, axis=1, prepend=-1) != 0) & (units >= 0)
    row, lane = np.nonzero(is_new)
    counts = np.bincount(row * banks + units[row, lane] % banks, minlength=len(rows) * banks)
    return np.asarray(counts.reshape(-1, banks).max(axis=1, initial=0).reshape(-1, groups).sum(axis=1))


def _in_pairs(addresses: Integers) -> Mask:
    """Return whether all lanes have the address of a neighbouring lane, or of the lane two apart."""
    lanes = np.arange(LANES)
    return np.asarray(
        (addresses == addresses[:, lanes ^ 1]).all(axis=1) | (addresses == addresses[:, lanes ^ 2]).all(axis=1)
    )


def _filled(addresses: Integers, acts: Mask) -> Integers:
    """Return the addresses, with that of the first active lane in place of those of inactive lanes."""
    first = addresses[np.arange(len(addresses)), acts.argmax(axis=1)]
    return np.where(acts, addresses, first[:, None])
