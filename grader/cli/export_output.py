"""The output of every command of `grade export`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.host.atomic_write import write_text


def write(text: str, output: Path | None) -> None:
    """Write to the file, or to standard output if there is none."""
    if output is None:
        click.echo(text, nl=False)
    else:
        write_text(output, text)
