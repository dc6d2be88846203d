import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from grader.contract.encoding import encode
from grader.contract.messages import LAUNCHED, Broken, Check, Open, Opened
from grader.errors import InfrastructureError
from grader.host.gpu_lock import GpuLock
from grader.host.process import start
from grader.host.stopped import Stopped
from grader.model import Backend, Case, Interface, Launch, Limits, Purpose, Shape
from grader.sandbox import client, forking, processes
from grader.sandbox.client import Worker, WorkerLostError
from grader.sandbox.starting import worker
from tests import lab
from tests.desk import PATIENCE, wait_until

LIMITS = Limits(memory_mib=300, output_bytes=1000)
CASE = Case(Shape(1, 1, 1), "second", seed=1)
CHECK = Check(None, Launch((1, 1, 1), (1, 1)), CASE, Interface("matmul", ("A", "B", "C", "N")), LIMITS)


@contextmanager
def impostor(box: Path, code: str) -> Iterator[Worker]:
    """A worker that student code has taken over: it runs `code` in the box."""
    running = lab.in_place_of_a_worker(box, sys.executable, "-c", code)
    try:
        yield Worker(box, LIMITS, running)
    finally:
        running.kill()


def loses(box: Path, code: str, seconds: float = 20.0) -> WorkerLostError:
    with impostor(box, code) as this_worker, pytest.raises(WorkerLostError) as caught:
        this_worker.ask(Open(), seconds)
    return caught.value


def answering(text: str) -> str:
    """The code of a worker that writes this answer atomically, as the real worker does."""
    return (
        f"import pathlib, time; part = pathlib.Path('part'); part.write_text({text!r}); "
        "part.replace('answer-1.json'); time.sleep(30)"
    )


def test_a_worker_answers_one_request_after_another() -> None:
    with worker(Backend.SIMULATOR, Limits()) as this_worker:
        assert this_worker.ask(Open(), 60) == Opened()
        assert this_worker.ask(Open(), 60) == Opened()
        assert this_worker.printed() == ""


def test_leaving_ends_the_process_and_removes_the_box() -> None:
    with worker(Backend.SIMULATOR, Limits()) as this_worker:
        this_worker.install({"source/a.cu": b"text"})
        assert (this_worker.box / "source" / "a.cu").read_bytes() == b"text"
    assert not this_worker.box.exists()
    assert this_worker.running.poll()


def test_an_exception_of_the_judge_leaves_nothing_behind_either() -> None:
    with pytest.raises(ZeroDivisionError), worker(Backend.SIMULATOR, Limits()) as this_worker:
        raise ZeroDivisionError
    assert not this_worker.box.exists()
    assert this_worker.running.poll()


def test_a_killed_worker_is_lost_with_its_signal() -> None:
    with worker(Backend.SIMULATOR, Limits()) as this_worker:
        this_worker.ask(Open(), 60)
        lab.guardian_of(this_worker).kill()
        assert wait_until(this_worker.running.poll)
        with pytest.raises(WorkerLostError) as caught:
            this_worker.ask(Open(), 60)
    assert (caught.value.stopped, caught.value.code) == (Stopped.NO, -signal.SIGKILL)


def test_a_worker_that_ends_is_lost_with_its_status_and_what_it_printed(tmp_path: Path) -> None:
    lost = loses(tmp_path, "print('last words'); raise SystemExit(7)")
    assert (lost.stopped, lost.code, lost.printed) == (Stopped.NO, 7, "last words\n")


def test_an_answer_left_just_before_the_end_counts(tmp_path: Path) -> None:
    text = encode(Opened())
    with impostor(tmp_path, f"import pathlib; pathlib.Path('answer-1.json').write_text({text!r})") as this_worker:
        assert wait_until(this_worker.running.poll)
        assert this_worker.ask(Open(), 20) == Opened()


def test_a_worker_that_hangs_is_stopped_at_the_limit(tmp_path: Path) -> None:
    began = time.monotonic()
    lost = loses(tmp_path, "import time; time.sleep(60)", seconds=0.3)
    assert lost.stopped is Stopped.TIME
    assert time.monotonic() - began < 5


def test_a_worker_that_floods_is_stopped(tmp_path: Path) -> None:
    lost = loses(tmp_path, "while True: print('x' * 10_000)")
    assert (lost.stopped, lost.printed) == (Stopped.OUTPUT, "x" * 1000)


def test_a_worker_that_takes_too_much_memory_is_stopped(tmp_path: Path) -> None:
    assert loses(tmp_path, "held = bytearray(400 << 20)\nimport time; time.sleep(30)").stopped is Stopped.MEMORY


@pytest.mark.parametrize("text", ["", "garbage", "[]", "{}", "[" * 100_000, '{"_type": "Checked", "fault": 3}'])
def test_an_unreadable_answer_loses_the_worker(tmp_path: Path, text: str) -> None:
    lost = loses(tmp_path, answering(text))
    assert (lost.stopped, lost.code) == (Stopped.NO, None)


def test_an_answer_without_end_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "LARGEST_ANSWER", 10)
    loses(tmp_path, answering(encode(Opened()) + " " * 100))


@pytest.mark.parametrize(
    "trick",
    ["os.mkfifo('answer-1.json')", "os.mkdir('answer-1.json')", "os.symlink('secret', 'answer-1.json')"],
)
def test_an_answer_that_is_no_plain_file_loses_the_worker(tmp_path: Path, trick: str) -> None:
    (tmp_path / "secret").write_text(encode(Opened()))
    loses(tmp_path, f"import os, time; {trick}; time.sleep(30)")


@pytest.mark.parametrize("trick", ["os.symlink('secret', 'printed')", "os.mkfifo('printed')", "pass"])
def test_what_is_put_in_place_of_the_output_is_not_read(tmp_path: Path, trick: str) -> None:
    (tmp_path / "secret").write_text("of another student")
    assert loses(tmp_path, f"import os; os.remove('printed'); {trick}; raise SystemExit(1)").printed == ""


def test_a_broken_worker_is_a_grader_error(tmp_path: Path) -> None:
    broken = answering(encode(Broken("No driver.", "Install one.")))
    with impostor(tmp_path, broken) as this_worker, pytest.raises(InfrastructureError, match="No driver") as caught:
        this_worker.ask(Open(), 20)
    assert caught.value.hint == "Install one."


def test_a_broken_worker_tells_every_thread_that_waits_for_it(tmp_path: Path) -> None:
    with impostor(tmp_path, answering(encode(Broken("No driver.", "Install one.")))) as this_worker:
        for _ in range(2):
            with pytest.raises(InfrastructureError, match="No driver"):
                this_worker.finish_opening()


@pytest.mark.parametrize("when", ["one.ask(Open(), 60)", "pass  # while Python starts"])
def test_a_worker_whose_judge_is_gone_ends_and_leaves_nothing(when: str, tmp_path: Path) -> None:
    code = (
        "import os, time\n"
        "from grader.contract.messages import Open\nfrom grader.model import Backend, Limits\n"
        "from grader.sandbox import forking\nfrom grader.sandbox.starting import worker\n"
        "with worker(Backend.SIMULATOR, Limits()) as one:\n"
        f"    {when}\n"
        "    print(one.box, one.running.guardian, forking._servers[0].process.pid, flush=True)\n"
        "    os._exit(0)\n"
    )
    with (tmp_path / "out").open("wb") as sink:
        judge = start([sys.executable, "-c", code], cwd=Path.cwd(), sink=sink.fileno())
    judge.wait(PATIENCE)
    box, *pids = (tmp_path / "out").read_text().split()
    assert wait_until(lambda: not any(map(is_running, map(int, pids))))
    assert not Path(box).exists()


def is_running(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def test_the_output_of_a_gpu_may_come_in_one_piece(tmp_path: Path) -> None:
    text = encode(Opened())
    code = f"print('x' * 500_000, flush=True)\nimport time; time.sleep(0.4)\n{answering(text)}"
    with impostor(tmp_path, code) as this_worker:
        assert replace(this_worker, limits=LIMITS).ask(Open(), 20) == Opened()


def test_a_worker_that_cannot_start_is_a_grader_error() -> None:
    with worker(Backend.SIMULATOR, LIMITS) as this_worker:
        lab.guardian_of(this_worker).kill()
        with pytest.raises(InfrastructureError, match="did not start"):
            this_worker.finish_opening()


def test_a_worker_initialises_the_driver_before_it_shares_the_gpu_and_waits_for_no_gpu_when_it_is_its_turn() -> None:
    order: list[str] = []

    class Recorded(GpuLock):
        @contextmanager
        def turn_to_open(self) -> Iterator[None]:
            order.append(f"turn, {len(list(this_worker.box.glob('answer-*')))} answers")
            yield
            order.append("open" if this_worker.opened else "not open")

        @contextmanager
        def shared(self) -> Iterator[None]:
            order.append("shared")
            yield

    with worker(Backend.SIMULATOR, LIMITS) as this_worker:
        this_worker.open_beside(Recorded())
        this_worker.open_beside(Recorded())
    assert order == ["turn, 0 answers", "not open", "shared", "turn, 1 answers", "open"]


def test_a_second_thread_waits_for_the_first_one_that_opens_a_worker() -> None:
    turns: list[int] = []

    class Counted(GpuLock):
        @contextmanager
        def turn_to_open(self) -> Iterator[None]:
            turns.append(1)
            yield

    with worker(Backend.SIMULATOR, LIMITS) as this_worker, ThreadPoolExecutor(2) as threads:
        list(threads.map(this_worker.open_beside, [Counted(), Counted()]))
    assert len(turns) == 2  # to initialise the driver, and to open the device


def test_the_seconds_of_a_kernel_count_from_its_launch(tmp_path: Path) -> None:
    code = f"import pathlib, time; time.sleep(0.6); pathlib.Path({LAUNCHED!r}).touch(); time.sleep(60)"
    with impostor(tmp_path, code) as this_worker:
        began = time.monotonic()
        with pytest.raises(WorkerLostError) as lost:
            this_worker.ask_to_launch(CHECK, 0.5, 30.0)
        assert lost.value.stopped is Stopped.TIME
        assert 1.0 < time.monotonic() - began < 20


def test_opening_is_requested_once() -> None:
    with worker(Backend.SIMULATOR, LIMITS) as this_worker:
        this_worker.begin_opening()
        this_worker.finish_opening()
        this_worker.finish_opening()
        assert this_worker.asked == 1


def test_a_profiler_before_a_worker_gets_the_same_confinement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    monkeypatch.setattr(forking, "start", started.append)
    for prefix in ((), ("env", "--")):
        processes.start_process(tmp_path, Backend.CUDA, Limits(), Purpose.EXECUTE, prefix)
    plain, profiled = started
    at = plain.index("--")
    assert profiled[: at + 1] == plain[: at + 1]
    assert profiled[at + 2 :] == ["--", *plain[at + 1 :]]
