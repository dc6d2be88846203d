"""The grader's own kernels around the timed launches, compiled once and kept."""

from __future__ import annotations

from pathlib import Path

from grader.contract import box_cache
from grader.errors import InfrastructureError
from grader.host import cache, toolkit
from grader.host.process import run
from grader.model import Limits
from grader.worker.cuda.device import Device
from grader.worker.cuda.pycuda_types import CudaModule


def trusted_module(device: Device, box: Path) -> CudaModule:
    """Those kernels on the device."""
    target = _compiled(Path(__file__).with_name("bench.cu"), device.architecture, Limits(), box)
    module: CudaModule = device.driver.module_from_buffer(target.read_bytes())
    return module


def _compiled(source: Path, architecture: str, limits: Limits, box: Path) -> Path:
    """Build one of the grader's own files, with a cache. Raises InfrastructureError if that fails."""
    nvcc = toolkit.require()
    name = f"{cache.key('trusted', source.read_bytes(), architecture, toolkit.version(nvcc, box))}.cubin"
    target = box / "trusted.cubin"
    kept = box_cache.find(box, name, box_cache.GIVEN_TRUSTED, box_cache.ADDED_TRUSTED)
    if kept is not None:
        target.write_bytes(kept)
    else:
        command = [str(nvcc), f"-arch={architecture}", "-std=c++17", "-O3", "-cubin", str(source), "-o", str(target)]
        ended = run(command, cwd=box, seconds=limits.compile_seconds)
        if ended.code != 0:
            raise InfrastructureError(f"{source.name} does not compile here: {ended.output[:400].decode()}")
        box_cache.add(box, name, target.read_bytes(), box_cache.ADDED_TRUSTED)
    return target
