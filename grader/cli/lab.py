"""`grade init`, `grade lab` and `grade rubric`: set up a lab and check it."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import click

from grader.cli.console import check_writable, exit_on_error, say, write
from grader.cli.options import FILE, OUTPUT_FILE, PATH
from grader.errors import UsageError
from grader.host import resources
from grader.host.atomic_write import write_bytes
from grader.judge import submission
from grader.rubric import course_files, labs, proposal
from grader.rubric import load as rubrics
from grader.rubric.rounding import shown, total


@click.command()
@click.argument("folder", type=PATH)
@click.option("--lab", default=labs.DEFAULT, show_default=True, help="Name of the lab: see `grade lab list`.")
def init(folder: Path, lab: str) -> None:
    """Start a lab in FOLDER.

    Copies the lab's naive kernel and a README; for the default lab also workflows and a notebook.
    """
    with exit_on_error():
        if lab != labs.DEFAULT:
            _start(folder, lab)
            return
        template = resources.folder("student_template")
        present = sorted(file.name for file in template.iterdir() if (folder / file.name).exists())
        if present:
            sentence = f"{folder} already contains {' and '.join(present)}."
            raise UsageError(sentence, "Nothing was changed. Choose another folder.")
        try:
            shutil.copytree(template, folder, dirs_exist_ok=True)
        except OSError as error:
            sentence = f"{folder} cannot be written: {error.strerror or error}."
            raise UsageError(sentence, "Name another folder.") from error
        kernel = folder / "matmul.cu"
        say(f"Your kernel is {kernel}. Next: grade check {shlex.quote(str(kernel))}")


def _start(folder: Path, lab: str) -> None:
    """Write the starter of a lab. Raises UsageError if a file is there already."""
    files = labs.starter(lab)
    if present := sorted(name for name in files if (folder / name).exists()):
        sentence = f"{folder} already contains {' and '.join(present)}."
        raise UsageError(sentence, "Nothing was changed. Choose another folder.")
    check_writable(folder)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_bytes(folder / name, content)
    kernel = shlex.quote(str(folder / "matmul.cu"))
    say(f"Your kernel is {folder / 'matmul.cu'}. Next: grade check {kernel} --rubric {lab}")


@click.group("lab")
def lab_group() -> None:
    """List the labs that come with the grader."""


@lab_group.command("list")
def lab_list() -> None:
    """List the name and the title of every lab.

    A name can be given to --rubric, and to `grade init --lab`.
    """
    with exit_on_error():
        for name, title in labs.titles():
            say(f"{name:<22}{title}")


@click.group("rubric")
def rubric_group() -> None:
    """Check and list rubrics."""


rubric_group.add_command(lab_list)


@rubric_group.command("schema")
def rubric_schema() -> None:
    """Print the JSON Schema of rubrics, for editors.

    With `#:schema ./rubric.schema.json` as the first line of a rubric, editors complete and check its fields.
    """
    with exit_on_error():
        write(rubrics.SCHEMA.read_text(encoding="utf-8"), None)


@rubric_group.command("from")
@click.argument("file", type=PATH)
@click.option("--kernel", default="", help="The kernel, if the file has several.")
@OUTPUT_FILE
def rubric_from(file: Path, kernel: str, output: Path | None) -> None:
    """Propose a rubric for the program FILE, from its kernel and the launch in its host code.

    What is not certain is in comments that begin with "To check".
    """
    with exit_on_error():
        source = submission.read(file).decode("utf-8", "replace")
        write(proposal.proposed(source, kernel, course_files.beside(file, source)), output)


@rubric_group.command("check")
@FILE
def rubric_check(file: Path) -> None:
    """Check the rubric FILE, or the lab of that name, and report every mistake with its location."""
    with exit_on_error():
        rubric = rubrics.load(labs.rubric_at(file))
        say(f"{file}: {rubric.title}, {shown(total(each.points for each in rubric.criteria))} points, no mistakes.")
