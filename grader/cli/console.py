"""Output of a command and how it ends: results on stdout, progress on stderr, every failure as one sentence."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NoReturn

import click
from rich.console import Console, RenderableType
from rich.text import Text

from grader.errors import InfrastructureError, NotGradableHereError, UsageError, refusal
from grader.host.atomic_write import write_bytes, write_text
from grader.text.clean import clean

PASSED, FAILED, WRONG_USAGE, GRADER_ERROR, NOT_HERE, INTERRUPTED = 0, 1, 2, 3, 4, 130
results = Console(highlight=False)
narration = Console(stderr=True, highlight=False)
if not results.is_terminal:
    results.width = 10_000  # of a file or a pipe, which is read line by line


@contextmanager
def exit_on_error() -> Iterator[None]:
    """Print every exception as a sentence and exit with its status; never show a traceback."""
    try:
        yield
    except UsageError as error:
        fail(error.sentence, error.hint, WRONG_USAGE)
    except NotGradableHereError as error:
        fail(error.sentence, error.hint, NOT_HERE)
    except InfrastructureError as error:
        fail(error.sentence, error.hint, GRADER_ERROR)
    except KeyboardInterrupt:
        fail("Interrupted, so there is no result.", "Run the same command again.", INTERRUPTED)
    except BrokenPipeError:  # the program that read our output has ended
        raise
    except Exception as error:
        if failed := refusal(error):
            fail(failed.sentence, failed.hint, GRADER_ERROR)
        sentence = f"This is a bug in the grader: {type(error).__name__}: {error}"
        fail(sentence, "Please report it together with the file that you graded.", GRADER_ERROR)


def fail(sentence: str, hint: str, status: int) -> NoReturn:
    """Print what went wrong and what to try, and exit."""
    narrate(error_message(sentence, hint))
    sys.exit(status)


def error_message(sentence: str, hint: str) -> Text:
    """Return an error message followed by what to try."""
    text = Text(clean(sentence), style="red")
    return text.append(f"\n{clean(hint)}", style="default") if hint else text


def narrate(text: str | Text) -> None:
    """Print progress. Lines are wrapped on a terminal only, because a log is searched line by line."""
    narration.print(Text(text) if isinstance(text, str) else text, soft_wrap=not narration.is_terminal)


@contextmanager
def running(words: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """Show what is done and for how long, in one line of a terminal; of a known total also how much, with a bar.

    Yield what changes the `description`, the number `completed`, and the words on the time that is `left`.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.table import Column

    cut = Column(ratio=1 if total else None, no_wrap=True, overflow="ellipsis")
    described = TextColumn("{task.description}", markup=False, table_column=cut)
    columns = (described, BarColumn(10), MofNCompleteColumn()) if total else (SpinnerColumn(), described)
    left = TextColumn("{task.fields[left]}")  # Rich's own estimate forgets what is older than half a minute
    shown = Progress(*columns, TimeElapsedColumn(), left, console=narration, transient=True, expand=bool(total))
    with shown:
        yield partial(shown.update, shown.add_task(words, total=total, left=""))


def say(sentence: str) -> None:
    """Print a sentence as a result."""
    show(Text(clean(sentence)))


def show(result: RenderableType) -> str:
    """Print a result and return what was printed. Lines are wrapped on a terminal only, as those of `narrate`."""
    with results.capture() as shown:
        results.print(result)
    printed = "\n".join(line.rstrip(" ") for line in shown.get().split("\n"))
    results.file.write(printed)
    results.file.flush()
    return printed


def write(text: str, output: Path | None) -> None:
    """Write a text to the file, or to standard output if there is none."""
    if output is None:
        click.echo(text, nl=False)
    else:
        write_text(output, text)


def write_into_new(output: Path, files: Mapping[PurePosixPath, bytes]) -> None:
    """Write files into a new folder. Raises UsageError if there are others in it, or if it cannot be written."""
    if output.exists() and any(output.iterdir()):
        raise UsageError(f"{output} is not empty.", "Name a new folder with --output.")
    write_files(output, files)


def write_files(folder: Path, files: Mapping[PurePosixPath, bytes]) -> None:
    """Write files into a folder. Raises UsageError if it cannot be written."""
    check_writable(folder)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_bytes(folder / name, content)


def check_writable(output: Path) -> None:
    """Create the folder. Raises UsageError if no file can be written to it."""
    try:
        output.mkdir(parents=True, exist_ok=True)
        probe = output / ".write-probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        why = "it is a file" if output.is_file() else error.strerror
        raise UsageError(f"{output} cannot be written: {why}.", "Name another folder.") from error
