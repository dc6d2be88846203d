"""The CPUs that this process may use: a class, a batch system or `taskset` may allow fewer than the machine has."""

from __future__ import annotations

import os


def allowed() -> frozenset[int]:
    """Their numbers, for the calling thread; all CPUs of the machine on systems that do not tell (macOS)."""
    if hasattr(os, "sched_getaffinity"):
        return frozenset(os.sched_getaffinity(0))
    return frozenset(range(os.cpu_count() or 1))
