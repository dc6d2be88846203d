"""What is done before the first worker of a command starts."""

import compileall
import os
import socket
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.host import process
from grader.host.confinement.mechanism import guard, strongest
from grader.host.installation import CHECKOUT
from grader.model import Backend, Limits, Purpose
from grader.sandbox import forking, processes
from grader.sandbox.forking import ForkServer
from grader.sandbox.processes import rules
from tests.desk import wait_until
from tests.worker.frontend.desk import needs_confinement

pytestmark = needs_confinement
EXECUTE, COMPILE = Purpose.EXECUTE, Purpose.COMPILE
Run = Callable[[str, Purpose], str]
REFUSED = {"PermissionError", "FileNotFoundError", "OSError"}  # a hidden file does not exist, or is on another device


def test_bytecode_of_workers_is_written_once_and_for_new_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "package_of_a_test"
    package.mkdir()
    monkeypatch.setenv("GRADER_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(processes, "PACKAGES", ("package_of_a_test",))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    for name in ("__init__", "later"):
        (package / f"{name}.py").touch()
        processes.keep_bytecode.__wrapped__()
        assert list(package.glob(f"__pycache__/{name}.*"))
    monkeypatch.setattr(compileall, "compile_dir", lambda *_, **__: pytest.fail("looked at every file"))
    processes.keep_bytecode.__wrapped__()


@pytest.fixture
def box(tmp_path: Path) -> Path:
    (tmp_path / "box").mkdir()
    (tmp_path / "secret").write_text("secret")
    return tmp_path / "box"


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    """A fork server whose forks run the code that is in the place of their box."""
    code = "from grader.worker import fork_server as f; f._work = lambda command: exec(command[3]); f.main([])"
    mine, theirs = socket.socketpair()
    with theirs:
        own = forking.environment_of(Path(os.sep))
        started = process.start([sys.executable, "-c", code], cwd=Path.cwd(), env=own, source=theirs.fileno())
    server = ForkServer(started, mine)
    yield server
    server.end()


@pytest.fixture(params=["a program", "a fork"])
def run(box: Path, server: ForkServer, request: pytest.FixtureRequest) -> Run:
    """Run a line in a worker's place; return what it returns, or the name of its error."""

    def outcome(line: str, purpose: Purpose) -> str:
        code = f"""
            import os, socket, subprocess, sys, threading, ctypes
            try:
                print({line})
            except OSError as error:
                print(type(error).__name__)
        """
        limits = Limits(memory_mib=512)
        forks = request.param == "a fork"
        command = ["-m", "grader.worker.main"] if forks else ["-c"]
        command = [sys.executable, *command, textwrap.dedent(code), Backend.SIMULATOR, purpose]
        guarded = guard(command, rules(box, Backend.SIMULATOR, limits, purpose), strongest(), box)
        running = server.fork(guarded) if forks else forking.start(guarded)
        assert wait_until(running.poll)
        return (box / "printed").read_text().strip()

    return outcome


@pytest.mark.parametrize("purpose", Purpose)
@pytest.mark.parametrize(
    "line",
    [
        "open('../secret').read()",
        "open('/etc/passwd').read()",
        "open('../made', 'w')",
        "os.remove('../secret')",
        "os.rename('../secret', 'mine')",
        "os.listdir(os.path.expanduser('~'))",
        f"open({str(Path(__file__))!r}).read()",
        "socket.socket()",
        "socket.socket(socket.AF_UNIX)",
        "socket.socketpair()",
        "open(f'/proc/{os.getppid()}/mem')",
        "open(f'/proc/{os.getppid()}/environ').read()",
    ],
)
def test_nothing_outside_the_box_can_be_reached(line: str, purpose: Purpose, run: Run, box: Path) -> None:
    assert run(line, purpose) in REFUSED
    assert (box.parent / "secret").read_text() == "secret"
    assert not (box.parent / "made").exists()


@pytest.mark.parametrize("purpose", Purpose)
@pytest.mark.parametrize("path", ["/etc/passwd", "/etc/shadow", "../secret", "/var", str(Path(__file__))])
def test_nothing_outside_is_known_to_exist(path: str, purpose: Purpose, run: Run) -> None:
    unshare = "from grader.host.confinement.own_root import unshare; unshare()"
    if subprocess.run([sys.executable, "-c", unshare], check=False).returncode:
        pytest.skip("this machine refuses mount namespaces")
    assert run(f"os.path.lexists({path!r})", purpose) == "False"


@pytest.mark.parametrize(
    "line",
    [
        "os.fork()",
        "subprocess.run(['/bin/true'])",
        "os.kill(os.getppid(), 0)",
        "os.chmod('file', 0o777)",
        "os.chown('file', 0, 0)",
        "os.utime('file')",
    ],
)
def test_a_worker_that_executes_starts_and_signals_nothing(line: str, run: Run, box: Path) -> None:
    (box / "file").touch()
    assert run(line, EXECUTE) == "PermissionError"


@pytest.mark.parametrize("number", [101, 425, 29, 321])  # ptrace, io_uring_setup, shmget, bpf
def test_ways_past_the_rules_are_closed(number: int, run: Run) -> None:
    if os.uname().machine != "x86_64":
        pytest.skip("numbers of x86-64")
    assert run(f"ctypes.CDLL(None, use_errno=True).syscall({number}, 0, 0, 0), ctypes.get_errno()", EXECUTE) == "-1 1"


def test_a_worker_reads_and_writes_its_box_and_has_threads(run: Run) -> None:
    assert run("open('file', 'w').write('x')", EXECUTE) == "1"
    assert run("threading.Thread(target=print).start()", EXECUTE) == "None"


def test_a_worker_has_no_files_but_its_input_and_output(run: Run) -> None:
    assert run("len(os.listdir('/proc/self/fd'))", EXECUTE) == "4"  # with that of the list


def test_a_worker_sees_no_secrets(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv("DEPLOY_TOKEN", "hunter2")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    line = "'hunter2' in open('/proc/self/environ').read(), os.environ.get('DEPLOY_TOKEN'), {}"
    assert run(line.format("os.environ['CUDA_VISIBLE_DEVICES']"), EXECUTE) == "False None 1"


def test_a_worker_that_compiles_starts_programs(run: Run) -> None:
    assert run("subprocess.run(['/bin/true']).returncode", COMPILE) == "0"


def test_root_is_an_ordinary_user_in_a_worker(run: Run) -> None:
    line = "int([line for line in open('/proc/self/status') if line.startswith('CapEff')][0].split()[1], 16) & ~6"
    assert run(line, COMPILE) == "0"


def test_a_worker_cannot_take_all_memory_of_the_machine(run: Run) -> None:
    assert "MemoryError" in run("len(bytearray(200 << 30))", EXECUTE)


def test_packages_that_pythonpath_names_are_read_and_a_checkout_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{CHECKOUT}{os.pathsep}{tmp_path}")
    allowed = rules(tmp_path / "box", Backend.SIMULATOR, Limits(), COMPILE)
    assert tmp_path in allowed.readable
    assert CHECKOUT not in allowed.readable
    assert allowed.listed == (CHECKOUT,)
