"""The command `grade`, the only package that prints and exits. One module for each group of commands."""

import importlib
import os
import re
import shlex
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

import click

from grader import __version__
from grader.cli import remembered
from grader.errors import InfrastructureError, did_you_mean
from grader.host import cpus, granted, interpreter, interrupts

# Module, attribute and short help of each command. `grade --help` imports none of them, because numpy and the drawing
# library take a second.
COMMANDS = {
    "run": ("grading", "run", "Grade FILE and write the reports."),
    "check": ("checking", "check", "Check each FILE quickly at a few small sizes."),
    "sweep": ("sweep", "sweep_command", "Measure kernels at many sizes and with many macro values."),
    "batch": ("batch", "batch", "Grade a whole class."),
    "history": (
        "earlier",
        "history",
        "List the attempts of STUDENT in a class, and what changed from each to the next.",
    ),
    "export": ("export", "export", "Convert a grade for a learning platform or CI service."),
    "report": ("earlier", "report_command", "Write report.html from REPORT, a report.json file."),
    "compare": ("earlier", "compare", "Compare two kernels or reports: verdicts, points, speed and counters."),
    "init": ("lab", "init", "Start a lab in FOLDER."),
    "lab": ("lab", "lab_group", "List the labs that come with the grader."),
    "doctor": ("doctor", "doctor_command", "Grade the starter kernel with each backend, and list what is missing."),
    "rubric": ("lab", "rubric_group", "Check and propose rubrics."),
}
WRONG_USAGE, GRADER_ERROR, INTERRUPTED = 2, 3, 130
LIST = "To list the commands, run: grade --help"
LEAST_MEMORY = 256 << 20  # bytes; no kernel is graded with less, and a library that finds none ends the process
AT_THE_BEGINNING = "Interrupted before anything was done."
WITH_WORKERS = (("run",), ("check",), ("rubric", "check"))
WIDTH = re.compile("[1-9][0-9]{1,3}")  # what COLUMNS and LINES may say; at 0, nothing would be shown
JUDGES = ("run", "check", "compare", "rubric")  # not `sweep`, which measures BLAS with its default settings


def _end(sentence: str, status: int = INTERRUPTED) -> NoReturn:
    """End the command before it can do anything, or after an interrupt."""
    sys.stderr.write(f"{sentence}\n")
    raise SystemExit(status) from None


def _check_surroundings() -> None:
    """End the command in a folder that is gone or without memory, and forget sizes that no terminal has."""
    try:
        Path.cwd()
    except OSError as error:
        _end(f"The folder that you are in cannot be used: {error.strerror}.\nChange to another one.", GRADER_ERROR)
    try:
        granted.check_memory(LEAST_MEMORY)
    except InfrastructureError as error:
        _end(f"{error.sentence}\n{error.hint}", GRADER_ERROR)
    for name in ("COLUMNS", "LINES"):
        if not WIDTH.fullmatch(os.environ.get(name, "")):
            os.environ.pop(name, None)


def _loaded(module: str, attribute: str) -> Any:
    """Return an attribute of a module of this package, which is loaded now; an interrupt meanwhile ends the command."""
    try:
        return getattr(importlib.import_module(f"grader.cli.{module}"), attribute)
    except BaseException as error:
        if not interrupts.caused(error):
            raise
        _end(AT_THE_BEGINNING)


class _Commands(click.Group):
    asked: Sequence[str] = ()  # the words of the command line

    def main(self, *words: Any, **settings: Any) -> Any:
        """Run the command. Signals are handled before its modules are loaded, which takes a second."""
        interrupts.handle()
        given = words[0] if words else settings.get("args")
        self.asked = sys.argv[1:] if given is None else given
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")  # file names may hold characters that the terminal cannot show
        _check_surroundings()
        try:
            check = remembered.begin(self.asked)
        except KeyboardInterrupt:
            _end(AT_THE_BEGINNING)
        return super().main(*words, obj=check, **settings)

    def invoke(self, context: click.Context) -> Any:
        """Run the command, unless a check is remembered.

        Click would report an interrupt that none of its parts expects as a failed submission.
        """
        try:
            if context.obj and (status := remembered.replay(context.obj)) is not None:
                context.exit(status)
            if any(words == tuple(self.asked[: len(words)]) for words in WITH_WORKERS):
                _loaded("early_start", "begin")(self.asked)
            return super().invoke(context)
        except KeyboardInterrupt:
            _end("Interrupted.")

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, short_help) for name, (_, _, short_help) in COMMANDS.items()])

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            if context.resilient_parsing or name.startswith("-"):
                return None
            check = f"To check the file, run: grade check {shlex.quote(name)}" if Path(name).is_file() else LIST
            _end(f"There is no command {name}.\n{did_you_mean(name, COMMANDS, check)}", WRONG_USAGE)
        if name in JUDGES:
            for variable, value in cpus.ONE_BLAS_THREAD.items():
                os.environ.setdefault(variable, value)
        module, attribute, _ = COMMANDS[name]
        command: click.Command = _loaded(module, attribute)
        interpreter.resume_garbage_collection()
        interpreter.shorten_switch_interval()
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="grade")
def main() -> None:
    """Grade CUDA matrix-multiplication labs.

    Checks a student's kernel, measures its speed on a GPU, computes points from a rubric, and explains every mistake.

    Exit status: 0 if the submission passed, 1 if it failed, 2 for a wrong command line or rubric, 3 for an error of the
    grader or the machine, 4 if this machine cannot grade the submission and another can, 130 if interrupted.
    """
