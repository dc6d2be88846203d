"""Numbers in the texts of a study. Pure."""

from __future__ import annotations


def three_digits(value: float) -> str:
    """Return three significant digits, or all digits before the decimal point: 0.123, 12.3, 27,900."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"  # noqa: PLR2004
