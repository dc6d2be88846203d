"""The processors that may be used here: a class, a batch system or `taskset` allows fewer than the machine has."""

from __future__ import annotations

import os


def allowed() -> frozenset[int]:
    """Their numbers, for the thread that asks; all of the machine's where the system does not say (macOS)."""
    if hasattr(os, "sched_getaffinity"):
        return frozenset(os.sched_getaffinity(0))
    return frozenset(range(os.cpu_count() or 1))
