"""What every command of `grade export` has: a report to read, and a text to write."""

from __future__ import annotations

from pathlib import Path

import click

from grader.host.atomic_write import write_text

REPORT = click.argument("report", type=click.Path(path_type=Path))
OUTPUT = click.option("--output", type=click.Path(path_type=Path), help="File to write. Default: standard output.")


def write(text: str, output: Path | None) -> None:
    """Write to the file, or to standard output where there is none."""
    if output is None:
        click.echo(text, nl=False)
    else:
        write_text(output, text)
