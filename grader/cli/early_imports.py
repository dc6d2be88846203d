"""Imports what workers need while the modules of a command are loaded, which takes longer.

Which ones it will need is guessed from its words; a wrong guess costs the time that it would have saved.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress

from grader.contract.purpose import Purpose
from grader.errors import InfrastructureError
from grader.host import machine
from grader.model import Backend
from grader.sandbox import forking

OTHERS = ("--backend", "--container", "--help", "-h")  # with these words, other workers may be needed, or none


def begin(words: Sequence[str]) -> None:
    """Start the fork server of `grade run` or `check` with these words, if one of them names a file."""
    if any(word.startswith(OTHERS) for word in words) or not any(map(os.path.isfile, words)):
        return
    with suppress(InfrastructureError, OSError):  # the command reports it
        forking.begin(_needed(machine.choose(None).backend, timed=words[0] == "run"))


def _needed(backend: Backend, *, timed: bool) -> Iterator[tuple[Backend, Purpose]]:
    """The kinds of workers, those first that are needed first."""
    yield backend, Purpose.COMPILE
    can = backend.capabilities
    yield backend, Purpose.TIME if timed and can.measures_speed else Purpose.EXECUTE
    if backend.tracer not in {None, backend}:
        yield Backend(can.traced_by), Purpose.EXECUTE
