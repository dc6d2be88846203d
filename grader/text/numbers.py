"""Numbers in texts. Pure."""

from __future__ import annotations


def three_digits(value: float) -> str:
    """Return three significant digits, or all digits before the decimal point: 0.123, 12.3, 27,900."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"  # noqa: PLR2004


def three_digits_with_zeros(value: float) -> str:
    """Return three significant digits, zeros included, as a column of a table shows them: 0.120, 12.0, 27,900."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:#.3g}".removesuffix(".")  # noqa: PLR2004
