"""The command `grade`, the only package that prints and exits. One module for each group of commands."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from io import TextIOWrapper
from typing import NoReturn

import click

from grader import __version__
from grader.host import blas_threads

# Where each command is. A module is imported when its command is called: drawing alone takes half a second.
COMMANDS = {
    "run": ("grading", "run"),
    "check": ("grading", "check"),
    "sweep": ("sweep", "sweep_command"),
    "batch": ("batch", "batch"),
    "export": ("export", "export"),
    "report": ("report", "report_command"),
    "init": ("lab", "init"),
    "doctor": ("lab", "doctor_command"),
    "rubric": ("lab", "rubric_group"),
}
JUDGES = ("run", "check")  # a sweep measures BLAS, as it is


class _Commands(click.Group):
    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        if name in JUDGES:
            for variable, value in blas_threads.PATIENCE.items():
                os.environ.setdefault(variable, value)
        module, attribute = COMMANDS[name]
        command: click.Command = getattr(importlib.import_module(f"grader.cli.{module}"), attribute)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
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
