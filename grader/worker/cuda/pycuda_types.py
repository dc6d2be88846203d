"""The methods of PyCUDA objects that the backend uses; PyCUDA has no types of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, SupportsInt, TypeAlias

DeviceMemory: TypeAlias = SupportsInt  # an allocation, freed with the object; as an integer its address


class Stream(Protocol):
    """A CUDA stream; `handle` is its address."""

    handle: int

    def synchronize(self) -> None:
        """Wait until everything queued has run."""


class Queue(Protocol):
    """What queues a launch of a kernel."""

    def __call__(self, *arguments: Any, block: tuple[int, ...], grid: tuple[int, ...], stream: Stream,
                 shared: int = 0) -> None:  # fmt: skip
        """Queue a launch."""


class CudaFunction(Queue, Protocol):
    """A kernel of a module, with what the compiler gave it."""

    num_regs: int
    shared_size_bytes: int
    local_size_bytes: int
    max_threads_per_block: int

    prepared_async_call: Callable[..., None]

    def set_attribute(self, attribute: object, value: int) -> None:
        """Allow, for example, more dynamic shared memory."""

    def prepare(self, arg_types: str) -> None:
        """Set the types of the arguments of a prepared call."""


class CudaModule(Protocol):
    """A loaded cubin."""

    def get_function(self, name: str) -> CudaFunction:
        """The kernel with this symbol."""

    def get_global(self, name: str) -> tuple[DeviceMemory, int]:
        """The address and the bytes of the variable with this symbol."""


class CudaDevice(Protocol):
    """A device as the driver numbers it."""

    def get_attribute(self, attribute: object) -> int:
        """The value of a CUdevice_attribute."""

    def pci_bus_id(self) -> str:
        """The address on the PCI bus, by which NVML finds the device."""

    def compute_capability(self) -> tuple[int, int]:
        """Major and minor."""
