"""Grading in containers: the same verdicts, and every failure of an engine is a grader error."""

import os
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import docker
import pytest

from grader.contract.messages import Open
from grader.errors import InfrastructureError, UsageError
from grader.model import Backend, Limits, Report
from grader.sandbox import container, launchers
from grader.sandbox.container import ContainerImage
from grader.sandbox.starting import worker
from tests import corpus, engine, lab
from tests.desk import PATIENCE, Desk, wait_until
from tests.engine import line_to_engine, program, start_in

NEEDS_ENGINE = pytest.mark.container
# Docker's SDK leaves the socket of a refused connection to the garbage collector, which may or may not warn of it.
WITHOUT_SOCKETS = "error,ignore::ResourceWarning"
ALIKE = (
    "honest/tiled",
    "wrong/no_guard",
    "broken/missing_semicolon",
    "broken/allocates_without_end",
    "broken/infinite_loop",
    "broken/prints_without_end",
    "hostile/includes_passwd",
    "hostile/host_code",
)


@pytest.fixture
def nothing_stays(image: ContainerImage) -> Iterator[ContainerImage]:
    yield image
    assert engine.grader_containers() == []


def outcome_of(report: Report | None) -> Any:
    """The outcome of a grade, without what may differ: seconds, addresses, and which process noticed a limit."""
    assert report is not None
    faults = [report.fault, *(result.fault for result in report.results)]
    verdicts = [(result.case, result.verdict, result.mismatch) for result in report.results]
    return report.state, verdicts, [(fault.verdict, fault.line) for fault in faults if fault]


@NEEDS_ENGINE
@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize("name", ALIKE)
def test_a_container_changes_no_verdict(desk: Desk, name: str) -> None:
    path = corpus.handed_in(corpus.named(name), desk.folder)
    plain = desk.grade_apart(*desk.run_words(path, "--seed", "7", case_seconds=1, memory_mib=512))
    expected = outcome_of(desk.report())
    words = (path, "--seed", "7", "--container", engine.IMAGE)
    contained = desk.grade_apart(*desk.run_words(*words, case_seconds=1, memory_mib=512))
    assert outcome_of(desk.report()) == expected
    assert contained.status == plain.status


@NEEDS_ENGINE
def test_the_report_names_the_image(desk: Desk, image: ContainerImage) -> None:
    ended = desk.grade_apart(*desk.run_words(desk.write(lab.NAIVE), "--container", image.name))
    report = desk.report()
    assert report is not None
    assert report.machine.versions["container"] == f"{image.name} {image.digest}"
    assert image.name in ended.stderr


@NEEDS_ENGINE
def test_the_image_says_which_backend_it_is_for(image: ContainerImage) -> None:
    chosen = launchers.choose(None, image.name)
    assert chosen.machine.backend is Backend.SIMULATOR
    assert chosen.machine.reason == "the image is built for it"
    with pytest.raises(UsageError, match="has no CUDA toolkit"):
        launchers.choose(Backend.CUDA, image.name)


@NEEDS_ENGINE
@pytest.mark.usefixtures("image")
def test_a_missing_image_is_named_and_never_pulled(desk: Desk, tmp_path: Path) -> None:
    with line_to_engine(tmp_path) as line:
        words = desk.run_words(desk.write(lab.NAIVE), "--container", "no/such:image")
        ended = desk.grade_apart(*words, DOCKER_HOST=f"unix://{line.path}")
        assert b"images/create" not in line.asked
        assert b"no/such:image" in line.asked
    assert ended.status == 2
    assert "has no image no/such:image" in ended.words
    assert "docker pull no/such:image" in ended.words


def test_a_missing_engine_is_a_grader_error(desk: Desk) -> None:
    ended = desk.grade_apart("check", desk.write(lab.NAIVE), "--container", "any", DOCKER_HOST="unix:///nowhere.sock")
    assert ended.status == 3
    assert "The container engine does not answer." in ended.words
    assert "DOCKER_HOST" in ended.words


@NEEDS_ENGINE
@pytest.mark.usefixtures("image")
def test_an_engine_that_dies_in_the_middle_is_a_grader_error(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = corpus.named("broken/infinite_loop").read_text()
    with line_to_engine(tmp_path) as line:
        words = desk.run_words(desk.write(endless), "--container", engine.IMAGE, case_seconds=30)
        judge = desk.start(*words, DOCKER_HOST=f"unix://{line.path}", PYTHONWARNINGS=WITHOUT_SOCKETS)
        assert wait_until(lambda: len(line.created()) >= 2), "one to compile in, one to run in"
        line.cut()
        _, narration = judge.communicate(timeout=PATIENCE)
    assert judge.returncode == 3
    assert "The container engine does not answer." in " ".join(narration.split())
    assert "Traceback" not in narration
    report = desk.report()
    assert report is not None
    assert report.score is None
    monkeypatch.setenv("TMPDIR", str(desk.temporary))
    container.find(engine.IMAGE)
    assert engine.grader_containers() == []


@NEEDS_ENGINE
@pytest.mark.parametrize("order", ["stop", "remove_container"])
def test_a_container_that_is_ended_from_outside_is_a_grader_error(image: ContainerImage, order: str) -> None:
    with program(image, "import time; time.sleep(60)") as this_worker:
        ender = threading.Timer(0.5, tell_engine, [order, this_worker.box.name])
        ender.start()
        with pytest.raises(InfrastructureError, match="stopped from outside"):
            this_worker.ask(Open(), 30)
        ender.join()


def tell_engine(order: str, name: str) -> None:
    client = docker.from_env()
    given = {"timeout": 10} if order == "stop" else {"force": True}
    getattr(client.api, order)(name, **given)
    client.close()


@NEEDS_ENGINE
def test_an_engine_without_the_gpu_is_a_grader_error(nothing_stays: ContainerImage) -> None:
    start = partial(container.start, nothing_stays, "GPU-7")
    with (
        pytest.raises(InfrastructureError, match="cannot provide a GPU") as caught,
        worker(Backend.CUDA, Limits(), start),
    ):
        pass
    assert "NVIDIA Container Toolkit" in caught.value.hint


@NEEDS_ENGINE
def test_the_request_for_a_gpu_names_that_one_alone(
    image: ContainerImage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with line_to_engine(tmp_path) as line:
        monkeypatch.setenv("DOCKER_HOST", f"unix://{line.path}")
        with (
            pytest.raises(InfrastructureError),
            worker(Backend.CUDA, Limits(), partial(container.start, image, "GPU-7")),
        ):
            pass
        with worker(Backend.SIMULATOR, Limits(), start_in(image)) as this_worker:
            this_worker.finish_opening()
        with_gpu, without = (body["HostConfig"]["DeviceRequests"] for body in line.created())
    assert without in ([], None)
    assert with_gpu == [
        {"Driver": "", "Count": 0, "DeviceIDs": ["GPU-7"], "Capabilities": [["gpu"]], "Options": {}},
    ]


@NEEDS_ENGINE
def test_a_container_has_what_was_requested(image: ContainerImage) -> None:
    with program(image, "import time; time.sleep(60)", Limits(memory_mib=256)) as this_worker:
        client = docker.from_env()
        made = client.api.inspect_container(this_worker.box.name)
        client.close()
    host = made["HostConfig"]
    assert host["Memory"] == host["MemorySwap"] == (256 + container.WORKER_MIB) << 20
    assert host["NanoCpus"] > 0
    assert host["PidsLimit"] == container.PROCESSES
    assert host["IpcMode"] == host["CgroupnsMode"] == "private"
    assert [mount["Source"] for mount in made["Mounts"]] == [str(this_worker.box)]
    assert host["NetworkMode"] == "none", "an engine's own default would be none as well where it has no bridge"
    assert not host["Privileged"]
    assert not host["Binds"]


def test_the_worker_is_the_judge_s_own_account_or_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    image = ContainerImage("any", "sha256:0", None, 1)
    monkeypatch.setattr(os, "getuid", lambda: 1234)
    monkeypatch.setattr(os, "getgid", lambda: 567)
    assert container.settings(image, "", tmp_path, Limits())["user"] == "1234:567"
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "getuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda _, user, group: given.append((user, group)))
    assert container.settings(image, "", tmp_path, Limits())["user"] == "65534:65534"
    assert given == [(65534, 65534)]


def test_no_more_processors_are_requested_than_the_engine_has(tmp_path: Path) -> None:
    image = ContainerImage("any", "sha256:0", None, processors=1)
    assert container.settings(image, "", tmp_path, Limits())["nano_cpus"] == 10**9


@pytest.mark.parametrize(
    ("processors", "named", "number"), [(4, "2,3", 2), (3, "", 2), (1, "", 1)], ids=["all there", "some", "fewer"]
)
def test_a_container_has_the_processors_that_its_judge_may_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processors: int, named: str, number: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 2}, raising=False)
    given = container.settings(ContainerImage("any", "sha256:0", None, processors), "", tmp_path, Limits())
    assert (given["cpuset_cpus"], given["nano_cpus"]) == (named, number * 10**9)


@NEEDS_ENGINE
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not pin processes")
def test_a_judge_on_one_processor_has_its_worker_see_that_one(image: ContainerImage) -> None:
    mine = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(mine)})
    try:
        with program(image, "import os; print(os.sched_getaffinity(0), flush=True)") as this_worker:
            assert wait_until(lambda: this_worker.printed().strip() == f"{{{max(mine)}}}"), this_worker.printed()
    finally:
        os.sched_setaffinity(0, mine)


@NEEDS_ENGINE
def test_the_image_grades_by_itself_and_writes_as_the_calling_user(image: ContainerImage, tmp_path: Path) -> None:
    (tmp_path / "matmul.cu").write_text(lab.NAIVE)
    lab.write_rubric(tmp_path)
    tmp_path.chmod(0o777)
    client = docker.from_env()
    printed = client.containers.run(
        image.name,
        ["grade", "run", "/submission/matmul.cu", "--rubric", "small.toml"],
        user="1234:567",
        network_mode="none",
        remove=True,
        volumes={str(tmp_path): {"bind": "/submission"}},
    )
    client.close()
    assert "correct at every size" in printed.decode()
    report = tmp_path / "grade-report" / "report.json"
    assert (report.stat().st_uid, report.stat().st_gid) == (1234, 567)
