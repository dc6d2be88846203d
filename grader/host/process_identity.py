"""Names for processes that no later process with the same number has."""

from pathlib import Path

import psutil


def identity() -> str:
    """A name for this process that a later one with the same number does not have."""
    return _identity(psutil.Process())


def is_running(identity: str) -> bool:
    """Whether the process that `identity` named still runs."""
    try:
        return _identity(psutil.Process(int(identity.partition("@")[0]))) == identity
    except (psutil.Error, ValueError, OSError):
        return False


def _identity(process: psutil.Process) -> str:
    return f"{process.pid}@{_start_time(process)}"


def _start_time(process: psutil.Process) -> str:
    """Return when a process started: on Linux in clock ticks since boot (field 22 of proc_pid_stat(5)).

    These do not change when the time of day is set.
    """
    try:
        return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[19]
    except FileNotFoundError:
        return f"{process.create_time():.2f}"
