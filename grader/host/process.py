"""Run a command in a process group of its own, within limits. The only module that starts processes."""

import math
import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import psutil

from grader.errors import refused
from grader.host.stopped import Stopped

LOOK_SECONDS = 0.25  # between two checks of the limits, which take ten milliseconds each
DEATH_SECONDS = 10.0
ASLEEP_SECONDS = 15.0  # after which a program whose CPU time is limited hangs; waiting for a CPU or a disk is no sleep


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process ended. `code` is its exit status, or minus the signal that killed it."""

    code: int
    stopped: Stopped = Stopped.NO
    output: bytes = b""

    @property
    def text(self) -> str:
        return self.output.decode("utf-8", "replace")

    def __str__(self) -> str:
        return f"signal {-self.code}" if self.code < 0 else f"status {self.code}"


class Running(Protocol):
    """A running worker, as a process of this machine or in a container."""

    def poll(self) -> Exit | None:
        """How it ended, or None while it runs."""

    def resident_bytes(self) -> int:
        """Memory of the worker and everything it started; 0 when a container engine enforces the limit."""

    def processor_seconds(self) -> float:
        """CPU time of the worker and everything it started; 0 where that is not known."""

    def kill(self) -> None:
        """End it with everything it started, and wait for that."""


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    seconds: float,
    processor_seconds: float = math.inf,
    memory_mib: int = 4096,
    output_bytes: int = 1 << 20,
    env: Mapping[str, str] | None = None,
) -> Exit:
    """Run `command` to its end or its limit; standard output and error come back together, cut at `output_bytes`."""
    with tempfile.TemporaryFile() as sink:
        process = start(command, cwd=cwd, sink=sink.fileno(), env=env)
        deadline = time.monotonic() + seconds
        try:
            stopped = _watch(process, sink.fileno(), deadline, processor_seconds, memory_mib << 20, output_bytes)
        finally:
            kill_tree(process)
        sink.seek(0)
        return Exit(process.returncode, stopped, sink.read(output_bytes))


def start(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    sink: int = subprocess.DEVNULL,
    env: Mapping[str, str] | None = None,
    source: int = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Start `command` as the leader of a new session; its input is `source`, and what it prints goes to `sink`."""
    try:
        return subprocess.Popen(
            [os.fspath(word) for word in command],
            cwd=cwd,
            env=None if env is None else dict(env),
            stdin=source,
            stdout=sink,
            stderr=sink,
            start_new_session=True,
        )
    except OSError as error:
        raise refused(error, f"{command[0]} did not start") from error


def kill_tree(process: subprocess.Popen[bytes]) -> None:
    """Kill the process, everything in its group and everything it started.

    A process stuck in a driver (uninterruptible sleep) is not waited for longer than DEATH_SECONDS.
    """
    kill_all(process.pid)
    ends_within(DEATH_SECONDS, process)


def kill_all(pid: int) -> None:
    """Kill a process, everything in its group and everything it started."""
    for child in _frozen(pid):
        with suppress(psutil.NoSuchProcess):
            child.kill()
    with suppress(ProcessLookupError, PermissionError):  # macOS answers EPERM for a group of zombies
        os.killpg(pid, signal.SIGKILL)


def _frozen(pid: int) -> set[psutil.Process]:
    """Everything that `pid` started, all of it stopped first, because what still runs could start more."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGSTOP)
    stopped: set[psutil.Process] = set()
    while fresh := set(descendants(pid)) - stopped:
        for child in fresh:
            with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                child.suspend()
        stopped |= fresh
    return stopped


def descendants(pid: int) -> list[psutil.Process]:
    """Every living process that `pid` started, directly or not."""
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def processor_seconds(pid: int) -> float:
    """CPU time of a process and of everything that it started."""
    return sum(map(_processor_seconds, _tree(pid)))


def resident_bytes_below(pid: int) -> int:
    """Resident memory of everything that a process started."""
    return sum(map(_resident, descendants(pid)))


def _watch(
    process: subprocess.Popen[bytes], sink: int, deadline: float, processor: float, memory: int, output: int
) -> Stopped:
    used, asleep = 0.0, 0.0
    while not ends_within(min(LOOK_SECONDS, max(0.0, deadline - time.monotonic())), process):
        members = _tree(process.pid)
        before, used = used, sum(map(_processor_seconds, members))
        if processor < math.inf and used == before and not any(map(_waits, members)):
            asleep += LOOK_SECONDS
        if time.monotonic() > deadline or asleep > ASLEEP_SECONDS:
            return Stopped.TIME
        if used > processor:
            return Stopped.PROCESSOR
        if sum(map(_resident, members)) > memory:
            return Stopped.MEMORY
        if os.fstat(sink).st_size > output:
            return Stopped.OUTPUT
    return Stopped.NO


def ends_within(seconds: float, process: subprocess.Popen[bytes]) -> bool:
    """Wait for the end of a process; return whether it came. `Popen.wait` notices it up to 50 ms late."""
    if process.poll() is not None:
        return True
    try:
        handle = os.pidfd_open(process.pid)
    except (AttributeError, OSError):  # before Linux 5.3, and elsewhere
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        return process.returncode is not None
    try:
        ending = select.poll()
        ending.register(handle, select.POLLIN)
        ending.poll(seconds * 1000)
    finally:
        os.close(handle)
    return process.poll() is not None


def _tree(pid: int) -> list[psutil.Process]:
    """The process and everything that it started; nothing once it has ended."""
    try:
        return [psutil.Process(pid), *descendants(pid)]
    except psutil.NoSuchProcess:
        return []


def _processor_seconds(process: psutil.Process) -> float:
    """CPU time of a process and of those of its children that have ended."""
    try:
        return sum(process.cpu_times()[:4])
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return 0.0


def _waits(process: psutil.Process) -> bool:
    """Whether a process runs, or would if there were a CPU or its disk had answered."""
    try:
        return process.status() in {psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP}
    except psutil.NoSuchProcess:
        return False


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return 0
