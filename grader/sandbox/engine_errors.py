"""What a container engine's errors mean, and what to do about them. Pure."""

from __future__ import annotations

import re

from grader.errors import InfrastructureError

SHOWN = 300  # letters of an error that nobody has met yet

# What engines and NVIDIA's toolkit say, the sentence for it, and what to try.
KNOWN = (
    (
        "Failed to initialize NVML|nvml error",
        "The container has lost its GPU, or never got it.",
        "Does nvidia-smi work on the machine itself? Then start the engine again, and let Docker use the cgroup driver "
        "cgroupfs if it happens again.",
    ),
    (
        "could not select device driver|nvidia-container|CDI device|unknown or invalid runtime name",
        "The container engine cannot hand out a GPU.",
        "Install the NVIDIA Container Toolkit, run `sudo nvidia-ctk runtime configure --runtime=docker`, and start the "
        "engine again.",
    ),
    (
        "bind source path does not exist",
        "The container engine cannot see the box.",
        "It must run on this machine, and see the folder that TMPDIR names.",
    ),
    (
        "PermissionError|[Pp]ermission denied",
        "This account may not use the container engine.",
        "Have yourself added to the group docker, and log in again.",
    ),
    (
        "No such container|removal of container",
        "The worker's container was stopped from outside.",
        "Is the engine well? Grade again.",
    ),
    (
        "Connection|FileNotFoundError|timed out|RemoteDisconnected|EOF",
        "The container engine does not answer.",
        "Start it with `sudo systemctl start docker`; DOCKER_HOST names another one.",
    ),
)


def explain(text: str) -> InfrastructureError:
    """The fault of ours that an engine's error is, in words for whoever runs the grader."""
    for pattern, sentence, hint in KNOWN:
        if re.search(pattern, text):
            return InfrastructureError(sentence, hint)
    return InfrastructureError(f"The container engine refuses: {text[:SHOWN]}", "`docker info` shows what it can do.")
