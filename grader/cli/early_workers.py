"""Workers that start while the modules of a command are loaded, which takes longer than their own start.

Which ones it will need is guessed from its words; a wrong guess costs the time that it would have saved.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext

from grader.contract.purpose import Purpose
from grader.errors import InfrastructureError
from grader.host import machine, timeline
from grader.model import Backend
from grader.sandbox import spares
from grader.sandbox.spares import ProcessKind, kind

OTHERS = ("--backend", "--container", "--help", "-h")  # with these words, other workers may be needed, or none
TRACE = "--trace"
OF_TIMING = 3  # the submission, the naive kernel, the library


def early_workers(words: Sequence[str]) -> AbstractContextManager[None]:
    """Start the workers of `grade run` or `check` with these words, if one of them names a file.

    Those that are not needed end with the block.
    """
    if any(word.startswith(OTHERS) for word in words) or not any(map(os.path.isfile, words)):
        return nullcontext()
    try:
        backend = machine.choose(None).backend
    except (InfrastructureError, OSError):  # the command reports it
        return nullcontext()
    if any(word.startswith(TRACE) for word in words):
        timeline.announce()
    return spares.started(_needed(backend, timed=words[0] == "run"))


def _needed(backend: Backend, *, timed: bool) -> Iterator[ProcessKind]:
    """The kinds of workers, those first that are needed first."""
    can = backend.capabilities
    yield kind(backend, Purpose.COMPILE)
    timed = timed and can.measures_speed
    if can.starts_ahead and not timed:
        yield kind(backend, Purpose.EXECUTE)
    if backend.tracer not in {None, backend}:
        yield kind(Backend(can.traced_by), Purpose.EXECUTE)
    if timed:
        yield from [kind(backend, Purpose.TIME)] * OF_TIMING
