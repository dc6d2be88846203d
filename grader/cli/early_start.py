"""Starts what a command needs while its own modules load: the imports of its workers, and the opening of the GPU.

The needs of a command are guessed from its words; a wrong guess costs the time that a right one would have saved.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress

from grader.errors import InfrastructureError
from grader.host import gpu_lock, machine
from grader.model import WITHOUT_GPU, Backend, Purpose
from grader.sandbox import forking

OTHERS = ("--backend", "--container", "--help", "-h")  # with these words, other workers may be needed, or none


def begin(words: Sequence[str]) -> None:
    """Start the fork server of a command with these words, and open a GPU, if one of them names a file."""
    if any(word.startswith(OTHERS) for word in words) or not any(map(os.path.isfile, words)):
        return
    with suppress(InfrastructureError, OSError):  # the command reports it
        here = machine.choose(WITHOUT_GPU if words[0] == "rubric" else None)
        purpose = Purpose.TIME if words[0] == "run" and here.backend.capabilities.measures_speed else Purpose.EXECUTE
        forking.begin(_needed(here.backend, purpose))
        if here.backend.capabilities.uses_gpu:
            from grader.sandbox import starting  # with all that a worker's judge needs, after the server has begun

            starting.begin_spare(here.backend, gpu_lock.of(here), purpose)


def _needed(backend: Backend, purpose: Purpose) -> Iterator[tuple[Backend, Purpose]]:
    """The kinds of workers, those first that are needed first; `purpose` is that of the kernel's worker."""
    yield backend, Purpose.COMPILE
    yield backend, purpose
    if backend.tracer not in {None, backend}:
        yield Backend(backend.capabilities.traced_by), Purpose.EXECUTE
