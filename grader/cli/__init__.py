"""The command `grade`, the only package that prints and exits. One module for each group of commands."""

from __future__ import annotations

import signal
import sys
from io import TextIOWrapper
from typing import NoReturn

import click

from grader import __version__
from grader.cli import batch, export, grading, lab, report, sweep


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="grade")
def main() -> None:
    """Grade CUDA matrix-multiplication labs: is it right, how fast is it, how many points is that, and why.

    Exit status: 0 passed, 1 the submission fell short, 2 wrong usage, 3 a fault of the grader or the machine.
    """
    for ending in (signal.SIGTERM, signal.SIGHUP):  # end as Ctrl-C does, with no worker and no box left behind
        if signal.getsignal(ending) is not signal.SIG_IGN:  # nohup
            signal.signal(ending, _interrupt)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a file's name may hold what the terminal cannot show


def _interrupt(_signal: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt


for command in (
    grading.run,
    grading.check,
    sweep.sweep_command,
    batch.batch,
    export.export,
    report.report_command,
    lab.init,
    lab.doctor_command,
    lab.rubric_group,
):
    main.add_command(command)
