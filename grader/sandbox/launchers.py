"""Where workers start: as processes of this machine, or in containers on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.host import machine, nvml
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
    device = machine.describe_device(backend, reason)
    gpu = nvml.gpu_id() if backend.capabilities.uses_gpu else ""
    versions = {**device.versions, "container": f"{found.name} {found.digest}"}
    return Hosting(replace(device, versions=versions), partial(container.start, found, gpu))


def _backend(wanted: Backend | None, image: Image) -> tuple[Backend, str]:
    """Which one, and why."""
    if wanted and image.backend and wanted.capabilities.uses_gpu and not image.backend.capabilities.uses_gpu:
        raise UsageError(f"{image.name} has no CUDA toolkit.", "Name an image that has, or --backend simulator.")
    if wanted:
        return wanted, machine.REQUESTED
    if image.backend is None:
        raise UsageError(f"{image.name} does not say which backend it is made for.", "Say it with --backend.")
    return image.backend, "the image is made for it"
