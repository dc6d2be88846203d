"""The tables of the terminal: a line below the header, and no other."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.table import Column, Table
from rich.text import Text


def plain_table(*columns: Column | str, footer: bool = False) -> Table:
    """Return a table without rows."""
    return Table(
        *columns, box=box.SIMPLE_HEAD, header_style="bold", show_edge=False, pad_edge=False, show_footer=footer
    )


def numbers(*headings: str, no_wrap: bool = False) -> Iterator[Column]:
    """Yield columns whose cells end at the right."""
    return (Column(Text(heading), justify="right", no_wrap=no_wrap) for heading in headings)
