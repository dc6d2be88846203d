"""Fills the shared memory of a device before a launch: a kernel that reads what it has not set finds no zeros there."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from grader.worker.cuda.device import Device
    from grader.worker.cuda.pycuda_types import CudaModule

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


class UnsetShared:
    """What shared memory holds before a launch. A driver without a compiler leaves it as it is."""

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
