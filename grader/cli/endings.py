"""How a command ends: results to stdout, narration to stderr, every failure one sentence with its exit status."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from rich.console import Console
from rich.text import Text

from grader.cli import terminal
from grader.errors import InfrastructureError, UsageError
from grader.model import Report, State, Verdict
from grader.text.clean import clean

PASSED, FELL_SHORT, WRONG_USAGE, OUR_FAULT, INTERRUPTED = 0, 1, 2, 3, 130

results = Console(highlight=False, soft_wrap=False)
narration = Console(stderr=True, highlight=False)


def status(report: Report) -> int:
    """Return the exit status that a report ends with."""
    if report.state is not State.FINISHED:
        return OUR_FAULT
    verdicts = [one.verdict for one in report.results] + ([report.fault.verdict] if report.fault else [])
    if any(verdict.is_students_fault for verdict in verdicts):
        return FELL_SHORT
    return OUR_FAULT if Verdict.NOT_SUPPORTED in verdicts else PASSED


@contextmanager
def sentences() -> Iterator[None]:
    """Every failure as a sentence with its exit status, and never a traceback."""
    try:
        yield
    except UsageError as error:
        fail(error.sentence, error.hint, WRONG_USAGE)
    except InfrastructureError as error:
        fail(error.sentence, error.hint, OUR_FAULT)
    except KeyboardInterrupt:
        fail("Interrupted, so there is no grade.", "Run the command again when you have time for it.", INTERRUPTED)
    except BrokenPipeError:  # whoever read our output has left
        raise
    except Exception as error:  # the last line: a defect of ours is a sentence too
        sentence = f"The grader has a defect: {type(error).__name__}: {error}"
        fail(sentence, "Please report it with the file that you graded.", OUR_FAULT)


def fail(sentence: str, hint: str, status: int) -> NoReturn:
    """Say what went wrong and what to try, and end."""
    narrate(terminal.mistakes(sentence, hint))
    sys.exit(status)


def narrate(text: Text) -> None:
    """Words are wrapped on a terminal only: a log is searched line by line."""
    narration.print(text, soft_wrap=not narration.is_terminal)


def say(sentence: str) -> None:
    """Print a result."""
    results.print(Text(clean(sentence)), soft_wrap=True)


def check_writable(output: Path) -> None:
    """Make the folder. Raises UsageError where nothing can be written into it."""
    try:
        output.mkdir(parents=True, exist_ok=True)
        probe = output / ".write-probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UsageError(
            f"{output} cannot be written: {error.strerror}.", "Name another folder with --output."
        ) from error
