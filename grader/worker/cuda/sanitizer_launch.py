"""One checked launch, watched by compute-sanitizer: `python -m grader.worker.cuda.sanitizer_launch BOX TOOL`.

Each matrix is an allocation without guards, so that memcheck sees every access beside it. For initcheck, C is left
unset, so that it sees reads of C before the kernel has written it; for the other tools, C is poisoned. So are further
matrices that the lab leaves unset.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from grader.contract import encoding, inputs
from grader.contract.files import matrix_file
from grader.contract.further import further, steps_at
from grader.contract.layout import GUARD, guarded, operands, store
from grader.contract.messages import Check
from grader.host.atomic_write import write_in_hostile_folder
from grader.worker.cuda import kernel
from grader.worker.cuda.device import Device, open_device
from grader.worker.cuda.pycuda_types import DeviceMemory
from grader.worker.cuda.sanitizer_records import REQUEST, Tool, pointers_file

RESERVED = 1024  # bytes at the start of shared memory that CUDA uses since compute capability 8.0 (Ampere Tuning Guide)


def main(box: Path, tool: Tool) -> None:
    """Make the launch of the request in the box once. Raises the driver's error if the kernel is stopped."""
    request = encoding.decode_request((box / REQUEST).read_text())
    if not isinstance(request, Check) or request.build is None:
        raise ValueError(f"{type(request).__name__} has no kernel")
    device = open_device()
    build = replace(request.build, artifact=str(box / request.build.artifact))
    shape, module = request.case.shape, kernel.load_module(device, build)
    steps = steps_at(build, request.launch, request.interface, shape)
    start = kernel.starter(device, [kernel.load(device, step, module) for step in steps], shape)
    matrices = _on_device(device, request, with_unset=tool is not Tool.INITCHECK)
    pointers = {name: int(memory) for name, memory in matrices.items()}
    places = {**pointers, "shared": RESERVED if device.capability >= (8, 0) else 0}
    write_in_hostile_folder(pointers_file(box, tool), json.dumps(places).encode(), 0o644)
    start(pointers)
    device.stream.synchronize()
    if tool is Tool.MEMCHECK:
        _leave(device, matrices, request, box)


def _on_device(device: Device, request: Check, *, with_unset: bool) -> dict[str, DeviceMemory]:
    """Allocate all matrices, and set their contents; what a lab leaves unset in C and others, only `with_unset`."""
    drawn = inputs.draw(request.case, request.interface, 0)
    matrices: dict[str, DeviceMemory] = {}
    for name, operand in operands(request.interface, request.case.shape).items():
        matrices[name] = device.driver.mem_alloc(operand.nbytes)
        if name != "C" or with_unset or drawn.C is not None:
            device.driver.memcpy_htod(matrices[name], store(drawn.by_name[name], operand, request.interface))
    for name, filled in further(request.interface, request.case.shape).items():
        matrices[name] = device.driver.mem_alloc(filled.nbytes)
        if with_unset or filled.byte != GUARD:
            device.driver.memset_d8(matrices[name], filled.byte, filled.nbytes)
    return matrices


def _leave(device: Device, matrices: dict[str, DeviceMemory], request: Check, box: Path) -> None:
    """Leave A, B and C in the box as every backend does: with guards, which were not on the device."""
    for name, operand in operands(request.interface, request.case.shape).items():
        elements = np.empty(operand.elements, operand.dtype)
        device.driver.memcpy_dtoh(elements, matrices[name])
        guarded(elements, operand).tofile(matrix_file(box, name, 0))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Tool(sys.argv[2]))
