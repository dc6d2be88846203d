import shutil
import socket
import sys
from pathlib import Path

import pytest

from grader.errors import InfrastructureError
from grader.host.confinement.mechanism import Confinement, Rules, confine, strongest
from grader.host.process import Exit, run
from grader.host.toolkit import SYSTEM
from tests.worker.frontend.desk import needs_confinement

PYTHON = tuple(Path(path) for path in (sys.executable, sys.prefix, sys.base_prefix))


def confined(command: list[str], box: Path, *, seconds: float = 5, confinement: Confinement | None = None) -> Exit:
    rules = Rules((*map(Path, SYSTEM), *PYTHON), (box,), seconds)
    return run(confine(command, rules, strongest() if confinement is None else confinement), cwd=box, seconds=30)


@pytest.fixture
def box(tmp_path: Path) -> Path:
    (tmp_path / "box").mkdir()
    (tmp_path / "outside").write_text("secret")
    return tmp_path / "box"


@needs_confinement
def test_the_box_may_be_written_and_read(box: Path) -> None:
    ended = confined(["sh", "-c", "echo here > file && cat file"], box)
    assert (ended.code, ended.output) == (0, b"here\n")


@needs_confinement
@pytest.mark.parametrize("command", ["cat ../outside", "cat /etc/passwd", "sh -c 'sh -c \"cat /etc/shadow\"'"])
def test_nothing_outside_is_read_by_the_command_or_its_children(command: str, box: Path) -> None:
    ended = confined(["sh", "-c", command], box)
    assert ended.code != 0
    assert b"secret" not in ended.output
    assert b"root:" not in ended.output


@needs_confinement
@pytest.mark.parametrize("command", ["echo x > ../outside", "rm ../outside", "mv ../outside .", "ln ../outside ."])
def test_nothing_outside_is_changed(command: str, box: Path) -> None:
    assert confined(["sh", "-c", command], box).code != 0
    assert (box.parent / "outside").read_text() == "secret"


@needs_confinement
def test_there_is_no_network(box: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        connect = f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 1)"
        assert run([sys.executable, "-c", connect], cwd=box, seconds=30).code == 0
        assert confined([sys.executable, "-c", connect], box).code != 0


@pytest.mark.parametrize("confinement", sorted({Confinement.NONE, strongest()}))
def test_the_limit_counts_cpu_time_and_not_waiting(confinement: Confinement, box: Path) -> None:
    assert confined(["sh", "-c", "sleep 1.5; echo done"], box, seconds=1, confinement=confinement).output == b"done\n"
    assert confined(["sh", "-c", "while :; do :; done"], box, seconds=1, confinement=confinement).code < 0


def test_a_command_that_is_not_installed_is_a_fault_of_the_machine(box: Path) -> None:
    with pytest.raises(InfrastructureError, match="no-such-compiler"):
        confined(["no-such-compiler"], box)


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_bubblewrap_leaves_nothing_but_the_folders(box: Path) -> None:
    ended = confined(
        ["sh", "-c", "echo x > file; ls ..; test ! -e /etc/passwd"], box, confinement=Confinement.BUBBLEWRAP
    )
    assert (ended.code, ended.output) == (0, b"box\n")
