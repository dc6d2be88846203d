"""What a worker of a class finds around it."""

from __future__ import annotations

import os
from pathlib import Path

from threadpoolctl import threadpool_info

from grader.batch import cluster, places
from grader.model import Backend


def blas_threads() -> list[int]:
    return [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]


def born_with() -> bytes:
    """The environment that the process was started with, which NumPy was loaded in."""
    return Path("/proc/self/environ").read_bytes()


def test_a_worker_multiplies_with_its_share_of_the_cores():
    with cluster.local(places.environments(Backend.SIMULATOR, 1), gpu=False) as client:
        assert client.submit(blas_threads).result() == [os.cpu_count()]
        assert b"OPENBLAS_THREAD_TIMEOUT=14" in client.submit(born_with).result()
