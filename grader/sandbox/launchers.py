"""Choose how workers start: as processes of this machine, or in containers on it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from grader.errors import InfrastructureError, UsageError
from grader.host import machine, nvml
from grader.host.confinement.mechanism import strongest
from grader.model import Backend, Machine
from grader.sandbox.processes import Start, start_process

if TYPE_CHECKING:
    from grader.sandbox.container import ContainerImage


UNCONFINED = "Nothing on this machine can confine student code: it has neither Landlock nor a bubblewrap that works."


@dataclass(frozen=True, slots=True)
class WorkerHost:
    """The machine that grades, and how workers start on it."""

    machine: Machine
    start: Start


def choose(wanted: Backend | None, image: str = "") -> WorkerHost:
    """Choose the requested backend, or else the best that works here; in containers if an `image` is named.

    Raises UsageError for an unusable image, InfrastructureError for a backend that does not work here.
    """
    if not image:
        return WorkerHost(machine.choose(wanted), start_process)
    from grader.sandbox import container  # the SDK takes a sixth of a second to import

    built = container.find(image)
    backend, reason = _backend(wanted, built)
    device = machine.describe_device(backend, reason)
    gpu = nvml.gpu_id() if backend.capabilities.uses_gpu else ""
    versions = {**device.versions, "container": f"{built.name} {built.digest}"}
    return WorkerHost(replace(device, versions=versions), partial(container.start, built, gpu))


def is_confined(image: str) -> bool:
    """Whether student code is confined: in a container of the image, or by a mechanism of this machine."""
    return bool(image or strongest())


def require_confinement(image: str) -> None:
    """Raise InfrastructureError if student code would not be confined."""
    if not is_confined(image):
        hint = "Install bubblewrap, use --container, or pass --allow-unconfined to grade without confinement."
        raise InfrastructureError(UNCONFINED, hint)


def _backend(wanted: Backend | None, image: ContainerImage) -> tuple[Backend, str]:
    """The backend for workers in containers of the image, and the reason for the choice."""
    if wanted and image.backend and wanted.capabilities.uses_gpu and not image.backend.capabilities.uses_gpu:
        raise UsageError(f"{image.name} has no CUDA toolkit.", "Name an image that has, or --backend simulator.")
    if wanted:
        return wanted, machine.REQUESTED
    if image.backend is None:
        raise UsageError(f"{image.name} has no label for its backend.", "Name the backend with --backend.")
    return image.backend, "the image is built for it"
