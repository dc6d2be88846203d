"""Cells of a CSV file that a person opens in a spreadsheet: RFC 4180, and free text that it does not run."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

# OWASP, "CSV Injection": what makes a spreadsheet take a cell for a formula.
STARTS_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def neutral(text: str) -> str:
    """Return `text` so that a spreadsheet shows it and never runs it. For free text: no numbers, no IDs."""
    return f"'{text}" if text.startswith(STARTS_FORMULA) else text


def document(rows: Iterable[Sequence[str]], delimiter: str = ",") -> str:
    """Return the rows as one CSV text, every cell as it is given, lines ended as RFC 4180 says."""
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return written.getvalue()
