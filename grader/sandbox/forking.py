"""Have workers forked by a process that has imported their modules, one for each judge: worker/fork_server.py."""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from grader.errors import DOCTOR_HINT, InfrastructureError, refused
from grader.host import cpus, process
from grader.host.process import Exit
from grader.model import Backend, Purpose
from grader.sandbox import box_files

if TYPE_CHECKING:
    import subprocess

PASSED_ON = ("PATH", "HOME", "TMPDIR", "LANG", "PYTHONPATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
PASSED_PREFIXES = ("CUDA_", "GRADER_", "NVCC_", "NVIDIA_", "LC_")
LONGEST_CODE = 16  # characters of an exit status


@dataclass(slots=True)
class Local:
    """A worker of this machine, below its guardian (host/confinement/guardian.py).

    By the channel, the guardian tells how the worker ended. Its end of the channel, which no other process has, is
    closed however it ends.
    """

    guardian: int
    channel: socket.socket
    told: bytes = b""
    ended: Exit | None = None
    _lock: Lock = field(default_factory=Lock)

    def poll(self) -> Exit | None:
        return self._ended_within(0)

    def resident_bytes(self) -> int:
        return process.resident_bytes_below(self.guardian)

    def processor_seconds(self) -> float:
        return process.processor_seconds(self.guardian)

    def kill(self) -> None:
        """Let the guardian end everything below it and then itself; do so here if it does not."""
        with suppress(OSError):  # it has ended by itself
            self.channel.send(b".")
        if not self._ended_within(process.DEATH_SECONDS):
            process.kill_all(self.guardian)
            self._ended_within(process.DEATH_SECONDS)

    def _ended_within(self, seconds: float) -> Exit | None:
        with self._lock:
            if self.ended is None:
                self.channel.settimeout(seconds)
                with suppress(BlockingIOError, TimeoutError):
                    self._read_all()
                    self.ended = Exit(int(self.told or -signal.SIGKILL))  # one that told nothing was killed
                    self.channel.close()
            return self.ended

    def _read_all(self) -> None:
        with suppress(ConnectionResetError):  # it did not read that it is to end
            while told := self.channel.recv(LONGEST_CODE):
                self.told += told


@dataclass(frozen=True, slots=True)
class ForkServer:
    """A process that forks workers."""

    process: subprocess.Popen[bytes]
    channel: socket.socket

    def fork(self, words: Sequence[str]) -> Local:
        """Fork the worker with these words for its guardian.

        Raises OSError or ValueError if the server has ended, and InfrastructureError if the system starts no process.
        """
        box, (mine, theirs) = Path(words[0]), socket.socketpair()
        with ExitStack() as unused, theirs, self.channel.makefile() as answers:
            unused.enter_context(mine)
            with (box / box_files.PRINTED).open("wb") as sink:
                socket.send_fds(self.channel, [b"."], [theirs.fileno(), sink.fileno()])
            self.channel.sendall(json.dumps([words, environment_of(box)]).encode() + b"\n")
            guardian = int(answers.readline())
            if guardian < 0:
                raise refused(OSError(-guardian, os.strerror(-guardian)), "A worker did not start")
            unused.pop_all()
            return Local(guardian, mine)

    def end(self) -> None:
        """End the process."""
        self.channel.close()
        if not process.ends_within(process.DEATH_SECONDS, self.process):
            process.kill_tree(self.process)


_servers: list[ForkServer] = []  # one, once a worker has started
_lock = Lock()


def start(words: Sequence[str]) -> Local:
    """Start the worker with these words for its guardian. Raises InfrastructureError."""
    with _lock:
        for _ in range(2):  # a server that was killed has a successor
            server = _running()
            try:
                return server.fork(words)
            except (BrokenPipeError, ConnectionResetError, ValueError):
                _end()
            except BaseException:
                _end()  # it may answer what nobody asks any more
                raise
    raise InfrastructureError("A worker did not start.", DOCTOR_HINT)


def begin(ahead: Iterable[tuple[Backend, Purpose]]) -> None:
    """Start the fork server, which loads what these kinds of workers need. Raises InfrastructureError."""
    with _lock:
        _running(ahead)


@atexit.register
def end() -> None:
    """End the fork server."""
    with _lock:
        _end()


def _running(ahead: Iterable[tuple[Backend, Purpose]] = ()) -> ForkServer:
    """Return the fork server, which is started if there is none."""
    if not _servers:
        command = [sys.executable, "-P", "-m", "grader.worker.fork_server", *(word for kind in ahead for word in kind)]
        root, (mine, theirs) = Path(os.sep), socket.socketpair()
        with theirs:
            own = environment_of(root)
            started = process.start(command, cwd=root, env=own, source=theirs.fileno())
        _servers.append(ForkServer(started, mine))
    return _servers[0]


def _end() -> None:
    while _servers:
        _servers.pop().end()


def python_path() -> tuple[str, ...]:
    """Return the folders of PYTHONPATH as absolute paths, because a worker starts in its box.

    Empty entries are left out: for Python they mean the current folder, the box, from which student files would be
    imported.
    """
    words = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return tuple(str(Path(word).resolve()) for word in words if word)


def environment_of(box: Path) -> dict[str, str]:
    """Return the judge's variables that are passed on, and those that the sandbox sets for a worker in `box`."""
    passed = {
        name: value for name, value in os.environ.items() if name in PASSED_ON or name.startswith(PASSED_PREFIXES)
    }
    chosen = {
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",  # so that CUDA numbers devices as NVML does
        "TMPDIR": str(box),  # a killed compiler's files are removed with the box
    }
    if "PYTHONPATH" in passed:
        chosen["PYTHONPATH"] = os.pathsep.join(python_path())
    return {**passed, **cpus.ONE_BLAS_THREAD, **chosen}
