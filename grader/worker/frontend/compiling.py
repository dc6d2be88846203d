"""Compile a submission to PTX, as for a GPU: the same file, the same flags, the same compiler."""

import os
import struct
from dataclasses import dataclass, replace
from pathlib import Path

from grader.contract.files import LARGEST_COMPILED, file_name
from grader.contract.launch_limits import STATIC_SHARED
from grader.contract.messages import Compile
from grader.host import cache, toolkit
from grader.host.compilers import Compiler, Nvcc, find_compiler
from grader.host.confinement.mechanism import Confinement, strongest
from grader.host.cuda_versions import DEFAULT_ARCHITECTURE
from grader.model import Build, BuiltBefore, Launch, PtxFacts
from grader.model.diagnostics import KernelLack, LineDirective, NoKernel, NoLaunch, TooLarge
from grader.worker.found import NotCompiledError
from grader.worker.frontend import cubin, includes, nvcc, nvrtc, source_text
from grader.worker.frontend.cubin import NOTHING, Usage, usages, without_information
from grader.worker.frontend.diagnostics import LOG_BYTES, too_much_shared
from grader.worker.frontend.entries import Entry, choose, entries
from grader.worker.frontend.job import INCLUDE, CompileJob, Image, keep_error, keep_image, kept_error, kept_image
from grader.worker.frontend.running import FLAG_VARIABLES

FRONT_END = Path(__file__).parent
CUBIN = "submission.cubin"


@dataclass(frozen=True, slots=True)
class Program:
    """A submission as PTX, with its build, and as the `cubin` that a GPU would load."""

    build: Build
    ptx: str
    cubin: bytes


def compile_ptx(content: bytes, asked: Compile, box: Path, architecture: str = DEFAULT_ARCHITECTURE) -> Program:
    """Compile a submission and find the kernel that the interface names.

    Raises NotCompiledError for what its author can correct, InfrastructureError where no compiler works.
    """
    if line := source_text.line_directive(content):
        raise NotCompiledError(LineDirective(line))
    compiler, confinement = find_compiler(architecture), strongest()
    flags = (*asked.flags, *source_text.header(content), *includes.stand_ins(content))
    name, ordered = file_name(asked.source), source_text.in_order(content)
    (*before, (kernel, _)), template = asked.interface.kernels, asked.interface.template
    names = tuple(name for name, _ in before)
    job = CompileJob(name, ordered, kernel, flags, architecture, asked.limits, template, asked.headers, names)
    image = _cached(compiler, job, box, confinement)
    if len(image.cubin) >= LARGEST_COMPILED:  # the system may have cut it off, which the compiler does not notice
        raise NotCompiledError(TooLarge("file", LARGEST_COMPILED >> 20))
    path = box / CUBIN
    path.write_bytes(image.cubin)
    return _program(image, path, job, compiler)


def cubin_build(program: Program, box: Path) -> Build:
    """Leave in the box what a GPU loads."""
    (box / CUBIN).write_bytes(program.cubin)
    return replace(program.build, artifact=CUBIN, ptx_facts=None)


def ptx_build(program: Program, box: Path) -> Build:
    """Leave in the box what the simulator executes."""
    (box / program.build.artifact).write_bytes(program.ptx.encode())
    return program.build


def _program(image: Image, path: Path, job: CompileJob, compiler: Compiler) -> Program:
    """Return what an image, whose cubin is in `path`, holds of the kernel. Raises NotCompiledError if it has none."""
    found = _entries(image, path)
    if not found and source_text.is_template(job.content, job.kernel):
        raise NotCompiledError(NoKernel(job.kernel, KernelLack.ARGUMENTS))
    entry, launched = choose(found, job.kernel, job.template, job.before), (job.kernel, *job.before)
    before = tuple(_built(image, path, choose(found, name, others=launched)) for name in job.before)
    own, usage = _built(image, path, entry), _usage(image, entry)
    build = Build(
        artifact=f"{job.name}.ptx",  # the submission's name, as the PTX has it beside lines
        symbol=entry.symbol,
        parameters=own.parameters,
        launch=_launch(path, job.content),
        compiler=compiler.label,
        command=_command(compiler, job),
        log=without_information(image.log)[:LOG_BYTES],
        parameter_bytes=own.parameter_bytes,
        demands=own.demands,
        ptx_facts=PtxFacts(usage.registers, usage.spill_stores + usage.spill_loads, image.local_arrays),
        before=before,
    )
    return Program(build, image.ptx, image.cubin)


def _built(image: Image, path: Path, entry: Entry) -> BuiltBefore:
    """Return what an image says of one of its kernels. Raises NotCompiledError if no block may have its memory."""
    sizes, usage = cubin.parameter_bytes(path, entry.symbol), _usage(image, entry)
    if usage.static_shared > STATIC_SHARED:
        raise NotCompiledError(too_much_shared(usage.static_shared, image.log))
    kinds = entry.parameters if len(entry.parameters) == len(sizes) else ("other",) * len(sizes)
    return BuiltBefore(
        entry.symbol, kinds, sizes, cubin.demands(path, entry.symbol, usage.static_shared), usage.registers
    )


def _usage(image: Image, entry: Entry) -> Usage:
    return usages(image.log).get(entry.symbol, NOTHING)


def _entries(image: Image, path: Path) -> tuple[Entry, ...]:
    """Return the kernels of the file, of whose PTX only the start was read if it is long."""
    found = entries(image.ptx, cubin.kernels(path), image.declarations)
    if not found and len(image.ptx) > nvcc.MOST_KEPT // 2:
        raise NotCompiledError(TooLarge("ptx", nvcc.MOST_KEPT >> 20))
    return found


def _cached(compiler: Compiler, job: CompileJob, box: Path, confinement: Confinement) -> Image:
    """Return what was made of the same bytes before, or else compile now. Raises as `compile_ptx` does."""
    key = _key(compiler, job, confinement)
    if image := kept_image(box, key):
        return image
    if error := kept_error(box, key):
        raise NotCompiledError(error)
    try:
        image = compile_image(compiler, job, box, confinement)
    except NotCompiledError as refused:
        keep_error(box, key, refused.finding, job)
        raise
    keep_image(box, key, image)
    return image


def compile_image(compiler: Compiler, job: CompileJob, box: Path, confinement: Confinement) -> Image:
    """Compile with either compiler. Raises as `compile_ptx` does."""
    if isinstance(compiler, Nvcc):
        return nvcc.compile_image(compiler, job, box, confinement)
    return nvrtc.compile_image(compiler, job, box, confinement)


def _command(compiler: Compiler, job: CompileJob) -> tuple[str, ...]:
    """The command as a person would type it."""
    return ("nvcc", *nvcc.options(job)) if isinstance(compiler, Nvcc) else ("nvrtc", *nvrtc.options(job))


def _key(compiler: Compiler, job: CompileJob, confinement: Confinement) -> str:
    """Return what an image depends on: the file, the compiler and its words, the headers, and this front end itself."""
    environment = [os.environ.get(name, "") for name in FLAG_VARIABLES]
    own = cache.sources(FRONT_END), cache.sources(INCLUDE)
    programs = toolkit.stamp(compiler.path) if isinstance(compiler, Nvcc) else ""
    course = [each for header in job.headers for each in (header.name, header.sha256)]
    asked = job.kernel, job.template, confinement, *_command(compiler, job)
    return cache.key("ptx", job.name, job.content, *own, *environment, *course, compiler.label, programs, *asked)


def _launch(path: Path, content: bytes) -> Launch | None:
    try:
        return cubin.launch(path)
    except ValueError as error:
        raise NotCompiledError(source_text.zero_in_launch(content, str(error))) from error
    except struct.error as error:
        raise NotCompiledError(NoLaunch()) from error
