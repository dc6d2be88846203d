"""`grade init`, `grade lab` and `grade rubric`: set up a lab and check it."""

import shlex
from pathlib import Path, PurePosixPath

import click

from grader.batch.intake import own_files
from grader.cli.console import exit_on_error, narrate, say, write, write_files
from grader.cli.options import ALLOW_UNCONFINED, FILE, OUTPUT_FILE, PATH, complete_labs, confine
from grader.errors import InfrastructureError, UsageError
from grader.host import installation
from grader.judge import rubric_kernel, submission
from grader.judge.conditions import Conditions
from grader.judge.other_calls import Trying
from grader.model import WITHOUT_GPU, Rubric
from grader.rubric import course_files, labs, proposal
from grader.rubric import load as rubrics
from grader.rubric.labs import OWN_RUBRIC
from grader.rubric.rounding import shown, total
from grader.rubric.starter import starter
from grader.sandbox import launchers

SQUARES = " Where M, N and K are equal, their order does not show: add a size such as [64, 128, 256]."
NAMES = 22  # columns of a list
NO_KERNEL = ". It names no naive kernel; --kernel FILE tries one."


@click.command()
@click.argument("folder", type=PATH)
@click.option("--lab", default=labs.DEFAULT, show_default=True, shell_complete=complete_labs,
              help="Name of the lab, see `grade lab list`, or its rubric.")  # fmt: skip
def init(folder: Path, lab: str) -> None:
    """Start a lab in FOLDER.

    Copies the lab's naive kernel, or the declaration of one, a README, and what grades every push; of a lab of your own
    also its rubric, and of the default lab a notebook.
    """
    with exit_on_error():
        files = starter(Path(lab))
        if present := sorted(name for name in files if (folder / name).exists()):
            sentence = f"{folder} already contains {', '.join(present)}."
            raise UsageError(sentence, "Nothing was changed. Choose another folder.")
        write_files(folder, {PurePosixPath(name): content for name, content in files.items()})
        say(f"{folder} has {', '.join(sorted(files))}.")
        if OWN_RUBRIC in files and (naive := rubrics.load(Path(lab)).naive):
            say(f"Students get {naive}, the naive kernel of {lab}, and start with a copy of it: matmul.cu.")
        kernel = folder / "matmul.cu"
        is_default = OWN_RUBRIC in files or lab == labs.DEFAULT
        words = shlex.join(["grade", "check", str(kernel), *([] if is_default else ["--rubric", lab])])
        say(f"Your kernel is {kernel}. Next: {words}")


@click.group("lab")
def lab_group() -> None:
    """List the labs that come with the grader."""


@lab_group.command("list")
def lab_list() -> None:
    """List every lab, its types, sizes and parameters.

    A name can be given to --rubric, and to `grade init --lab`.
    """
    with exit_on_error():
        for name in labs.names():
            lab = rubrics.load(labs.rubric(name))
            called, is_default = lab.interface, " (default)" if name == labs.DEFAULT else ""
            types = ", ".join(dict.fromkeys(called.types.values()))
            squares = "squares" if all(shape.is_square for shape in lab.sizes) else "rectangles"
            say(f"{name:<{NAMES}}{lab.title}{is_default}")
            kernels = ", ".join(f"{kernel}({', '.join(parameters)})" for kernel, parameters in called.kernels)
            say(f"{'':<{NAMES}}{types}; {squares}, {called.layout} by {called.layout}; {kernels}")


@click.group("rubric")
def rubric_group() -> None:
    """Check and propose rubrics."""


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
    """Propose a rubric for the program FILE.

    It follows from the kernel and from the launch in the host code. What is not certain is in comments that begin with
    "To check".
    """
    with exit_on_error():
        if output and output.is_file():
            raise UsageError(f"{output} is already there.", "Nothing was changed. Name another file with --output.")
        source = submission.read(file).decode("utf-8", "replace")
        write(proposal.proposed(source, kernel, course_files.beside(file, source)), output)
        if output:
            words = shlex.join(["grade", "rubric", "check", str(output), "--kernel", str(file)])
            say(f"Your rubric is {output}. Next: {words}")


@rubric_group.command("check")
@FILE
@click.option("--kernel", type=PATH, help="A correct kernel to check it with, in the place of its naive kernel.")
@ALLOW_UNCONFINED
def rubric_check(file: Path, kernel: Path | None, allow_unconfined: bool) -> None:
    """Check the rubric FILE, or that of a lab, and report every mistake.

    Its naive kernel is compiled, and must be correct at the small quick sizes, and at a small size that is not square
    if there is one: a wrong name, order or type, or another block or tile, shows there.
    """
    with exit_on_error():
        path = labs.rubric_at(file)
        rubric = rubrics.load(path)
        naive = kernel or (rubrics.find_kernel(rubric.naive, path.parent) if rubric.naive else None)
        is_own = not path.resolve().is_relative_to(installation.folder("rubrics").resolve())
        if is_own and naive and naive.is_relative_to(installation.folder("reference")) and not kernel:
            narrate(f"There is no {rubric.naive} beside {file.name}: that of the grader is tried, {naive}.")
        tried = _tried(file, rubric, naive, allow_unconfined=allow_unconfined) if naive else NO_KERNEL
        points = shown(total(each.points for each in rubric.criteria))
        say(f"{file}: {rubric.title}, {points} points, no mistakes{tried}")


def _tried(file: Path, rubric: Rubric, kernel: Path, *, allow_unconfined: bool) -> str:
    """Return how the check with a kernel went. Raises UsageError with a line for each mistake that it shows."""
    content = own_files.read(kernel, rubric).content
    try:
        confine("", allow_unconfined=allow_unconfined)
        host = launchers.choose(WITHOUT_GPU)
        conditions = Conditions(rubric, host.machine, 1, host.start)
        found = list(rubric_kernel.mistakes(Trying(conditions, content, kernel.name)))
    except InfrastructureError as error:
        return f". {kernel.name} was not tried: {error.sentence}"
    if found:
        raise UsageError("\n".join(f"{file}: {mistake}" for mistake in found), rubrics.HINT)
    sizes = ", ".join(map(str, rubric_kernel.checked_sizes(rubric)))
    return f". {kernel.name} is correct at {sizes}.{SQUARES if rubric_kernel.hides_order(rubric) else ''}"
