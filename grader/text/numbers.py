"""Numbers as a study writes them. Pure."""

from __future__ import annotations


def figures(value: float) -> str:
    """Three significant digits, and of a large number all before the point: 0.123, 12.3, 27,900."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"  # noqa: PLR2004
