"""What a function that calls itself has in registers and parameters, which are the same ones in each call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.worker.replay.threads import Who

Rows: TypeAlias = "NDArray[np.generic]"  # one for each thread


@dataclass(slots=True)
class KeptFrames:
    """Rows of threads as they were when these called a function again, by the function and the depth of the call."""

    _kept: dict[tuple[str, int], list[tuple[Who, list[tuple[Rows, Rows]]]]] = field(default_factory=dict)

    def keep(self, name: str, depth: int, who: Who, every: Iterable[Rows]) -> None:
        """Keep the rows of some threads."""
        self._kept.setdefault((name, depth), []).append((who, [(rows, rows[who]) for rows in every]))

    def restore(self, name: str, depth: int, who: Who) -> None:
        """Give threads back what they had, where they called the function again."""
        waiting = []
        for owners, kept in self._kept.pop((name, depth), []):
            returns = np.isin(owners, who)
            for rows, before in kept:
                rows[owners[returns]] = before[returns]
            if not returns.all():
                waiting.append((owners[~returns], [(rows, before[~returns]) for rows, before in kept]))
        if waiting:
            self._kept[name, depth] = waiting
