"""`python -P -m grader.worker.fork_server BACKEND PURPOSE ...`: imports what workers need and forks workers.

To import its modules takes a worker half a second; one that is forked from this process has them. What it forks is a
guardian (host/confinement/guardian.py), which forks the worker. No student code runs here, no device is open, and there
is one thread, so a worker is as a new process would be, but for the addresses of its modules (docs/security.md).
"""

from __future__ import annotations

import errno
import gc
import json
import os
import select
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from grader.host import interpreter
from grader.host.confinement import confined, guardian, own_root, system_calls  # noqa: F401 - for all forks
from grader.host.confinement.guardian import Become
from grader.model import Purpose
from grader.worker import main as worker
from grader.worker.backend import load

MOST_OPEN = 4096
OF_A_WORKER = ["-m", worker.__spec__.name]


def main(ahead: list[str]) -> None:
    """Load what the kinds of workers `ahead` need, but fork first when the judge asks, and end when it is gone."""
    interpreter.postpone_garbage_collection()
    judge = socket.socket(fileno=sys.stdin.fileno())
    while True:
        if ahead and not select.select([judge], [], [], 0)[0]:
            _load(*ahead[:2])
            del ahead[:2]
            continue
        _, descriptors, _, _ = socket.recv_fds(judge, 1, 2)
        if not descriptors:
            _reap(0)
            os._exit(0)  # what was imported needs no tidying up
        with judge.makefile() as text:
            words, environment = json.loads(text.readline())
        _reap(os.WNOHANG)
        judge.sendall(b"%d\n" % _fork(words, environment, descriptors))


def _load(backend: str, purpose: str) -> None:
    with suppress(ImportError, OSError):  # what is missing or broken is reported by the worker
        load(backend).load(Purpose(purpose))


def _reap(options: int) -> None:
    """Wait for guardians that have ended, or for all; their judge knows how, but their time is counted here."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, options)[0]:
            pass


def _fork(words: list[str], environment: dict[str, str], descriptors: list[int]) -> int:
    """Fork a guardian with these words, input and output. Return its number, or less than 0: why there is none."""
    command = words[words.index("--") + 1 :]
    if forks := sys.platform == "linux" and command[1:3] == OF_A_WORKER:
        _load(*command[4:])
    gc.freeze()
    try:
        forked = os.fork()
    except OSError as error:
        forked = -(error.errno or errno.EAGAIN)
    if not forked:
        _become_guardian(words, environment, descriptors, _work if forks else confined.become)
    for descriptor in descriptors:
        os.close(descriptor)
    return forked


def _become_guardian(words: list[str], environment: dict[str, str], descriptors: list[int], become: Become) -> NoReturn:
    os.setsid()
    for own, given in enumerate((*descriptors, descriptors[1])):
        os.dup2(given, own)
    os.closerange(3, MOST_OPEN)
    os.chdir(words[0])
    os.environ.clear()
    os.environ.update(environment)
    guardian.main(words, become)


def _work(command: list[str]) -> None:
    box, backend, purpose = command[3:]
    worker.main(Path(box), backend, Purpose(purpose))


if __name__ == "__main__":
    main(sys.argv[1:])
