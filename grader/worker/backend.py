"""The interface between a worker and a backend.

Each folder beside this file has a backend, as `BACKEND` in its module `backend`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from grader.contract import messages, timing_messages
from grader.errors import InfrastructureError
from grader.model import Purpose

NO_SPEED = "This backend measures no speed.", "Use --backend cuda."


class Runner(Protocol):
    """An open backend, which runs kernels one after the other.

    A backend never gets a request that it cannot carry out: the judge reads its capabilities. The bodies here are for a
    backend that measures no speed.
    """

    def check(self, request: messages.Check, box: Path) -> messages.Checked:
        """Run a case, and leave A, B and C of every launch in the box. Raises FoundError."""

    def draw(self, request: messages.Check | timing_messages.Prepare) -> messages.Done:  # noqa: ARG002 - for those that others may wait for
        """Draw the inputs of a request on the host."""
        return messages.Done()

    def count(self, request: messages.CountAccesses, box: Path) -> messages.Counted:  # noqa: ARG002 - for those that can
        """Count what a launch does. Raises FoundError for an instruction that is not supported."""
        raise InfrastructureError("This backend counts nothing.", "Use --backend simulator.")

    def replay(self, request: messages.Replay, box: Path) -> messages.Replayed:  # noqa: ARG002 - for those that can
        """Run a launch of a debug build again, and return what it did."""
        raise InfrastructureError("This backend replays nothing.", "Use --backend simulator.")

    def prepare(self, request: timing_messages.Prepare, box: Path) -> timing_messages.Prepared:  # noqa: ARG002 - for those that can
        """Get ready to time one size. Raises FoundError."""
        raise InfrastructureError(*NO_SPEED)

    def time_round(self, request: timing_messages.TimeRound, box: Path) -> timing_messages.Timed:  # noqa: ARG002
        """Time one group of launches on fresh contents. Raises FoundError where the kernel fails."""
        raise InfrastructureError(*NO_SPEED)

    def project(self, box: Path) -> messages.Done:  # noqa: ARG002
        """Leave the projections of the last group's outputs onto the box's vector in the box."""
        raise InfrastructureError(*NO_SPEED)

    def time_transfers(self, request: timing_messages.TimeTransfers) -> timing_messages.TimedTransfers:  # noqa: ARG002
        """Time products from and to ordinary memory of the host."""
        raise InfrastructureError(*NO_SPEED)

    def survey(self, box: Path) -> messages.Surveyed:  # noqa: ARG002
        """Describe the device, and time copies in its memory."""
        raise InfrastructureError(*NO_SPEED)


class WorkerBackend(Protocol):
    """A backend before its device is open: compiling needs none, and opening one takes longer."""

    def compile(self, request: messages.Compile, box: Path) -> messages.Compiled:
        """Build a file of the box; artifacts are named relative to the box. Raises NotCompiledError."""

    def load(self, purpose: Purpose) -> None:
        """Import what this purpose needs; what is missing is reported when it is used. Opens no device."""

    def initialise(self) -> None:
        """Initialise the driver, if the device has one; what fails is reported when the device is opened."""
        return

    def open(self, box: Path, *, timing: bool, searching: bool = False) -> Runner:
        """Open the device, with what `timing` needs as well, or what is `searching` checked launches for mistakes.

        Raises InfrastructureError.
        """


def load(name: str) -> WorkerBackend:
    """Import the backend of this name only, because the packages of the others may not be installed."""
    return cast("WorkerBackend", import_module(f"grader.worker.{name}.backend").BACKEND)
