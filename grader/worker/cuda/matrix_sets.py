"""The sets of matrices on the device that the launches of one size rotate among."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from grader.worker.cuda.device import Device
from grader.worker.cuda.pycuda_types import DeviceMemory

CACHES = 2  # size of all sets over the L2 cache, so that no launch finds its inputs there
MOST_SETS = 400  # well below the 1024 launches that a stream queues before the host must wait
LEAST_SETS = 3
ALIGNMENT = 512  # bytes, of every matrix, as if it were allocated alone

Addresses: TypeAlias = dict[str, int]  # of A, B and C of one launch


@dataclass(frozen=True, slots=True)
class MatrixSets:
    """All matrices of a name lie in one allocation, `pitches` bytes apart."""

    count: int
    memory: Mapping[str, DeviceMemory]
    pitches: Mapping[str, int]

    def addresses(self, number: int) -> Addresses:
        """Return where the matrices of a set lie; after the last set follows the first."""
        return {name: int(memory) + number % self.count * self.pitches[name] for name, memory in self.memory.items()}


def allocate(device: Device, nbytes: Mapping[str, int]) -> MatrixSets:
    """Allocate as many sets as the L2 cache demands, of matrices with so many bytes."""
    count = set_count(sum(nbytes.values()), device.attribute("L2_CACHE_SIZE"))
    pitches = {name: -(-size // ALIGNMENT) * ALIGNMENT for name, size in nbytes.items()}
    memory = {name: device.driver.mem_alloc(count * pitch) for name, pitch in pitches.items()}
    return MatrixSets(count, memory, pitches)


def set_count(nbytes: int, cache: int) -> int:
    """Return the number of sets of so many bytes each, beside a cache of so many bytes."""
    return max(LEAST_SETS, min(MOST_SETS, -(-CACHES * cache // nbytes)))
