"""Start a worker and end every process that it started: `python -I -S guardian.py BOX OPTIONS -- COMMAND`.

OPTIONS and COMMAND are those of confined.py. The guardian is a subreaper, so every process whose parent has ended
becomes its child, whatever session it is in. It ends when the worker does, as the worker did, and when the judge writes
to its standard input or is gone, which closes that input; in each case it first ends every process below it. After a
judge that is gone it removes the box as well.

A program by itself that imports little, so that it starts in about 15 ms and stays small.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import sys

SIGKILL = 9  # the module `signal` takes as long to import as all others together
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LOOK_MILLISECONDS = 50  # where the system has no pidfd
SHELL = 128  # plus the signal: the exit status if the signal that ended the worker does not end the guardian
FAILED = 70


def main(box: str, words: list[str]) -> None:
    """Start the worker, wait for its end or the judge's, and end everything."""
    libc = ctypes.CDLL(None)
    if sys.platform == "linux":
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    worker = os.fork()
    if not worker:
        _become_worker(libc, words)
    judge_is_gone = _wait(worker) and not os.read(0, 1)
    status = _end_all(worker)
    if judge_is_gone:
        import shutil  # takes as long to import as this program takes to start

        shutil.rmtree(box, ignore_errors=True)
    _end_as(status)


def _become_worker(libc: ctypes.CDLL, words: list[str]) -> None:
    from grader.host.confinement import confined  # `__main__` below makes it importable

    if sys.platform == "linux":
        libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        confined.main(words)
    finally:
        os._exit(FAILED)


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


def _end_as(status: int) -> None:
    """End as the worker ended."""
    if not os.WIFSIGNALED(status):
        os._exit(os.WEXITSTATUS(status))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(SHELL + os.WTERMSIG(status))


if __name__ == "__main__":
    sys.path.append(__file__.rpartition("/grader/host/")[0])  # `-I` keeps the grader off the path
    main(sys.argv[1], sys.argv[2:])
