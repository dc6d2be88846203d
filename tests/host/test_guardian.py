"""No process that a worker has started outlives it, whatever it does to escape."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from grader.sandbox.forking import Local
from tests import lab
from tests.desk import PATIENCE, wait_until

ESCAPES = {
    "a child": "child()",
    "a child that ignores signals": "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "signal.signal(signal.SIGHUP, signal.SIG_IGN); child()",
    "a session of its own": "child(os.setsid)",
    "a group of its own": "child(lambda: os.setpgid(0, 0))",
    "a child of a child that ended": "child(lambda: os.fork() and os._exit(0))",
    "a daemon": "child(lambda: (os.fork() and os._exit(0), os.setsid(), os.fork() and os._exit(0)))",
    "many": "[child(os.setsid) for _ in range(20)]",
    "a child that starts others": "child(lambda: [os.fork() for _ in range(4)])",
    "a stopped child": "import signal; child(lambda: os.kill(os.getpid(), signal.SIGSTOP))",
}
START = """
import os, sys, time
def child(first=lambda: None):
    if os.fork() == 0:
        first()
        with open("pids", "a") as file:
            file.write(f"{os.getpid()} ")
        time.sleep(60)
        os._exit(0)
"""
WAIT = "\nimport time\ntime.sleep(0.5)\nopen('ready', 'w').close()\n"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has subreapers")


def guarded(code: str, box: Path) -> Local:
    return lab.in_place_of_a_worker(box, sys.executable, "-c", code)


def ended(worker: Local) -> int:
    assert wait_until(worker.poll)
    assert worker.ended
    return worker.ended.code


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def left(box: Path) -> list[int]:
    """The processes that still live; `pids` may name one that was killed before it could write its number."""
    return [int(pid) for pid in (box / "pids").read_text().split() if psutil.pid_exists(int(pid))]


def alive_in(box: Path) -> list[int]:
    """Every process whose working folder is the box."""
    pids = []
    for running in psutil.process_iter():
        try:
            if Path(running.cwd()) == box:
                pids.append(running.pid)
        except (psutil.Error, OSError):
            continue
    return pids


@pytest.mark.parametrize("way", ESCAPES)
def test_no_process_is_left_when_the_judge_ends_a_worker(way: str, tmp_path: Path) -> None:
    worker = guarded(START + ESCAPES[way] + WAIT + "time.sleep(60)", tmp_path)
    wait_for(tmp_path / "ready")
    assert alive_in(tmp_path)
    worker.kill()
    assert alive_in(tmp_path) == []
    assert tmp_path.exists()


@pytest.mark.parametrize("way", ["a daemon", "a session of its own", "a child that ignores signals"])
def test_no_process_is_left_when_the_worker_ends_by_itself(way: str, tmp_path: Path) -> None:
    worker = guarded(START + ESCAPES[way] + WAIT + "sys.exit(3)", tmp_path)
    assert ended(worker) == 3
    worker.kill()
    assert left(tmp_path) == alive_in(tmp_path) == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT])
def test_the_guardian_ends_as_the_worker(number: int, tmp_path: Path) -> None:
    worker = guarded(f"import os; os.kill(os.getpid(), {int(number)})", tmp_path)
    assert ended(worker) == -number


def test_a_worker_has_no_input(tmp_path: Path) -> None:
    worker = guarded("import sys; sys.exit(len(sys.stdin.read()))", tmp_path)
    assert ended(worker) == 0


def test_a_worker_whose_guardian_is_killed_ends(tmp_path: Path) -> None:
    worker = guarded(WAIT + "time.sleep(60)", tmp_path)
    wait_for(tmp_path / "ready")
    guardian = psutil.Process(worker.guardian)
    (child,) = guardian.children()
    guardian.kill()
    assert ended(worker) == -signal.SIGKILL
    child.wait(PATIENCE)


def test_a_judge_that_is_killed_leaves_neither_processes_nor_a_box(tmp_path: Path) -> None:
    box = tmp_path / "box"
    box.mkdir()
    code = START + ESCAPES["a daemon"] + WAIT + "time.sleep(60)"
    starts = (
        f"import time\nfrom pathlib import Path\nfrom tests.host.test_guardian import guarded\n"
        f"started = guarded({code!r}, Path({str(box)!r}))\ntime.sleep(60)"
    )
    judge = subprocess.Popen([sys.executable, "-c", starts])
    wait_for(box / "ready")
    judge.send_signal(signal.SIGKILL)
    judge.wait(PATIENCE)
    deadline = time.monotonic() + 10
    while box.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not box.exists()


def test_a_worker_can_be_ended_twice(tmp_path: Path) -> None:
    worker = guarded("import time; time.sleep(60)", tmp_path)
    worker.kill()
    worker.kill()
    assert ended(worker) == -signal.SIGKILL
