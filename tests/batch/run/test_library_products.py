"""Products that are computed once for a class, however many processes grade it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from grader.batch.run import library_products
from grader.batch.run.library_products import MOST_REQUESTS, CublasWorker, LibraryProducts
from grader.contract.inputs import RUNS
from grader.errors import InfrastructureError
from grader.host.gpu_lock import GpuLock
from grader.judge.launch_verdicts import Bytes
from grader.model import Backend, Case, Interface, Limits, Machine, Shape
from tests import lab

ROOT = Path(__file__).parents[3]
MACHINE = Machine(Backend.CUDA, "a test", "Linux", "NVIDIA H200")
INTERFACE = Interface("matmul", ("A", "B", "C", "N"))
FIRST, *SECOND = (Case(Shape(n, n, n), run, seed=1) for n, run in ((16, "first"), (16, "second"), (24, "second")))
LIMITS = Limits()


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADER_CACHE", str(tmp_path))


class Process:
    """A process of a class with its library, which notes what it computes."""

    def __init__(self, cannot: Case | None = None) -> None:
        self.products = LibraryProducts(MACHINE, INTERFACE, (FIRST, *SECOND))
        self.computed: list[Case] = []
        self.cannot = cannot

    def product(self, case: Case) -> Bytes:
        return self.products.product(case, lambda: self.compute(case))

    def compute(self, case: Case) -> Bytes:
        if case == self.cannot:
            raise InfrastructureError("The library failed.")
        self.computed.append(case)
        return np.full(4, case.shape.N % 251, np.uint8)


def test_one_process_computes_and_the_others_wait_for_each_product() -> None:
    first, second = Process(), Process()
    first.product(SECOND[0])
    assert list(second.product(SECOND[0])) == [16] * 4, "it waits for no other product"
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(second.product, SECOND[1])
        first.product(SECOND[1])
        assert list(waiting.result()) == [24] * 4
    assert (first.computed, second.computed) == (SECOND, [])


def test_only_the_first_grade_of_a_class_begins() -> None:
    first, second = Process(), Process()
    assert (first.products.begin(), second.products.begin()) == (True, False)
    first.product(SECOND[0])
    first.products.close()
    assert not second.products.begin()


def test_another_process_goes_on_when_the_grade_that_computed_has_ended() -> None:
    first, second = Process(), Process()
    first.product(SECOND[0])
    first.products.close()
    for case in SECOND:
        second.product(case)
    assert second.computed == SECOND[1:]


def test_other_inputs_and_other_devices_have_other_products() -> None:
    Process().product(SECOND[0])
    again, other = Process(), Process()
    again.products = LibraryProducts(MACHINE, INTERFACE, [replace(SECOND[0], seed=2)])
    again.product(replace(SECOND[0], seed=2))
    again.products.close()
    other.products = LibraryProducts(replace(MACHINE, device="NVIDIA H100"), INTERFACE, SECOND[:1])
    other.product(SECOND[0])
    assert len(again.computed) == len(other.computed) == 1


def test_a_product_that_fails_concerns_those_only_who_ask_for_it() -> None:
    failing = Process(cannot=SECOND[1])
    assert list(failing.product(SECOND[0])) == [16] * 4
    with pytest.raises(InfrastructureError):
        failing.product(SECOND[1])
    failing.products.close()
    assert list(Process().product(SECOND[1])) == [24] * 4


def test_large_products_are_computed_by_each_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_products, "MOST_BYTES", 4 * 16 * 16)
    processes = Process(), Process()
    for process in processes:
        for case in SECOND:
            process.product(case)
    assert [process.computed for process in processes] == [SECOND, SECOND[1:]]


def test_every_product_of_the_square_lab_is_shared() -> None:
    plan = lab.plan(Path("mine.cu"), ROOT / "rubrics" / "square.toml")
    every = plan.cases(Backend.CUDA)
    process, other = Process(), Process()
    process.products = other.products = LibraryProducts(MACHINE, plan.rubric.interface, every)
    wanted = [case for case in every if case.run == RUNS[1]]
    for case in wanted:
        process.product(case)
        other.product(case)
    assert (process.computed, other.computed) == (wanted, [])


def test_one_process_goes_on_for_one_that_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_products, "PATIENCE", 0.3)
    stopped, second, third = Process(), Process(), Process()
    assert stopped.products.begin()
    assert list(second.product(SECOND[0])) == [16] * 4
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(third.product, SECOND[1])
        assert list(second.product(SECOND[1])) == list(waiting.result()) == [24] * 4
    assert third.computed == []


@pytest.fixture
def library() -> Iterator[CublasWorker]:
    cublas = CublasWorker()
    yield cublas
    cublas.close()


def test_one_submission_after_another_has_the_same_worker_which_the_first_of_them_opens(library: CublasWorker):
    first = library.worker(Backend.CUDA, LIMITS)
    assert library.worker(Backend.CUDA, LIMITS) is first
    assert not first.opening


def test_no_process_starts_before_an_answer_is_waited_for(library: CublasWorker):
    library.worker(Backend.CUDA, LIMITS)
    process = library._process
    assert process.running is None
    with suppress(InfrastructureError):  # there is no GPU
        library.worker(Backend.CUDA, LIMITS).open_beside(GpuLock())
    assert process.running is not None


def test_a_worker_that_ended_is_replaced(library: CublasWorker):
    first = library.worker(Backend.CUDA, LIMITS)
    assert first.running.poll() is None
    first.running.kill()
    assert library.worker(Backend.CUDA, LIMITS) is not first


def test_other_limits_and_a_box_full_of_answers_ask_for_another_worker(library: CublasWorker):
    first = library.worker(Backend.CUDA, LIMITS)
    second = library.worker(Backend.CUDA, Limits(memory_mib=1))
    assert second is not first
    assert second.limits.memory_mib == 1
    second.asked = MOST_REQUESTS
    assert library.worker(Backend.CUDA, Limits(memory_mib=1)) is not second


def test_closing_leaves_no_process_and_no_box(library: CublasWorker):
    first = library.worker(Backend.CUDA, LIMITS)
    first.running.poll()
    process = library._process
    assert process.running is not None
    library.close()
    assert not first.box.exists()
    assert process.running.poll()
