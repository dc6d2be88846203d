"""Messages for the known errors of container engines. Pure."""

import re

from grader.errors import InfrastructureError

SHOWN = 300  # characters of an unknown error

# For each known error of an engine or of NVIDIA's toolkit: a pattern of its text, a sentence and a hint.
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
    """Explain the text of an engine's error to the person who runs the grader."""
    for pattern, sentence, hint in KNOWN:
        if re.search(pattern, text):
            return InfrastructureError(sentence, hint)
    return InfrastructureError(f"The container engine reports: {text[:SHOWN]}", "`docker info` shows what it can do.")
