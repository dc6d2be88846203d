"""One cuBLAS worker for many submissions. It opens its backend on request only, so these tests need no GPU."""

from collections.abc import Iterator
from contextlib import suppress

import pytest

from grader.batch.run.cublas_worker import MOST_REQUESTS, CublasWorker
from grader.errors import InfrastructureError
from grader.host.gpu_lock import GpuLock
from grader.model import Backend, Limits

LIMITS = Limits()


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
