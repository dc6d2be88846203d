"""What a container engine's errors mean, and what to do about them. Pure."""

from __future__ import annotations

import re

from grader.errors import InfrastructureError

SHOWN = 300  # letters of an unknown error

# What engines and NVIDIA's toolkit report, as a pattern; the sentence for it, and what to try.
KNOWN = (
    (
        "Failed to initialize NVML|nvml error",
        "The container has no access to its GPU.",
        "Does nvidia-smi work on the machine itself? Then start the engine again, and let Docker use the cgroup driver "
        "cgroupfs if it happens again.",
    ),
    (
        "could not select device driver|nvidia-container|CDI device|unknown or invalid runtime name",
        "The container engine cannot provide a GPU.",
        "Install the NVIDIA Container Toolkit, run `sudo nvidia-ctk runtime configure --runtime=docker`, and start the "
        "engine again.",
    ),
    (
        "bind source path does not exist",
        "The container engine cannot see the box.",
        "The engine must run on this machine and see the folder that TMPDIR names.",
    ),
    (
        "PermissionError|[Pp]ermission denied",
        "This account may not use the container engine.",
        "Ask to be added to the group docker, and log in again.",
    ),
    (
        "No such container|removal of container",
        "The worker's container was stopped from outside.",
        "Check that the engine works, and grade again.",
    ),
    (
        "Connection|FileNotFoundError|timed out|RemoteDisconnected|EOF",
        "The container engine does not answer.",
        "Start it with `sudo systemctl start docker`, or name another one with DOCKER_HOST.",
    ),
)


def explain(text: str) -> InfrastructureError:
    """What an engine's error text means, for the person who runs the grader."""
    for pattern, sentence, hint in KNOWN:
        if re.search(pattern, text):
            return InfrastructureError(sentence, hint)
    return InfrastructureError(f"The container engine reports: {text[:SHOWN]}", "`docker info` shows what it can do.")
