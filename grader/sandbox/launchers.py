"""Where workers start: as processes of this machine, or in containers on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.host import machine
from grader.model import Backend, Machine
from grader.sandbox.client import Start, here

if TYPE_CHECKING:
    from grader.sandbox.container import Image


@dataclass(frozen=True, slots=True)
class Hosting:
    """The machine that grades, and how workers start on it."""

    machine: Machine
    start: Start


def choose(wanted: Backend | None, image: str = "") -> Hosting:
    """The machine with the backend that was asked for, or with the best that there is; in containers of an image.

    Raises UsageError for an image that is not to be had, InfrastructureError for a backend that is not.
    """
    if not image:
        return Hosting(machine.choose(wanted), here)
    from grader.sandbox import container  # the SDK takes a sixth of a second to import

    found = container.find(image)
    backend, reason = _backend(wanted, found)
    bare = machine.processor(reason) if backend is Backend.SIMULATOR else replace(machine.driven_gpu(), reason=reason)
    gpu = machine.gpu_id() if backend is Backend.CUDA else ""
    versions = {**bare.versions, "container": f"{found.name} {found.digest}"}
    return Hosting(replace(bare, versions=versions), partial(container.start, found, gpu))


def _backend(wanted: Backend | None, image: Image) -> tuple[Backend, str]:
    """Which one, and why."""
    if wanted is Backend.CUDA and image.backend is Backend.SIMULATOR:
        raise UsageError(f"{image.name} has no CUDA toolkit.", "Name an image that has, or --backend simulator.")
    if wanted:
        return wanted, "it was asked for"
    if image.backend is None:
        raise UsageError(f"{image.name} does not say which backend it is made for.", "Say it with --backend.")
    return image.backend, "the image is made for it"
