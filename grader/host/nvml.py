"""NVIDIA's management library, which describes the GPUs of this machine without opening a context on them."""

from collections.abc import Iterator
from contextlib import contextmanager
from os import environ
from types import ModuleType

from grader.errors import InfrastructureError


@contextmanager
def session() -> Iterator[ModuleType]:
    """NVML, initialized. Raises InfrastructureError when its binding is missing or the GPU does not answer."""
    try:
        import pynvml  # part of the [cuda] extra
    except ModuleNotFoundError as error:
        raise InfrastructureError("nvidia-ml-py is not installed.", "pip install nvidia-ml-py") from error
    try:
        pynvml.nvmlInit()
        try:
            yield pynvml
        finally:
            pynvml.nvmlShutdown()
    except pynvml.NVMLError as error:
        hint = "Check it with nvidia-smi. If the driver was updated, restart the machine."
        raise InfrastructureError(f"The GPU does not answer: {error}.", hint) from error


def gpu_id() -> str:
    """The UUID of the first visible GPU, by which a container engine names it. Raises InfrastructureError."""
    with session() as nvml:
        return str(nvml.nvmlDeviceGetUUID(first_visible(nvml)))


def memory_bytes() -> int:
    """The memory of the first visible GPU. Raises InfrastructureError."""
    with session() as nvml:
        return int(nvml.nvmlDeviceGetMemoryInfo(first_visible(nvml)).total)


def visible_gpus() -> tuple[str, ...]:
    """Every visible GPU, by number or UUID as CUDA_VISIBLE_DEVICES names it. Raises InfrastructureError."""
    if named := _visible():
        return named
    with session() as nvml:
        return tuple(str(number) for number in range(nvml.nvmlDeviceGetCount()))


def first_visible(nvml: ModuleType) -> object:
    """NVML's handle of the device that CUDA calls number 0."""
    first = next(iter(_visible()), "0")
    return nvml.nvmlDeviceGetHandleByIndex(int(first)) if first.isdigit() else nvml.nvmlDeviceGetHandleByUUID(first)


def _visible() -> tuple[str, ...]:
    names = (name.strip() for name in environ.get("CUDA_VISIBLE_DEVICES", "").split(","))
    return tuple(name for name in names if name)
