"""CSV for spreadsheets: reading tables from outside, and writing cells that a spreadsheet does not run as formulas."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from json import detect_encoding
from pathlib import Path

from grader.errors import UsageError
from grader.text.clean import one_line

# OWASP, "CSV Injection": characters with which a formula begins, also in the full width of East Asian scripts.
STARTS_FORMULA = ("=", "+", "-", "@", "\t", "\r")
DELIMITERS = ",;\t"  # spreadsheets write semicolons where numbers have a decimal comma
HINT = "Save or export it as CSV in UTF-8."
LONGEST_CELL = 500  # characters of free text


@dataclass(frozen=True, slots=True)
class CsvTable:
    """A table whose rows have at least as many cells as its header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    delimiter: str = ","


def read(path: Path, *, strict: bool = True) -> CsvTable:
    """Read a CSV file as `parse` does. Raises UsageError if it cannot be read as text in Unicode, or as CSV."""
    try:
        content = path.read_bytes()
        return parse(content.decode(detect_encoding(content)), str(path), strict=strict)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.", "Check the spelling of its path.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text.", HINT) from error


def parse(text: str, name: str, *, strict: bool = True) -> CsvTable:
    """Return the table, without blank lines; short rows get empty cells.

    The delimiter is the one that the header contains most often.

    With `strict`, wrong quotes are errors. Raises UsageError, which calls the table `name`.
    """
    header = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=header.count)
    try:
        lines = [
            tuple(row) for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict) if row
        ]
    except csv.Error as error:
        raise UsageError(f"{name} is not CSV: {error}.", HINT) from error
    if not lines:
        raise UsageError(f"{name} is empty.", HINT)
    width = len(lines[0])
    return CsvTable(lines[0], tuple(row + ("",) * (width - len(row)) for row in lines[1:]), delimiter)


def neutral(text: str) -> str:
    """Return `text` so that a spreadsheet shows it and never runs it. For free text only, not for numbers or IDs."""
    return f"'{text}" if unicodedata.normalize("NFKC", text[:1]).startswith(STARTS_FORMULA) else text


def free_text(text: str) -> str:
    """Return a text as one line of bounded length that a spreadsheet never runs."""
    return neutral(one_line(text, LONGEST_CELL))


def document(rows: Iterable[Sequence[str]], delimiter: str = ",") -> str:
    """Return the rows as CSV, every cell unchanged, with the line ends of RFC 4180."""
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return written.getvalue()
