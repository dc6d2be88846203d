"""Matrix products on the CPU, divided among threads; BLAS itself uses one (host/blas_threads.py)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.host import cpu_affinity

# The least number of rows of A for a thread. At N = 2048, these take 0.1 s, of which packing B takes 2 ms.
PANEL = 512


def product(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """The product of a (M x K) and b (K x N), which have one type, with the rows of a divided among the CPUs."""
    rows = a.shape[0]
    panels = max(1, min(len(cpu_affinity.allowed()), rows // PANEL))
    ends = [rows * panel // panels for panel in range(panels + 1)]
    c = np.empty((rows, b.shape[1]), a.dtype)
    with ThreadPoolExecutor(panels) as threads:
        list(threads.map(lambda first, end: np.matmul(a[first:end], b, out=c[first:end]), ends[:-1], ends[1:]))
    return c
