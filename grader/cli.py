"""The command `grade`, the only module that prints and exits: results to stdout, narration to stderr."""

from __future__ import annotations

import json
import secrets
import shlex
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn

import click
from rich.console import Console
from rich.text import Text

from grader import __version__, doctor, machine, resources, submission, terminal
from grader import rubric as rubrics
from grader.errors import InfrastructureError, UsageError
from grader.model import Backend, Report, Rubric, State, Verdict
from grader.pipeline import Plan, Tell, grade
from grader.report import json_report, junit
from grader.report.files import write_text
from grader.report.text import clean

PASSED, FELL_SHORT, WRONG_USAGE, OUR_FAULT, INTERRUPTED = 0, 1, 2, 3, 130
NOT_THEIRS = (Verdict.OK, Verdict.NOT_SUPPORTED)
BACKENDS = click.Choice(["auto", *(one.value for one in Backend)])

results = Console(highlight=False, soft_wrap=False)
narration = Console(stderr=True, highlight=False)

FILE = click.argument("file", type=click.Path(path_type=Path))
RUBRIC = click.option("--rubric", "rubric_path", type=click.Path(path_type=Path), help="The lab. Default: square.toml.")
BACKEND = click.option("--backend", type=BACKENDS, default="auto", show_default=True, help="Where to run the kernel.")
SEED = click.option(
    "--seed", type=click.IntRange(0, 2**32 - 1), help="Of the inputs, to repeat a grade. Default: a fresh one."
)


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


@main.command()
@FILE
@RUBRIC
@BACKEND
@click.option("--output", type=click.Path(path_type=Path), default=Path("grade-report"), show_default=True,
              help="Folder for report.json and junit.xml.")  # fmt: skip
@SEED
@click.option("--full", is_flag=True, help="Run every block on the simulator, at the large sizes too.")
@click.option("--junit-family", type=click.Choice(junit.FAMILIES), default="xunit2", show_default=True,
              help="xunit2 is the strict dialect; ci adds file and line of each fault.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON instead of tables.")
def run(
    file: Path,
    rubric_path: Path | None,
    backend: str,
    output: Path,
    seed: int | None,
    full: bool,
    junit_family: str,
    as_json: bool,
) -> None:
    """Grade FILE: correctness at every size, speed where there is a GPU, points, reports."""
    with _sentences():
        plan = _plan(file, rubric_path, seed, full=full)
        _check_writable(output)
        report = _grade(plan, backend, lambda one: _write(one, output, junit_family))
        if as_json:
            click.echo(json.dumps(json_report.to_dict(report), indent=2, allow_nan=False))
        else:
            results.print(terminal.summary(report))
        _narrate(Text(f"Reports: {output / 'report.json'} and {output / 'junit.xml'}"))
    sys.exit(_status(report))


@main.command()
@FILE
@RUBRIC
@BACKEND
@SEED
def check(file: Path, rubric_path: Path | None, backend: str, seed: int | None) -> None:
    """Compile FILE and check that it is right at a few small sizes. Quick, for while you work; writes nothing."""
    with _sentences():
        plan = _plan(file, rubric_path, seed, full=False)
        plan = replace(plan, sizes=plan.rubric.quick_sizes, timed=False)
        report = _grade(plan, backend, lambda _: None)
        results.print(terminal.verdict_only(report))
    sys.exit(_status(report))


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
def init(folder: Path) -> None:
    """Copy the student template to FOLDER."""
    with _sentences():
        template = resources.folder("student_template")
        present = [one.name for one in template.iterdir() if (folder / one.name).exists()]
        if present:
            sentence = f"{folder} already has {' and '.join(sorted(present))}."
            raise UsageError(sentence, "Nothing was changed. Choose another folder.")
        _copy(template, folder)
        kernel = folder / "matmul.cu"
        _say(f"Your kernel is {kernel}. Next: grade check {shlex.quote(str(kernel))}")


@main.command("doctor")
def doctor_command() -> None:
    """Say what this machine can do, and how to mend what is missing."""
    with _sentences():
        findings = doctor.examine()
        results.print(doctor.table(findings))
    sys.exit(PASSED if any(one.enables and one.present for one in findings) else OUR_FAULT)


@main.group("rubric")
def rubric_group() -> None:
    """Work on rubrics."""


@rubric_group.command("check")
@click.argument("file", type=click.Path(path_type=Path))
def rubric_check(file: Path) -> None:
    """Check the rubric FILE; every mistake is one sentence with its place."""
    with _sentences():
        rubric = rubrics.load(file)
        _say(f"{file}: {rubric.title}, {rubric.points:g} points, no mistakes.")


def _plan(file: Path, rubric_path: Path | None, seed: int | None, *, full: bool) -> Plan:
    submission.read(file)  # what cannot be read is found before anything is written
    path = rubric_path or resources.folder("rubrics") / "square.toml"
    rubric = rubrics.load(path)
    return Plan(file, rubric, _naive(rubric, path), secrets.randbits(32) if seed is None else seed, rubric.sizes, full)


def _naive(rubric: Rubric, path: Path) -> bytes:
    found = rubrics.find_kernel(rubric.naive, path.parent) if rubric.naive else None
    return found.read_bytes() if found else b""


def _grade(plan: Plan, backend: str, save: Callable[[Report], None]) -> Report:
    """Grade with live progress; `save` gets the report when it begins, when a step begins, and at the end."""
    chosen = machine.choose(None if backend == "auto" else Backend(backend))
    _narrate(terminal.machine_line(chosen))
    told: dict[str, Report] = {}
    with _progress() as show:

        def tell(report: Report, step: str) -> None:
            if step not in told:
                save(report)
            told[step] = report
            show(report, step)

        try:
            report = grade(plan, chosen, tell)
        except KeyboardInterrupt:
            if told:
                save(replace(list(told.values())[-1], state=State.INTERRUPTED))
            raise
    save(report)
    if report.infrastructure:
        _narrate(terminal.mistakes(f"The grader could not finish. {report.infrastructure}", "This costs no points."))
    return report


@contextmanager
def _progress() -> Iterator[Tell]:
    """A line that changes on a terminal; elsewhere, as in a CI job's log, a line for each size that is done."""
    if narration.is_terminal:
        with narration.status("compiling") as status:
            yield lambda report, step: status.update(Text(terminal.progress_line(report, step)))
        return
    shown = 0

    def show(report: Report, step: str) -> None:
        nonlocal shown
        lines = terminal.finished_sizes(report, step)
        for line in lines[shown:]:
            _narrate(Text(line))
        shown = len(lines)

    yield show


def _write(report: Report, output: Path, family: str) -> None:
    json_report.write(report, output / "report.json")
    write_text(output / "junit.xml", junit.render(report, family))


def _check_writable(output: Path) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
        probe = output / ".write-probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UsageError(
            f"{output} cannot be written: {error.strerror}.", "Name another folder with --output."
        ) from error


def _copy(template: Path, folder: Path) -> None:
    try:
        shutil.copytree(template, folder, dirs_exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror or error}.", "Name another folder.") from error


def _status(report: Report) -> int:
    if report.state is not State.FINISHED:
        return OUR_FAULT
    verdicts = [one.verdict for one in report.results] + ([report.fault.verdict] if report.fault else [])
    if any(verdict not in NOT_THEIRS for verdict in verdicts):
        return FELL_SHORT
    return OUR_FAULT if Verdict.NOT_SUPPORTED in verdicts else PASSED


@contextmanager
def _sentences() -> Iterator[None]:
    """Every failure as a sentence with its exit status, and never a traceback."""
    try:
        yield
    except UsageError as error:
        _fail(error.sentence, error.hint, WRONG_USAGE)
    except InfrastructureError as error:
        _fail(error.sentence, error.hint, OUR_FAULT)
    except KeyboardInterrupt:
        _fail("Interrupted, so there is no grade.", "Run the command again when you have time for it.", INTERRUPTED)
    except BrokenPipeError:  # whoever read our output has left
        raise
    except Exception as error:  # the last line: a defect of ours is a sentence too
        sentence = f"The grader has a defect: {type(error).__name__}: {error}"
        _fail(sentence, "Please report it with the file that you graded.", OUR_FAULT)


def _fail(sentence: str, hint: str, status: int) -> NoReturn:
    _narrate(terminal.mistakes(sentence, hint))
    sys.exit(status)


def _narrate(text: Text) -> None:
    """Words are wrapped on a terminal only: a log is searched line by line."""
    narration.print(text, soft_wrap=not narration.is_terminal)


def _say(sentence: str) -> None:
    results.print(Text(clean(sentence)), soft_wrap=True)


def _interrupt(_signal: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt
