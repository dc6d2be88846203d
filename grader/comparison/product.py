"""Matrix products on the CPU. BLAS computes each in the calling thread (host/blas_threads.py)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.host import cpu_affinity

# Rows of A that a thread multiplies, at least: at N = 2048, 0.1 s of one core, in which B is packed in 2 ms.
PANEL = 512


def product(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """A times B (M x K times K x N, of one type), with the rows of A divided among the CPUs."""
    rows = a.shape[0]
    panels = max(1, min(len(cpu_affinity.allowed()), rows // PANEL))
    ends = [rows * panel // panels for panel in range(panels + 1)]
    c = np.empty((rows, b.shape[1]), a.dtype)
    with ThreadPoolExecutor(panels) as threads:
        list(threads.map(lambda first, end: np.matmul(a[first:end], b, out=c[first:end]), ends[:-1], ends[1:]))
    return c
