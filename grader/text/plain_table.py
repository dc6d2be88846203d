"""The tables of the terminal: a line below the header, and no other."""

from __future__ import annotations

from rich import box
from rich.table import Table


def plain_table(*, footer: bool = False) -> Table:
    """Return a table without columns and rows."""
    return Table(box=box.SIMPLE_HEAD, header_style="bold", show_edge=False, pad_edge=False, show_footer=footer)
