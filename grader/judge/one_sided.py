"""Whether most errors lie on one side, where rounding in one direction leaves them. Pure."""

from __future__ import annotations

import numpy as np

from grader.judge.compare import Comparison

LEAST = 0.65  # of the elements; rounding towards zero leaves 0.8, because a sum may change its sign
LEAST_SIGNIFICANCE = 8.0  # standard deviations of the share, which is a half where errors cancel


def one_sided(comparison: Comparison) -> str:
    """Return how most elements of C differ from exact ones, with their share; empty where neither side has most."""
    looked = comparison.looked & np.isfinite(comparison.got) & (comparison.got != comparison.want)
    error, want = (comparison.got - comparison.want)[looked], comparison.want[looked]
    sides = {"too close to zero": error * want < 0, "too small": error < 0, "too large": error > 0}
    side, marked = max(sides.items(), key=lambda named: int(named[1].sum()))
    share = float(marked.mean()) if marked.size else 0.0
    significant = (share - 0.5) * 2 * np.sqrt(marked.size) >= LEAST_SIGNIFICANCE
    return f"{share:.0%} of the elements are {side}" if share >= LEAST and significant else ""
