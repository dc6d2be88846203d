"""Arguments and options that several commands share."""

import os
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from grader.advice.devices import GPUS
from grader.cli.console import narrate
from grader.errors import UsageError
from grader.model import Backend, Rubric, Shape
from grader.report import junit
from grader.rubric import labs
from grader.rubric.visible import without_hidden_sizes
from grader.sandbox import launchers

REQUIRE_CONFINEMENT = "GRADER_REQUIRE_CONFINEMENT"  # set in images and autograders, which grade other people's files
PROFILE = click.option(
    "--profile", is_flag=True, help="Also measure a launch with Nsight Compute, at the largest timed size."
)
PROFILE_SIZE = click.option(
    "--profile-size", metavar="SIZE", default="", help="The timed size for --profile, such as 1024 or 512x768x1024."
)


def _backend(_context: click.Context, _option: click.Parameter, value: str) -> Backend | None:
    return None if value == "auto" else Backend(value)


def _rubric(context: click.Context, _option: click.Parameter, value: Path | None) -> Path:
    """Return the rubric at a path or of a lab by its name; by default the one beside the files, or the square lab's."""
    if value is None:
        return _own_rubric(context) or labs.default()
    try:
        return labs.rubric_at(value)
    except UsageError as error:
        raise click.UsageError(f"{error.sentence} {error.hint}") from error


def _own_rubric(context: click.Context) -> Path | None:
    """Return the rubric beside the files of the command line. None where files of other people are graded."""
    given = context.params
    named = [given.get(name) for name in ("file", "before", "after")]
    sources = given.get("sources") or ()
    files = [*(given.get("files") or ()), *filter(None, named), *sources]
    around = [source.absolute().parent for source in sources]  # of a folder of submissions
    own = None if os.environ.get(REQUIRE_CONFINEMENT) else labs.beside(files) or labs.beside(around)
    if own and not context.resilient_parsing:
        narrate(f"Rubric: {own}. To take another, add --rubric.")
    return own


def complete_labs(_context: click.Context, _option: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return what a shell offers for a rubric: the labs whose names begin like this, else files."""
    named = [CompletionItem(name) for name in labs.names() if name.startswith(typed)]
    return [CompletionItem(typed, type="file"), *named]  # in bash, files delete what is before them


def seed_in_range(_context: click.Context, _option: click.Parameter, value: int | None) -> int | None:
    """Return a seed of at most 128 bits. Help would show all digits of a range."""
    if value is not None and not 0 <= value < 2**128:
        raise click.BadParameter(f"{value} is no whole number from 0 to 2^128 - 1.")
    return value


PATH = click.Path(path_type=Path, readable=False)  # click's error for an unreadable file would not say what to try
FILE = click.argument("file", type=PATH)
FILES = click.argument("files", metavar="FILE...", type=PATH, nargs=-1, required=True)
REPORT = click.argument("report", type=PATH)
RUBRIC = click.option(
    "--rubric",
    "--lab",
    "rubric_path",
    type=PATH,
    callback=_rubric,
    shell_complete=complete_labs,
    help="Rubric file, or the name of a lab of `grade lab list`.  [default: lab.toml beside the files, else square]",
)
BACKEND = click.option(
    "--backend",
    type=click.Choice(["auto", *(backend.value for backend in Backend)]),
    default="auto",
    show_default=True,
    callback=_backend,
    help="cuda runs the kernel on an NVIDIA GPU. simulator runs it on the CPU and measures no speed. auto uses a GPU "
    "if there is one.",
)
CONTAINER = click.option(
    "--container", "image", metavar="IMAGE", default="", help="Run student code in new Docker containers of this image."
)
ALLOW_UNCONFINED = click.option(
    "--allow-unconfined", is_flag=True, help="Run student code even if nothing on this machine can confine it."
)
DEFINE = click.option(
    "--define", "defines", multiple=True, metavar="NAME=VALUE", help="Set a macro of the file, such as BLOCK=32."
)
DEVICE = click.option(
    "--device",
    type=click.Choice(tuple(GPUS)),
    help="GPU that the advice on speed is for.  [default: the GPU of this machine, else h200]",
)
SEED = click.option(
    "--seed",
    type=int,
    metavar="NUMBER",
    callback=seed_in_range,
    help="Seed of the input matrices. Use the seed of an earlier report to repeat its inputs.  [default: random]",
)
JUNIT_FAMILY = click.option(
    "--junit-family",
    type=click.Choice(junit.FAMILIES),
    default="xunit2",
    show_default=True,
    help="Dialect of junit.xml: xunit2 follows the Jenkins schema; ci adds the file and line of each fault.",
)
TRACE = click.option(
    "--trace", type=PATH, metavar="FILE", help="Write a timeline of the run to FILE, for ui.perfetto.dev."
)
SOURCE = click.option(
    "--source",
    default="",
    help="Path of the submission in its repository, for readers of junit.xml.  [default: its file name]",
)
OUTPUT_FILE = click.option("--output", type=PATH, help="File to write.  [default: standard output]")


def confine(image: str, *, allow_unconfined: bool) -> None:
    """Say that student code is not confined here; raise InfrastructureError if this installation requires it."""
    if allow_unconfined or launchers.is_confined(image):
        return
    if os.environ.get(REQUIRE_CONFINEMENT):
        launchers.require_confinement(image)
    narrate(f"{launchers.UNCONFINED} Grade your own files only.")


def sizes_to_profile(rubric: Rubric, size: str, image: str, *, wanted: bool) -> tuple[Shape, ...]:
    """Return the sizes of which the largest correct one is profiled; none without --profile. Raises UsageError."""
    if not (wanted or size):
        return ()
    if image:
        raise UsageError("--profile does not work with --container.", "Profile your own files without a container.")
    timed = {str(shape).removeprefix("N="): shape for shape in without_hidden_sizes(rubric).timed_sizes}
    if size and size not in timed:
        raise UsageError(f"The rubric times no size {size}.", f"Its timed sizes: {', '.join(timed)}.")
    return (timed[size],) if size else tuple(timed.values())


def check_backend(backend: Backend, sizes: tuple[Shape, ...]) -> None:
    """Raise UsageError for a backend whose launches no profiler sees."""
    if sizes and not backend.capabilities.uses_gpu:
        raise UsageError(
            f"--profile needs a GPU, and the kernel would run on the {backend}.", "Leave the option out here."
        )
