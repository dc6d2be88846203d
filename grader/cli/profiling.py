"""The options of `grade run` that profile a launch, and what they need."""

from __future__ import annotations

import click

from grader.errors import UsageError
from grader.model import Backend, Rubric, Shape
from grader.rubric.visible import without_hidden_sizes

PROFILE = click.option(
    "--profile", is_flag=True, help="Also measure a launch with Nsight Compute, at the largest timed size."
)
PROFILE_SIZE = click.option(
    "--profile-size", metavar="SIZE", default="", help="The timed size for --profile, such as 1024 or 512x768x1024."
)


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
    if sizes and not backend.capabilities.can_be_profiled:
        raise UsageError(
            f"--profile needs a GPU, and the kernel would run on the {backend}.", "Leave the option out here."
        )
