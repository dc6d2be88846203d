"""Which backend this machine has, and why."""

from __future__ import annotations

from ctypes.util import find_library
from dataclasses import replace
from importlib.util import find_spec

from grader.errors import InfrastructureError
from grader.messages import Probe, Probed
from grader.model import Backend, Limits, Machine
from grader.sandbox import WorkerLost, worker

PROBE_SECONDS = 60.0


def choose(wanted: Backend | None) -> Machine:
    """The machine with the backend that was asked for, or with the GPU where there is one and the simulator otherwise.

    Raises InfrastructureError when the backend that was asked for is not to be had.
    """
    if wanted is not None:
        return replace(probe(wanted), reason="asked for")
    missing = missing_for_cuda()
    if missing:
        return replace(probe(Backend.SIMULATOR), reason=f"no GPU: {missing}")
    try:
        return replace(probe(Backend.CUDA), reason="a GPU was found")
    except InfrastructureError as error:
        return replace(probe(Backend.SIMULATOR), reason=f"the GPU cannot be used: {error.sentence}")


def missing_for_cuda() -> str:
    """The first thing that the CUDA backend lacks here, or nothing. Looks without loading any of it."""
    if find_library("cuda") is None:
        return "the NVIDIA driver is not installed"
    for module, package in (("pycuda", "PyCUDA"), ("nvmath", "nvmath-python"), ("pynvml", "nvidia-ml-py")):
        if find_spec(module) is None:
            return f"{package} is not installed"
    return ""


def probe(backend: Backend) -> Machine:
    """What a worker of this backend finds. Raises InfrastructureError."""
    if backend is Backend.CUDA and (missing := missing_for_cuda()):
        raise InfrastructureError(f"There is no usable GPU here: {missing}.", "Use --backend simulator, or see `grade doctor`.")
    with worker(backend, Limits(), {}) as one:
        try:
            answer = one.ask(Probe(), PROBE_SECONDS)
        except WorkerLost as lost:
            raise InfrastructureError("The worker did not start", lost.printed[-2000:]) from lost
    if not isinstance(answer, Probed):
        raise InfrastructureError("The worker did not say what it runs on")
    return answer.machine


