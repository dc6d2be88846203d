import resource

from grader.contract.files import LARGEST_FILE
from grader.model import Backend, Limits
from grader.sandbox.starting import worker
from tests import lab


def test_a_worker_dumps_no_core_and_fills_no_disk():
    with worker(Backend.SIMULATOR, Limits()) as this_worker:
        this_worker.finish_opening()
        (process,) = lab.guardian_of(this_worker).children()
        assert process.rlimit(resource.RLIMIT_CORE) == (0, 0)
        assert process.rlimit(resource.RLIMIT_FSIZE)[1] <= LARGEST_FILE
