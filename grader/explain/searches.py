"""What is said of the search for data races and reads of unset memory beside a device that shows none."""

from __future__ import annotations

from grader.contract.inputs import CHECKED, watched
from grader.errors import InfrastructureError
from grader.model import Backend, Case, Launch

ALL_BLOCKS, SOME_BLOCKS = "all blocks", "some blocks, drawn anew for each grade"
OTHER_ANSWER = "The simulator computes a wrong C, and no check shows why. The result on the GPU counts."


def blocks_searched(case: Case, launch: Launch, backend: Backend) -> str:
    """Say which blocks of a checked launch are searched: compute-sanitizer watches all. Nothing of other launches."""
    if case.run != CHECKED:
        return ""
    every, _ = watched(case, launch.grid(case.shape), launch.threads)
    return ALL_BLOCKS if backend.capabilities.has_sanitizer or every == 1 else SOME_BLOCKS


def not_searched(why: str) -> str:
    """Say why nothing was searched for."""
    return f"Data races and reads of unset memory were not searched for: {why}"


def only_large(largest: int) -> str:
    """Say that no size can be searched."""
    return not_searched(f"every size of this lab is larger than {largest}.")


def failed(error: InfrastructureError, reason: str = "") -> str:
    """Say that a search failed, and for what `reason` it was the one."""
    return not_searched(f"{reason} {error.sentence} {error.hint}".strip())


def by_compute_sanitizer(reason: str) -> str:
    """Say for what `reason` compute-sanitizer searched, and what it does not search for."""
    return (
        f"Searched by compute-sanitizer, because {reason} Not searched for: data races in global memory, and reads of "
        "shared memory, local arrays and registers that were never set."
    )
