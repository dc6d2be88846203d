"""The inputs of timed launches, as the device makes them from those of a size."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from grader.contract.freivalds import Changes
from grader.contract.inputs import Inputs


def each_launch(pair: Inputs, fresh: Changes) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Yield A and B of every launch of a round."""
    changes = zip(fresh.a_rows, fresh.a_columns, fresh.b_rows, fresh.b_order, fresh.b_columns, strict=True)
    A, B = pair.A.astype(np.float64), pair.B.astype(np.float64)
    for a_rows, a_columns, b_rows, b_order, b_columns in changes:
        yield a_rows[:, None] * A * a_columns, b_rows[:, None] * B[b_order] * b_columns
