"""Start a worker and end every process that it started.

The guardian is a subreaper, so every process whose parent has ended becomes its child, whatever session it is in. Its
standard input is a socket, whose other end the judge has. It ends when the worker does, and when the judge writes to
the socket or is gone, which closes it; in each case it first ends every process below it, and then writes to the socket
how the worker ended. After a judge that is gone it removes the box instead.
"""

import ctypes
import os
import select
import shutil
import sys
from collections.abc import Callable
from signal import SIGKILL
from typing import NoReturn

from grader.host.confinement import confined

Become = Callable[[list[str]], None]  # becomes a command, or does its work
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LOOK_MILLISECONDS = 50  # where the system has no pidfd


def main(words: list[str], become: Become) -> NoReturn:
    """Start the worker, wait for its end or the judge's, and end everything.

    The words are the box, and then those of confined.py: what confines the worker, and its command.
    """
    libc = ctypes.CDLL(None)
    if sys.platform == "linux":
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        worker = os.fork()
    except OSError as error:
        sys.stderr.write(f"no worker could be started: {error.strerror}\n")
        os.write(0, b"1")
        os._exit(0)
    if not worker:
        _become_worker(libc, words[1:], become)
    judge_is_gone = _wait(worker) and not os.read(0, 1)
    status = _end_all(worker)
    if judge_is_gone:
        shutil.rmtree(words[0], ignore_errors=True)
    else:
        os.write(0, str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def _become_worker(libc: ctypes.CDLL, words: list[str], become: Become) -> NoReturn:
    if sys.platform == "linux":
        libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    become(confined.confine(words))
    raise SystemExit


def _wait(worker: int) -> bool:
    """Wait until the worker ends, the judge writes or is gone. Return whether it was the judge."""
    waiting = select.poll()
    waiting.register(0, select.POLLIN | select.POLLHUP)
    try:
        handle = os.pidfd_open(worker)
        waiting.register(handle, select.POLLIN)
        return any(descriptor == 0 for descriptor, _ in waiting.poll())
    except (AttributeError, OSError):  # before Linux 5.3, and elsewhere
        while not os.waitid(os.P_PID, worker, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if waiting.poll(LOOK_MILLISECONDS):
                return True
        return False


def _end_all(worker: int) -> int:
    """End every process below this one, until none is left. Return the status of the worker."""
    status, left = 0, {worker}
    while True:
        for process in left | _below():
            try:
                os.kill(process, SIGKILL)
            except OSError:  # it is another user's, or has ended
                continue
        try:
            ended, how = os.waitpid(-1, 0)
        except ChildProcessError:
            return status
        if ended == worker:
            status, left = how, set()


def _below() -> set[int]:
    """Return every process that this one started, directly or not; none where the system does not list them."""
    descendants: set[int] = set()
    ahead = [os.getpid()]
    while ahead:
        children = _children(ahead.pop())
        ahead += children
        descendants.update(children)
    return descendants


def _children(parent: int) -> list[int]:
    """Return the processes that the threads of a process started; one that ended counts until its parent reaps it."""
    children: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{parent}/task"):
            with open(f"/proc/{parent}/task/{thread}/children") as file:
                children += map(int, file.read().split())
    except OSError:  # it has ended
        return children
    return children
