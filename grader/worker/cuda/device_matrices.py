"""The matrices of a launch on the device, and the files to which A, B and C are saved afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from grader.contract.further import Filled
from grader.model import MatrixFile
from grader.worker.cuda.device import Device
from grader.worker.cuda.drawing import Contents
from grader.worker.cuda.pycuda_types import DeviceMemory

COUNT = 3  # A, B and C


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

    def upload(self, drawn: Contents, files: Mapping[str, MatrixFile]) -> dict[str, int]:
        """Copy the contents of the files to the device. Return the address of each matrix there, behind its guard."""
        for name, file in files.items():
            self._make_room(name, file.before + file.nbytes + file.after)
            self._driver.memcpy_htod(self._device[name], drawn.pop(name))  # frees the contents
        return {name: int(self._device[name]) + file.before for name, file in files.items()}

    def fill(self, further: Mapping[str, Filled]) -> dict[str, int]:
        """Fill the matrices that are not compared. Return the address of each."""
        for name, filled in further.items():
            if name not in self._further or self._further[name][1] != filled.nbytes:
                self._further[name] = self._driver.mem_alloc(filled.nbytes), filled.nbytes
            self._driver.memset_d8(self._further[name][0], filled.byte, filled.nbytes)
        return {name: int(self._further[name][0]) for name in further}

    def save(self, files: Mapping[str, MatrixFile]) -> None:
        """Copy the matrices back, and write each to its file while the next one is copied."""
        writing = []
        for name, file in files.items():
            self._driver.memcpy_dtoh(self._host[name], self._device[name])
            writing.append(self._writers.submit(self._host[name].tofile, file.path))
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
