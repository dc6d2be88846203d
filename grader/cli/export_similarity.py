"""`grade export similarity`: the files of a class for a program that finds similar ones."""

from __future__ import annotations

from pathlib import Path

import click

from grader.batch.intake import collect
from grader.cli.console import check_writable, exit_on_error, say
from grader.cli.options import PATH
from grader.errors import UsageError
from grader.export import similarity
from grader.host.atomic_write import write_bytes
from grader.judge import submission


@click.command("similarity")
@click.argument("sources", type=PATH, nargs=-1, required=True)
@click.option("--starter", type=PATH, help="File that every student was given; it does not count as similar.")
@click.option("--output", type=PATH, default=Path("similarity"), show_default=True, help="New folder to write.")
def similarity_command(sources: tuple[Path, ...], starter: Path | None, output: Path) -> None:
    """JPlag and copydetect: a folder of all submissions.

    SOURCES are those of `grade batch`. Save the result of the program in the results folder, as similarity.html or
    similarity.jplag, and the class page links to it.
    """
    with exit_on_error():
        given = (starter.name, submission.read(starter)) if starter else None
        students = [student for student in collect.collect(*sources) if student.content]
        if output.exists() and any(output.iterdir()):
            raise UsageError(f"{output} is not empty.", "Name a new folder with --output.")
        check_writable(output)
        files = similarity.layout(((each.student, each.file, each.content) for each in students), given)
        for path, content in files.items():
            (output / path).parent.mkdir(parents=True, exist_ok=True)
            write_bytes(output / path, content)
        jplag, copydetect = similarity.commands(starter=bool(given))
        say(f"{len(students)} files are in {output}. There, run one of")
        say(f"    {jplag}")
        say(f"    {copydetect}")
