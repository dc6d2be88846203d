"""`grade init`, `grade doctor` and `grade rubric`: what surrounds a grade."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import click

from grader.cli import doctor
from grader.cli.endings import OUR_FAULT, PASSED, results, say, sentences
from grader.errors import UsageError
from grader.host import resources
from grader.rubric import load as rubrics


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def init(folder: Path) -> None:
    """Copy the student template to FOLDER."""
    with sentences():
        template = resources.folder("student_template")
        present = [one.name for one in template.iterdir() if (folder / one.name).exists()]
        if present:
            sentence = f"{folder} already has {' and '.join(sorted(present))}."
            raise UsageError(sentence, "Nothing was changed. Choose another folder.")
        _copy(template, folder)
        kernel = folder / "matmul.cu"
        say(f"Your kernel is {kernel}. Next: grade check {shlex.quote(str(kernel))}")


@click.command("doctor")
def doctor_command() -> None:
    """Say what this machine can do, and how to mend what is missing."""
    with sentences():
        findings = doctor.examine()
        results.print(doctor.table(findings))
    sys.exit(PASSED if any(one.enables and one.present for one in findings) else OUR_FAULT)


@click.group("rubric")
def rubric_group() -> None:
    """Work on rubrics."""


@rubric_group.command("check")
@click.argument("file", type=click.Path(path_type=Path))
def rubric_check(file: Path) -> None:
    """Check the rubric FILE; every mistake is one sentence with its place."""
    with sentences():
        rubric = rubrics.load(file)
        say(f"{file}: {rubric.title}, {rubric.points:g} points, no mistakes.")


def _copy(template: Path, folder: Path) -> None:
    try:
        shutil.copytree(template, folder, dirs_exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror or error}.", "Name another folder.") from error
