"""The requests that the assembler makes of a warp's access to a fragment (wmma.load, wmma.store, ldmatrix). Pure.

ptxas 13.0 for sm_75, sm_80 and sm_90: a fragment of 16 x 16 halves in global memory becomes four LDG of 4 bytes for
each lane, each of them 16 bytes of eight lines; one in shared memory becomes one LDSM with four matrices of 8 x 8; a
fragment of 16 x 16 floats four STG or STS of 8 bytes for each lane, each of them 32 bytes of eight lines. nvcc names no
space for fragments of bfloat16 and TF32: in shared memory too, those become four LD of 4 bytes for each lane. Where
the eight lines of a fragment of TF32 are those of k, a request has 32 bytes of four lines: Nsight Compute counts four
sectors.
"""

from __future__ import annotations

import numpy as np

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.counting.transactions import Integers, Mask
from grader.ptxsim.generate.fragments import SIZES
from grader.ptxsim.syntax.records import Instruction
from grader.ptxsim.syntax.types import types_of

LINES = 8  # of a request
LINES_OF_K = 4  # of a request, in a fragment of TF32
ROW = 16  # bytes of a row of LDSM, which one lane addresses


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
    return _filled(addresses)


def _pieces(starts: Integers, length: int, width: int, of_request: int) -> tuple[Integers, Mask]:
    """Return the addresses of requests in which the lanes share so many lines, and access neighbours of each."""
    lines, of_a_line = starts.reshape(len(starts), -1, of_request, 1), LANES // of_request
    lanes = np.arange(of_a_line) * width
    offsets = np.arange(0, length, of_a_line * width)
    addresses = (lines[:, None] + offsets[:, None, None, None] + lanes).reshape(len(starts), -1)
    return _filled(addresses)


def _filled(addresses: Integers) -> tuple[Integers, Mask]:
    """Return the addresses as rows of 32 lanes; the last row of an access may have fewer."""
    missing = -addresses.shape[1] % LANES
    acts = np.pad(np.ones(addresses.shape, np.bool_), ((0, 0), (0, missing)))
    return np.pad(addresses, ((0, 0), (0, missing))).reshape(-1, LANES), acts.reshape(-1, LANES)
