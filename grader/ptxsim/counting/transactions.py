"""How the hardware serves the accesses of a warp: sectors, lines and wavefronts of each request. Pure.

Addresses are arrays of requests x 32 lanes. Sectors have 32 bytes and lines 128 (CUDA C++ Best Practices Guide,
"Coalesced Access to Global Memory"; Nsight Compute, "Memory Tables"). Shared memory has 32 banks of 4 bytes, and lanes
that read the same word share it (CUDA C++ Programming Guide, "Shared Memory").
"""

from __future__ import annotations

import numpy as np

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.engine.trace import Integers, Mask
from grader.ptxsim.generate.fragments import SIZES
from grader.ptxsim.syntax.records import Instruction, types_of

SECTOR, LINE = 32, 128  # bytes
BANKS, WORD = 32, 4
LINES = 8  # of a request
LINES_OF_K = 4  # of a request, in a fragment of TF32
ROW = 16  # bytes of a row of LDSM, which one lane addresses


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


def requests_of_fragments(
    starts: Integers, acts: Mask, length: int, instruction: Instruction
) -> tuple[int, Integers, Mask]:
    """Return the bytes of each lane, the addresses of all requests, and their active lanes.

    `starts` has where the lines of `length` bytes begin, one row for each access.
    """
    if instruction.opcode != "wmma":  # each lane addresses a row of 16 bytes
        return ROW, starts, acts
    lines = int(acts[0].sum())
    size = SIZES.get(types_of(instruction)[-1], 4)
    if size == 2 and {"shared", "load"} <= set(instruction.modifiers):
        return ROW, *_matrices(starts[:, :lines], length)
    width = 2 * size if {"c", "d"} & set(instruction.modifiers) or size != 4 else size
    of_request = LINES_OF_K if width == size == 4 and lines == LINES else LINES
    return width, *_pieces(starts[:, :lines], length, width, of_request)


def _matrices(starts: Integers, length: int) -> tuple[Integers, Mask]:
    """Return the rows that the lanes of each LDSM address."""
    rows = starts.reshape(len(starts), -1, LINES)  # lines of a matrix
    offsets = np.arange(0, length, ROW)
    addresses = (rows[:, None] + offsets[:, None, None]).reshape(len(starts), -1)
    return _rows_of_lanes(addresses)


def _pieces(starts: Integers, length: int, width: int, of_request: int) -> tuple[Integers, Mask]:
    """Return the addresses of requests in which the lanes share so many lines, and access neighbours of each."""
    lines, of_a_line = starts.reshape(len(starts), -1, of_request, 1), LANES // of_request
    lanes = np.arange(of_a_line) * width
    offsets = np.arange(0, length, of_a_line * width)
    addresses = (lines[:, None] + offsets[:, None, None, None] + lanes).reshape(len(starts), -1)
    return _rows_of_lanes(addresses)


def _rows_of_lanes(addresses: Integers) -> tuple[Integers, Mask]:
    """Return the addresses as rows of 32 lanes; the last row of an access may have fewer."""
    missing = -addresses.shape[1] % LANES
    acts = np.pad(np.ones(addresses.shape, np.bool_), ((0, 0), (0, missing)))
    return np.pad(addresses, ((0, 0), (0, missing))).reshape(-1, LANES), acts.reshape(-1, LANES)
