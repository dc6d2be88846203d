"""A problem, how it shows in the counters, and what a launch demands once it is solved. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from grader.advice.situation import Situation
from grader.advice.work import Work


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that the counters show. `after` is the work without it; `wasted` a factor on the whole time.

    `waits` is whether threads wait because of it: then what no bound explains of the measured time may disappear too.
    """

    name: str
    line: int
    evidence: str
    change: str
    after: Work
    wasted: float = 1.0
    waits: bool = False


Rule = Callable[[Situation], Problem | None]


def without(work: Work, **parts: float) -> Work:
    """Return the work with these parts of it replaced."""
    return replace(work, **parts)  # type: ignore[arg-type]  # blocks are given as int
