"""The memory of the device before a launch, matrices and shared memory, and the files to which A, B and C are saved."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grader.contract.further import Filled
from grader.contract.layout import BAND, guarded_bytes
from grader.model import Operand
from grader.worker.cuda.device import Device
from grader.worker.cuda.drawing import Contents
from grader.worker.cuda.pycuda_types import CudaModule, DeviceMemory

COUNT = 3  # A, B and C
NAN = 0xFF  # the byte of one, in every type
WORD = 0x01010101  # times a byte: four of it
THREADS = 1024
# The driver compiles it, for devices from this architecture on: a worker that checks may have no other compiler.
OLDEST = (7, 5)
PTX = b"""
.version 6.3
.target sm_75
.address_size 64
.extern .shared .align 4 .b8 memory[];
.visible .entry fill(.param .u32 word, .param .u32 bytes)
{
    .reg .pred %done;
    .reg .b32 %word, %bytes, %at, %step, %first, %to;
    ld.param.u32 %word, [word];
    ld.param.u32 %bytes, [bytes];
    mov.u32 %first, memory;
    mov.u32 %at, %tid.x;
    shl.b32 %at, %at, 2;
    mov.u32 %step, %ntid.x;
    shl.b32 %step, %step, 2;
again:
    setp.ge.u32 %done, %at, %bytes;
    @%done ret;
    add.u32 %to, %first, %at;
    st.volatile.shared.u32 [%to], %word;
    add.u32 %at, %at, %step;
    bra again;
}
"""


class DeviceMatrices:
    """Memory for them, on the device and for copies: reused while the size stays the same.

    Fresh memory of the host takes as long as a copy, because the system clears it.
    """

    def __init__(self, device: Device) -> None:
        self._driver = device.driver
        self._device: dict[str, DeviceMemory] = {}
        self._host: dict[str, NDArray[np.uint8]] = {}
        self._further: dict[str, tuple[DeviceMemory, int]] = {}
        self._writers = ThreadPoolExecutor(COUNT)

    def upload(self, drawn: Contents, memory: Mapping[str, Operand]) -> dict[str, int]:
        """Copy the contents to the device. Return the address of each matrix there, behind its guard."""
        for name, operand in memory.items():
            self._make_room(name, guarded_bytes(operand))
            self._driver.memcpy_htod(self._device[name], drawn.pop(name))  # frees the contents
        return {name: int(self._device[name]) + BAND for name in memory}

    def fill(self, further: Mapping[str, Filled]) -> dict[str, int]:
        """Fill the matrices that are not compared. Return the address of each."""
        for name, filled in further.items():
            if name not in self._further or self._further[name][1] != filled.nbytes:
                self._further[name] = self._driver.mem_alloc(filled.nbytes), filled.nbytes
            self._driver.memset_d8(self._further[name][0], filled.byte, filled.nbytes)
        return {name: int(self._further[name][0]) for name in further}

    def save(self, files: Mapping[str, Path]) -> None:
        """Copy the matrices back, and write each to its file while the next one is copied."""
        writing = []
        for name, file in files.items():
            self._driver.memcpy_dtoh(self._host[name], self._device[name])
            writing.append(self._writers.submit(self._host[name].tofile, file))
        for written in writing:
            written.result()

    def clear(self) -> None:
        """Free the memory."""
        self._device.clear()
        self._host.clear()
        self._further.clear()

    def _make_room(self, name: str, nbytes: int) -> None:
        if name not in self._host or self._host[name].size != nbytes:
            self._device[name] = self._driver.mem_alloc(nbytes)
            self._host[name] = np.empty(nbytes, np.uint8)


class UnsetShared:
    """What shared memory holds before a launch: a kernel that reads what it has not set finds no zeros there.

    A driver without a compiler leaves it as it is.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self._bytes = device.attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")
        self._blocks = device.attribute("MULTIPROCESSOR_COUNT")  # one block has all memory of one
        self._module: CudaModule | None = None
        with suppress(device.driver.Error):
            if device.capability >= OLDEST:
                self._module = device.driver.module_from_buffer(PTX)

    def fill(self, byte: int | None) -> None:
        """Queue a launch that fills it with a byte; None for that of a NaN."""
        if self._module is None:
            return
        function, driver = self._module.get_function("fill"), self._device.driver
        function.set_attribute(driver.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, self._bytes)
        word = np.uint32((NAN if byte is None else byte) * WORD)
        function(word, np.uint32(self._bytes), block=(THREADS, 1, 1), grid=(self._blocks, 1), shared=self._bytes,
                 stream=self._device.stream)  # fmt: skip
