"""What a program in a worker's container can do to the machine, to other students and to the judge: nothing."""

import os
import platform
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from grader.contract.encoding import encode
from grader.contract.messages import Open, Opened
from grader.host import process, process_identity
from grader.host.stopped import Stopped
from grader.model import Limits
from grader.sandbox import container
from grader.sandbox.client import Worker, WorkerLostError
from grader.sandbox.container import ContainerImage
from tests import engine
from tests.desk import wait_until
from tests.engine import program

pytestmark = pytest.mark.container

ANSWER = f"""
import os
def answer(text):
    print(text, flush=True)
    open('part', 'w').write({encode(Opened())!r})
    os.rename('part', 'answer-1.json')
"""


@pytest.fixture(autouse=True)
def nothing_stays(image: ContainerImage) -> Iterator[ContainerImage]:
    yield image
    assert engine.grader_containers() == []


def says(image: ContainerImage, code: str, limits: Limits | None = None) -> str:
    """What a program in the container prints before it reports that it is done."""
    with program(image, f"{ANSWER}\n{code}\nimport time; time.sleep(60)", limits) as this_worker:
        assert this_worker.ask(Open(), 60) == Opened()
        return this_worker.printed().strip()


def lost(this_worker: Worker, seconds: float = 60) -> WorkerLostError:
    with pytest.raises(WorkerLostError) as caught:
        this_worker.ask(Open(), seconds)
    return caught.value


def attempt(action: str) -> str:
    """A program that prints the name of the error that an action ends with."""
    return (
        f"import errno, os, socket\ntry:\n    {action}\nexcept OSError as error:\n"
        "    answer(errno.errorcode[error.errno])\nelse:\n    answer('it worked')"
    )


def test_there_is_no_network(image: ContainerImage) -> None:
    assert says(image, "answer(os.listdir('/sys/class/net'))") == "['lo']"
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        assert says(image, attempt(f"socket.create_connection(('127.0.0.1', {port}), 5)")) == "ECONNREFUSED"
        assert says(image, attempt(f"socket.create_connection(('192.0.2.1', {port}), 5)")) == "ENETUNREACH"


def test_the_files_of_the_machine_are_not_there(image: ContainerImage, tmp_path: Path) -> None:
    secret = tmp_path / "solution.cu"
    secret.write_text("secret")
    assert says(image, attempt(f"open({str(secret)!r})")) == "ENOENT"
    assert says(image, attempt("open('/var/run/docker.sock')")) == "ENOENT"
    assert says(image, attempt(f"open('/proc/{os.getpid()}/environ')")) == "ENOENT"


def test_the_files_of_the_image_cannot_be_changed(image: ContainerImage) -> None:
    roots = ("/", "/etc", "/opt/grader", "/usr/bin", "/var", "/submission")
    for root in roots:
        assert says(image, attempt(f"open('{root}/mine', 'w')")) in ("EROFS", "EACCES")


def test_the_box_of_another_worker_is_not_visible(image: ContainerImage) -> None:
    with program(image, "import time; time.sleep(60)") as other:
        (other.box / "submission.bin").write_text("of another student")
        assert (
            says(image, "answer([one for one in os.listdir('/tmp') if one != os.path.basename(os.getcwd())])") == "[]"
        )
        assert says(image, attempt(f"open('{other.box}/submission.bin')")) == "ENOENT"


def test_no_process_of_the_machine_is_seen(image: ContainerImage) -> None:
    seen = "answer(sorted(open(f'/proc/{one}/comm').read().strip() for one in os.listdir('/proc') if one.isdigit()))"
    commands = eval(says(image, seen))  # noqa: S307 - our own program
    assert set(commands) <= {"cat", "docker-init", "python3", "sh"}
    assert len(commands) <= 5  # the shell that waits beside the program may have no cat yet, or is still to become it


def test_a_program_has_no_capabilities_and_cannot_get_any(image: ContainerImage) -> None:
    words = "dict(line.split(':', 1) for line in open('/proc/self/status') if ':' in line)"
    code = f"seen = {words}\nanswer([os.getuid() > 0, *(seen[one].strip() for one in WANTED)])"
    wanted = "WANTED = ('CapEff', 'CapBnd', 'NoNewPrivs', 'Seccomp')\n"
    assert says(image, wanted + code) == "[True, '0000000000000000', '0000000000000000', '1', '2']"


def test_no_secret_of_the_judge_is_in_its_environment(image: ContainerImage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert "secret" not in says(image, "answer(dict(os.environ))")
    assert "CUDA_VISIBLE_DEVICES" not in says(image, "answer(dict(os.environ))")


def test_a_fork_bomb_stays_small_and_is_gone_with_its_container(image: ContainerImage) -> None:
    code = """
import time
born = 0
try:
    while True:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        born += 1
except OSError as error:
    answer(born)
"""
    before = len(psutil.pids())
    assert 100 < int(says(image, code)) < container.PROCESSES
    assert wait_until(lambda: len(psutil.pids()) < before + 100)


def test_memory_ends_at_the_limit(image: ContainerImage) -> None:
    code = "held = []\nwhile True: held.append(bytearray(b'x' * (64 << 20)))"
    with program(image, code, engine.limits(memory_mib=64)) as this_worker:
        assert lost(this_worker).stopped is Stopped.MEMORY


def test_files_in_memory_are_limited_too(image: ContainerImage) -> None:
    for folder in ("/tmp", "/dev/shm"):  # noqa: S108 - the container's own
        code = attempt(f"open('{folder}/big', 'wb').write(bytes(300 << 20))")
        assert says(image, code) == "ENOSPC"


def test_a_full_box_ends_the_worker(image: ContainerImage) -> None:
    code = "number = 0\nwhile True:\n    open(f'{number}', 'wb').write(bytes(16 << 20))\n    number += 1"
    with program(image, code, engine.limits(memory_mib=64)) as this_worker:
        assert lost(this_worker).stopped is Stopped.DISK


def test_many_empty_files_count_too(image: ContainerImage) -> None:
    code = "number = 0\nwhile True:\n    open(f'{number}', 'w').close()\n    number += 1"
    with program(image, code, engine.limits(memory_mib=64)) as this_worker:
        assert lost(this_worker).stopped is Stopped.DISK


def test_a_file_ends_at_the_limit(image: ContainerImage) -> None:
    begin = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nbig = open('big', 'w')\n"
    assert says(image, begin + attempt("os.truncate('big', 1 << 40)")) == "EFBIG"


def test_endless_output_ends_the_worker(image: ContainerImage) -> None:
    with program(image, "while True: print('x' * 100_000)", engine.limits(output_bytes=1000)) as this_worker:
        loss = lost(this_worker)
    assert (loss.stopped, loss.printed) == (Stopped.OUTPUT, "x" * 1000)


def test_a_process_that_ignores_every_signal_is_gone_after_the_time_limit(image: ContainerImage) -> None:
    mark = f"outlives-{os.getpid()}"
    code = f"""
import os, signal, subprocess, sys, time
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
if os.fork() == 0:
    os.setsid()
    os.execvp('python3', ['python3', '-c', 'import time; time.sleep(600)', {mark!r}])
time.sleep(600)
"""
    with program(image, code) as this_worker:
        assert wait_until(lambda: bool(runs(mark)))
        assert lost(this_worker, 0.5).stopped is Stopped.TIME
        assert wait_until(lambda: not runs(mark))


def test_ending_everything_in_the_container_is_the_end_of_it(image: ContainerImage) -> None:
    with program(image, "import os\nos.kill(-1, 9)") as this_worker:
        assert lost(this_worker).stopped is Stopped.NO


def test_a_link_in_place_of_an_answer_or_a_request_leads_nowhere(image: ContainerImage, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text(encode(Opened()))
    plant = f"""
import os, time
os.symlink({str(secret)!r}, 'answer-1.json')
for name in ('request-1.json', 'request-1.part', 'request-2.json', 'request-2.part'):
    try: os.symlink({str(secret)!r}, name)
    except FileExistsError: pass
time.sleep(60)
"""
    with program(image, plant) as this_worker:
        assert wait_until((this_worker.box / "request-2.part").is_symlink)
        lost(this_worker)
        this_worker.send(Open())
    assert secret.read_text() == encode(Opened())


def test_a_judge_that_is_killed_takes_its_container_along(image: ContainerImage, tmp_path: Path) -> None:
    code = f"""
import time
from grader.sandbox import container
from tests import engine
with engine.program(container.find({image.name!r}), "import time; time.sleep(600)") as one:
    (one.box / "big").write_text("much")
    print(one.box, flush=True)
    time.sleep(600)
"""
    with (tmp_path / "out").open("wb") as sink:
        judge = process.start([sys.executable, "-c", code], cwd=Path.cwd(), sink=sink.fileno())
    assert wait_until(lambda: bool((tmp_path / "out").read_text().strip()))
    box = Path((tmp_path / "out").read_text().strip())
    assert engine.grader_containers() == [box.name]
    container.find(image.name)
    assert engine.grader_containers() == [box.name], "a judge that lives keeps its container"

    process.kill_tree(judge)
    assert wait_until(lambda: not any(box.iterdir())), "it ends by itself and leaves nothing"
    container.find(image.name)
    assert engine.grader_containers() == []
    assert not box.exists()


def test_a_judge_of_another_machine_keeps_its_containers(
    image: ContainerImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    with program(image, "import time; time.sleep(60)") as this_worker:
        monkeypatch.setattr(platform, "node", lambda: "elsewhere")
        monkeypatch.setattr(process_identity, "is_running", lambda _: False)
        container.find(image.name)
        assert engine.grader_containers() == [this_worker.box.name]
        time.sleep(2 * container.LOOK_SECONDS)
        assert this_worker.running.poll() is None


def runs(mark: str) -> list[int]:
    return [process.pid for process in psutil.process_iter(["cmdline"]) if mark in (process.info["cmdline"] or ())]
