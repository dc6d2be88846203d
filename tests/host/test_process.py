import os
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from grader.errors import InfrastructureError
from grader.host import process
from grader.host.process import Exit, descendants, run
from grader.host.process_identity import identity, is_running
from grader.host.stopped import Stopped

GRANDCHILD = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(child.pid, flush=True)
"""


def python(code: str, box: Path, seconds: float = 20.0, **limits: Any) -> Exit:
    return run([sys.executable, "-c", code], cwd=box, seconds=seconds, **limits)


def is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def is_gone(pid: int) -> bool:
    """Whether the process is gone after a short wait: init reaps a killed orphan with a delay."""
    deadline = time.monotonic() + 5
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_alive(pid)


@pytest.mark.parametrize("code", [0, 1, 3, 255])
def test_the_exit_status_comes_back(tmp_path: Path, code: int) -> None:
    assert python(f"raise SystemExit({code})", tmp_path).code == code


@pytest.mark.parametrize("number", [6, 9, 11])
def test_a_signal_is_a_negative_status(tmp_path: Path, number: int) -> None:
    ended = python(f"import os; os.kill(os.getpid(), {number})", tmp_path)
    assert (ended.code, ended.stopped) == (-number, Stopped.NO)


def test_both_streams_come_back_together(tmp_path: Path) -> None:
    ended = python("import os; os.write(1, b'one '); os.write(2, b'two')", tmp_path)
    assert ended.output == b"one two"


def test_more_output_than_a_pipe_holds_does_not_block_the_command(tmp_path: Path) -> None:
    ended = python("print('x' * 300_000)", tmp_path)
    assert (ended.code, len(ended.output)) == (0, 300_001)


def test_there_is_no_input_and_the_folder_is_the_box(tmp_path: Path) -> None:
    ended = python("import os, sys; print(repr(sys.stdin.read()), os.getcwd())", tmp_path)
    assert ended.output.decode().split() == ["''", str(tmp_path.resolve())]


def test_a_given_environment_is_the_whole_environment(tmp_path: Path) -> None:
    ended = run([sys.executable, "-c", "import os; print(os.environ.get('HOME'))"], cwd=tmp_path, seconds=20, env={})
    assert ended.output.strip() == b"None"


@pytest.mark.parametrize("code", ["time.sleep(20)", "[time.sleep(0.2) for _ in range(100)]"])
def test_a_command_with_a_limit_of_cpu_time_that_sleeps_is_stopped(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "ASLEEP_SECONDS", 0.3)
    hanging = python(f"import time; {code}", tmp_path, seconds=100.0, processor_seconds=10.0)
    assert hanging.stopped is Stopped.TIME


def test_the_time_limit_ends_a_hanging_command(tmp_path: Path) -> None:
    began = time.monotonic()
    ended = python("while True: pass", tmp_path, seconds=0.3)
    assert ended.stopped is Stopped.TIME
    assert 0.3 <= time.monotonic() - began < 3


@pytest.mark.parametrize("then", ["child.wait()", ""], ids=["the parent waits", "the parent ends first"])
def test_grandchildren_end_with_the_command(tmp_path: Path, then: str) -> None:
    ended = python(GRANDCHILD + then, tmp_path, seconds=1.0)
    assert is_gone(int(ended.output))


def test_a_grandchild_in_a_session_of_its_own_ends_at_the_limit(tmp_path: Path) -> None:
    code = GRANDCHILD.replace('60)"]', '60)"], start_new_session=True') + "child.wait()"
    ended = python(code, tmp_path, seconds=1.0)
    assert ended.stopped is Stopped.TIME
    assert is_gone(int(ended.output))


def test_a_command_that_ends_at_once_costs_no_look_at_all_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "LOOK_SECONDS", 20.0)
    monkeypatch.delattr(process, "_tree")
    assert python("print('done')", tmp_path).output == b"done\n"


@pytest.mark.parametrize(("sleeps", "limit", "stopped"), [(0.6, 60.0, Stopped.NO), (60.0, 0.6, Stopped.TIME)])
def test_commands_end_where_the_system_has_no_handles_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sleeps: float, limit: float, stopped: Stopped
) -> None:
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    assert python(f"import time; time.sleep({sleeps})", tmp_path, seconds=limit).stopped is stopped


def test_the_output_limit_ends_a_flood(tmp_path: Path) -> None:
    ended = python("while True: print('x' * 10_000)", tmp_path, output_bytes=100_000)
    assert (ended.stopped, len(ended.output)) == (Stopped.OUTPUT, 100_000)


def test_the_memory_limit_counts_children_too(tmp_path: Path) -> None:
    hog = "held = bytearray(200 << 20)\nimport time; time.sleep(30)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {hog!r}])"
    assert python(code, tmp_path, memory_mib=150).stopped is Stopped.MEMORY


def test_no_zombie_is_left(tmp_path: Path) -> None:
    others = descendants(os.getpid())  # such as a browser of other tests
    python("", tmp_path)
    python("while True: pass", tmp_path, seconds=0.2)
    statuses = [child.status() for child in descendants(os.getpid()) if child not in others]
    assert psutil.STATUS_ZOMBIE not in statuses


def test_a_missing_command_is_a_grader_error(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="no-such-compiler did not start: No such file"):
        run(["no-such-compiler"], cwd=tmp_path, seconds=1)


def test_a_process_is_identified_by_its_number_and_start_even_if_the_clock_is_set(monkeypatch: pytest.MonkeyPatch):
    mine = identity()
    monkeypatch.setattr(psutil.Process, "create_time", lambda _: 0.0)  # somebody sets the clock
    assert identity() == mine
    assert is_running(mine)
    assert not is_running(mine + "1")
    assert not is_running("999999999@1")
