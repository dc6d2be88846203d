"""`grade init`, `grade doctor` and `grade rubric`: set up a lab and check it."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import click

from grader.cli import doctor
from grader.cli.console import GRADER_ERROR, PASSED, exit_on_error, results, say, write
from grader.cli.options import FILE, PATH
from grader.errors import UsageError
from grader.host import resources
from grader.rubric import load as rubrics


@click.command()
@click.argument("folder", type=PATH)
def init(folder: Path) -> None:
    """Copy the student template to FOLDER."""
    with exit_on_error():
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


@click.command("doctor")
def doctor_command() -> None:
    """List the available backends, and how to install missing ones.

    Exit status: 0 if at least one backend is ready, 3 otherwise.
    """
    with exit_on_error():
        findings = doctor.examine()
        results.print(doctor.table(findings))
    sys.exit(PASSED if any(finding.enables and finding.present for finding in findings) else GRADER_ERROR)


@click.group("rubric")
def rubric_group() -> None:
    """Check rubrics."""


@rubric_group.command("schema")
def rubric_schema() -> None:
    """Print the JSON Schema of rubrics, for editors.

    With `#:schema ./rubric.schema.json` as the first line of a rubric, editors complete and check its fields.
    """
    with exit_on_error():
        write(rubrics.SCHEMA.read_text(encoding="utf-8"), None)


@rubric_group.command("check")
@FILE
def rubric_check(file: Path) -> None:
    """Check the rubric FILE and report every mistake with its location."""
    with exit_on_error():
        rubric = rubrics.load(file)
        say(f"{file}: {rubric.title}, {rubric.points:g} points, no mistakes.")
