"""The CPUs that this process may use: a class, a batch system or `taskset` may allow fewer than the machine has."""

from __future__ import annotations

import os


def allowed() -> frozenset[int]:
    """Return the numbers of the CPUs that the calling thread may use; all CPUs on systems that do not say (macOS)."""
    if hasattr(os, "sched_getaffinity"):
        return frozenset(os.sched_getaffinity(0))
    return frozenset(range(os.cpu_count() or 1))
