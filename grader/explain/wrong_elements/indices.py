"""Factors that are read at wrong indices, with the values that this would give. Pure."""

from __future__ import annotations

import numpy as np

from grader.comparison.compare import as_float64
from grader.contract.layout import operands, store
from grader.explain.wrong_elements.evidence import Candidates, Evidence

SHORT_INDICES = 1 << 16  # numbers of an index of 16 bits; one with a sign is negative from half of it on: out of bounds


def short_offsets(e: Evidence) -> Candidates:
    """The sums in which the index of one factor, or the offset of its line, begins again behind the last number."""
    k = np.arange(e.a.shape[1])
    indices = {"A": (e.rows[:, None], k), "B": (k, e.columns[:, None])}
    matrices = operands(e.trial.interface, e.trial.case.shape)
    for name, matrix, other in (("A", e.comparison.inputs.A, e.b), ("B", e.comparison.inputs.B, e.a)):
        operand = matrices[name]
        if operand.elements <= SHORT_INDICES:
            continue
        by_row = operand.length == matrix.shape[1] and operand.lines == matrix.shape[0]
        line, position = indices[name] if by_row else indices[name][::-1]
        flat = as_float64(store(matrix, operand, e.trial.interface))
        start = line * operand.stride
        for index in (start % SHORT_INDICES + position, (start + position) % SHORT_INDICES):
            hint = f"{name} is read at indices or offsets of 16 bits, which begin again at 0 after 65535. Use int."
            yield e.scaled((flat[np.broadcast_to(index, other.shape)] * other).sum(1)), hint
