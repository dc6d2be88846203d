"""The grader's own kernels around the timed launches, compiled once and kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from grader.contract import files
from grader.errors import InfrastructureError
from grader.host import cache
from grader.host.compilers import find_compiler
from grader.host.confinement.mechanism import strongest
from grader.model import Limits
from grader.model.diagnostics import CompilerError
from grader.worker.found import NotCompiledError

if TYPE_CHECKING:
    from grader.worker.cuda.device import Device
    from grader.worker.cuda.pycuda_types import CudaModule

SOURCE = Path(__file__).with_name("bench.cu")


def trusted_module(device: Device, box: Path) -> CudaModule:
    """Those kernels on the device."""
    module: CudaModule = device.driver.module_from_buffer(compiled(device.architecture, box))
    return module


def compiled(architecture: str, box: Path) -> bytes:
    """Return their cubin, with a cache. Raises InfrastructureError if they do not compile."""
    content, compiler = SOURCE.read_bytes(), find_compiler(architecture).label
    name = f"{cache.key('trusted', content, architecture, compiler)}.cubin"
    kept = files.find(box, name, files.GIVEN_TRUSTED, files.ADDED_TRUSTED)
    if kept is None:
        kept = _compiled(content, architecture, box)
        files.add(box, name, kept, files.ADDED_TRUSTED)
    return kept


def _compiled(content: bytes, architecture: str, box: Path) -> bytes:
    from grader.worker.frontend.compiling import compile_image  # takes long to import
    from grader.worker.frontend.job import CompileJob

    job = CompileJob(SOURCE.name, content, "gate", ("-O3",), architecture, Limits())
    try:
        return compile_image(find_compiler(architecture), job, box, strongest()).cubin
    except NotCompiledError as error:
        said = error.finding.text if isinstance(error.finding, CompilerError) else type(error.finding).__name__
        raise InfrastructureError(f"{SOURCE.name} does not compile here: {said}") from error
