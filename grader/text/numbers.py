"""Numbers in texts. Pure."""

from __future__ import annotations

from grader.model import Measurement


def three_digits(value: float) -> str:
    """Return three significant digits, or all digits before the decimal point: 0.123, 12.3, 27,900."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"  # noqa: PLR2004


def three_digits_with_zeros(value: float) -> str:
    """Return three significant digits, zeros included, as a column of a table shows them: 0.120, 12.0, 27,900."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:#.3g}".removesuffix(".")  # noqa: PLR2004


def speed_in_words(measurement: Measurement) -> str:
    """Return the speed of a kernel, by itself and compared with the baselines."""
    words = [f"{measurement.gflops.median:,.0f} GFLOPS"]
    if measurement.speedup is not None:
        words.append(f"{measurement.speedup.median:.2f} times the naive kernel")
    if measurement.library_fraction is not None:
        words.append(f"{100 * measurement.library_fraction.median:.1f} % of the library")
    return ", ".join(words)
