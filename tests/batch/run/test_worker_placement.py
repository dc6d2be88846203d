"""How the workers on one machine share its CPU cores."""

import os
import signal
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from distributed import Client, Worker
from hypothesis import given
from hypothesis import strategies as some
from threadpoolctl import threadpool_info  # type: ignore[import-untyped]

from grader.batch.dask import clusters
from grader.batch.run import worker_placement
from grader.host import nvml, process
from grader.model import Backend, Limits
from grader.sandbox.starting import worker
from tests import lab
from tests.desk import wait_until

HAS_AFFINITY = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not pin processes")
CHILD = "import os; print(*sorted(os.sched_getaffinity(0)))"


@given(processors=some.lists(some.integers(0, 999), min_size=1, max_size=70, unique=True), workers=some.integers(1, 90))
def test_groups_are_equal_never_empty_and_disjoint_if_there_are_enough_cores(processors: list[int], workers: int):
    divided = worker_placement.groups(processors, workers)
    assert [len(group) for group in divided] == [max(1, len(processors) // workers)] * workers
    shared = [*chain(*divided)]
    assert {*shared} <= {*processors}
    assert len({*shared}) == min(len(shared), len(processors))


def test_the_cores_of_a_group_are_neighbours():
    assert worker_placement.groups([0, 4, 1, 5, 2, 6, 3, 7], 3) == [[0, 4], [1, 5], [2, 6]]
    assert worker_placement.groups([8, 9], 3) == [[8], [9], [8]]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch):
    """A function that pretends a number of CPU cores, and returns the share of each worker's environment."""

    def environments(processors: int, workers: int | None, backend: Backend = Backend.SIMULATOR) -> list[str]:
        monkeypatch.setattr(worker_placement, "processors", lambda: [*range(processors)])
        return [environment[worker_placement.SHARE] for environment in worker_placement.environments(backend, workers)]

    return environments


def test_by_default_there_is_a_worker_for_every_four_cores(seen):
    assert [len(seen(number, None)) for number in (1, 2, 4, 7, 8, 16, 64)] == [1, 1, 1, 1, 2, 4, 16]
    assert seen(8, None) == ["0,1,2,3", "4,5,6,7"]


def test_blas_has_one_thread_in_each_worker(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(worker_placement, "processors", lambda: [*range(6)])
    environments = worker_placement.environments(Backend.SIMULATOR, 2)
    assert {environment["OPENBLAS_NUM_THREADS"] for environment in environments} == {"1"}


def test_gpus_divide_the_cores_in_their_order(seen, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(nvml, "visible_gpus", lambda: ("0", "1"))
    monkeypatch.setattr(nvml, "memory_bytes", lambda: 80 << 30)
    assert seen(8, None, Backend.CUDA) == ["0,1,2,3", "4,5,6,7"]
    assert seen(8, 1, Backend.CUDA) == ["0,1,2,3,4,5,6,7"]


@pytest.mark.parametrize(
    ("processors", "gigabytes", "workers"), [(64, 80, 8), (128, 80, 8), (16, 80, 4), (4, 80, 2), (64, 8, 2), (64, 4, 2)]
)
def test_a_gpu_has_as_many_workers_as_cores_and_memory_allow(
    processors: int, gigabytes: int, workers: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(nvml, "visible_gpus", lambda: ("0", "1"))
    monkeypatch.setattr(nvml, "memory_bytes", lambda: gigabytes << 30)
    monkeypatch.setattr(worker_placement, "processors", lambda: [*range(processors)])
    gpus = [each["CUDA_VISIBLE_DEVICES"] for each in worker_placement.environments(Backend.CUDA, None)]
    assert gpus == sorted(gpus)
    assert [gpus.count(gpu) for gpu in ("0", "1")] == [workers // 2] * 2


def test_the_threads_of_a_core_are_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for processor in range(4):
        topology = tmp_path / f"sys/devices/system/cpu/cpu{processor}/topology"
        topology.mkdir(parents=True)
        (topology / "physical_package_id").write_text("0\n")
        (topology / "thread_siblings_list").write_text(f"{processor % 2},{processor % 2 + 2}\n")
    monkeypatch.setattr(worker_placement, "Path", lambda name: tmp_path / name.lstrip("/"))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3}, raising=False)
    assert worker_placement.processors() == [0, 2, 1, 3]


def test_where_processes_cannot_be_pinned_they_share_everything(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.delattr(os, "sched_setaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert sorted(worker_placement.processors()) == [0, 1, 2]
    worker_placement.keep_to_share({worker_placement.SHARE: "0"})


def may_use() -> list[list[int]]:
    """The CPU cores of every thread of a worker, of a process that it starts, and of a simulated submission."""
    threads = {tuple(sorted(os.sched_getaffinity(int(path.name)))) for path in Path("/proc/self/task").iterdir()}
    child = process.run([sys.executable, "-c", CHILD], cwd=Path.cwd(), seconds=30).output
    with worker(Backend.SIMULATOR, Limits()) as this_worker:
        this_worker.finish_opening()
        inside = os.sched_getaffinity(lab.guardian_of(this_worker).pid)
    return [*map(list, threads), [int(word) for word in child.split()], sorted(inside)]


def of_each(client: Client) -> list[list[list[int]]]:
    workers = sorted(clusters.workers(client))
    return [client.submit(may_use, workers=[worker], pure=False).result() for worker in workers]


def blas_threads() -> list[int]:
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def callbacks(dask_worker: Worker) -> set[str]:
    return set(dask_worker.periodic_callbacks)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("OPENBLAS_NUM_THREADS", raising=False)  # the suite's own, which would count
        with clusters.local(worker_placement.environments(Backend.SIMULATOR, 2), gpu=False) as started:
            yield started


def test_blas_has_one_thread_in_a_worker_which_is_not_profiled_because_that_may_stop_it(client: Client):
    assert client.submit(blas_threads).result() == [1]
    for names in client.run(callbacks).values():
        assert "heartbeat" in names
        assert not {name for name in names if "profile" in name}


@HAS_AFFINITY
def test_workers_their_processes_and_who_replaces_a_lost_one_stay_on_their_own_cores(client: Client):
    mine = worker_placement.processors()
    cores, first = of_each(client), {*clusters.workers(client)}
    os.kill(client.submit(os.getpid, pure=False).result(), signal.SIGKILL)
    assert wait_until(lambda: len({*clusters.workers(client)} - first) == 1 and len(clusters.workers(client)) == 2)
    assert sorted(of_each(client)) == sorted(cores)
    alike = [usable[0] for usable in cores]
    assert cores == [[share] * 3 for share in alike], "all of its threads, and what it starts"
    assert sorted(alike) == sorted(sorted(group) for group in worker_placement.groups(mine, 2))
    assert worker_placement.processors() == mine, "the command itself is not confined"


@pytest.mark.parametrize(
    ("gpus", "names"),
    [
        ([], ["worker 1", "worker 2"]),
        (["GPU-a", "GPU-a", "GPU-b"], ["GPU 0, worker 1", "GPU 0, worker 2", "GPU 1, worker 3"]),
    ],
)
def test_workers_are_named_after_their_gpus(gpus: list[str], names: list[str]):
    environments = [{"CUDA_VISIBLE_DEVICES": gpu} for gpu in gpus] or [{}, {}]
    assert worker_placement.names(environments) == names
