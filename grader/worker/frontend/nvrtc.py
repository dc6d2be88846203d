"""NVRTC as the front end, where there is no nvcc: it needs no host compiler, and refuses host code.

nvcc may accept what it refuses, so a refusal is not a mistake of the submission's author.
"""

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.errors import InfrastructureError
from grader.host import toolkit
from grader.host.compilers import Nvrtc, repair
from grader.host.confinement.mechanism import Confinement
from grader.model.diagnostics import CompileFinding, RefusedByNvrtc, TooMuchShared
from grader.worker.found import NotCompiledError
from grader.worker.frontend import cubin, diagnostics, includes, nvrtc_program, source_text
from grader.worker.frontend.cubin import demangle
from grader.worker.frontend.entries import choose, entries, without_comments
from grader.worker.frontend.includes import Included, in_messages, refuse_foreign
from grader.worker.frontend.job import INCLUDE, CompileJob, Image, Setup, header_folders, lay_out
from grader.worker.frontend.running import Compilation, run_compiler

PROGRAM = Path(nvrtc_program.__file__)
COMPILED, CUBIN = "compiled.ptx", "compiled.cubin"
UNDERSTOOD = re.compile(r"-[DU]\w|-{1,2}(?:use_fast_math|fmad|ftz|prec-div|prec-sqrt|maxrregcount|extra-device)")
# An instance of this kernel is named after the type of another one. It is read before the submission's macros are.
PROBE = "lab_probe"
PROBE_HEADER = f"template <class T> __global__ void {PROBE}() {{}}\n"
PROBED = re.compile(rf"{PROBE}<void \(\*\)\((?P<types>.*)\)>")
PROBE_ENTRY = re.compile(rf"\n[^\n]*\.entry _Z\d+{PROBE}I\w+\(\)\n\{{.*?\n\}}\n", re.DOTALL)


def options(job: CompileJob) -> tuple[str, ...]:
    """Of nvcc's flags those that NVRTC knows. C++20, because designated initialisers are no extension of C++17 here."""
    flags = [flag for flag in job.flags if UNDERSTOOD.match(flag)]
    flags += [f"--pre{flag}" for flag in job.flags if flag in source_text.HEADER]
    return (f"-arch={job.architecture}", "-std=c++20", "--device-int128", *flags, "-lineinfo")


def compile_image(nvrtc: Nvrtc, job: CompileJob, box: Path, confinement: Confinement) -> Image:
    """Compile in a fresh folder of the box.

    Raises NotCompiledError if NVRTC refuses the file, InfrastructureError if it fails for every file.
    """
    with TemporaryDirectory(dir=box, prefix="compile-") as name:
        setup = Setup(nvrtc, job, Path(name).resolve(), confinement)
        lay_out(job, job.content, setup.folder)
        (setup.folder / f"{PROBE}.h").write_text(PROBE_HEADER)
        if probed := _probed(setup, job.kernel):
            return probed
        if job.instance and _run(setup, job.instance).code == 0:  # NVRTC instantiates the template that it has to name
            return _image(setup, "")
        return _of_another_name(setup)


def _of_another_name(setup: Setup[Nvrtc]) -> Image:
    """Return the image of a file whose only kernel has another name. Raises as `compile_image` does."""
    ended = _run(setup, "")
    if ended.code != 0:
        raise NotCompiledError(_finding(setup, ended))
    image = _image(setup, "")
    entry = choose(entries(image.ptx, cubin.kernels(setup.folder / CUBIN), ()), setup.job.kernel)
    return image if entry.symbol.startswith("_Z") else _probed(setup, entry.name) or image


def _probed(setup: Setup[Nvrtc], kernel: str) -> Image | None:
    """The image with the kernel's declaration, or nothing where the file has no such kernel."""
    ended = _run(setup, f"{PROBE}<decltype(&{kernel})>")
    return _image(setup, kernel) if ended.code == 0 else None


def _image(setup: Setup[Nvrtc], kernel: str) -> Image:
    folder = setup.folder
    ptx = _ptx(folder)
    declarations: tuple[str, ...] = ()
    if kernel:
        probed = PROBED.search(demangle((folder / "compiled.name").read_text()))
        declarations = (f"{kernel}({probed['types']})",) if probed else ()
    log = (folder / "compiled.log").read_text("utf-8", "replace")
    _refuse_foreign(setup, log, ptx)
    return Image(PROBE_ENTRY.sub("\n", ptx), (folder / CUBIN).read_bytes(), declarations, log)


def _ptx(folder: Path) -> str:
    return without_comments((folder / COMPILED).read_bytes().decode("utf-8", "replace").replace(f"{folder}/", ""))


def _refuse_foreign(setup: Setup[Nvrtc], log: str, ptx: str = "") -> None:
    """Before a message is shown, which quotes a line: NVRTC lists no files, but its messages and its PTX name them."""
    included = [*in_messages(log, setup.job.name), *(Included(path) for _, path in diagnostics.FILE.findall(ptx))]
    refuse_foreign(included, setup.folder, map(str, (*_include(), setup.folder)))


def _finding(setup: Setup[Nvrtc], ended: Compilation) -> CompileFinding:
    """Return why NVRTC refuses the file. Raises InfrastructureError if NVRTC did not run."""
    label, job, path = setup.compiler.label, setup.job, setup.folder / "compiled.log"
    log = path.read_text("utf-8", "replace") if path.exists() else ""
    _refuse_foreign(setup, log)
    failure = diagnostics.Failure(Compilation(ended.code, ended.stopped, ended.seconds, log))
    if failure.limited or ended.code < 0:
        return diagnostics.finding(failure, job.name, job.limits)
    if ended.code != nvrtc_program.NOT_COMPILED or ended.output:
        raise InfrastructureError(f"{label} does not work here: {(ended.output or log)[-400:]}", repair())
    found = diagnostics.finding(failure, job.name, job.limits)
    if isinstance(found, TooMuchShared) or diagnostics.REFUSED_FILE.search(log):
        return found
    first = diagnostics.first_diagnostic(log)
    text = first.text[:400] if first else log.strip()[:400]
    line = first.line if first and diagnostics.is_file(first.file, job.name) else None
    return RefusedByNvrtc(label, text, line or 0, log[: diagnostics.LOG_BYTES])


def _include() -> tuple[Path, ...]:
    """The folders of headers that a submission may include."""
    headers = (folder for root in toolkit.wheels() for folder in (root / "include", root / "include/cccl"))
    return (INCLUDE, *headers, includes.NVRTC_FOLDER, includes.FOLDER)


def _run(setup: Setup[Nvrtc], expression: str) -> Compilation:
    library, job, folder = setup.compiler.library, setup.job, setup.folder
    include = _include()
    folders = *header_folders(job, folder), *(f"-I{path}" for path in include)
    words = *options(job), f"--pre-include={PROBE}.h", "--ptxas-options=-v", *folders
    command = [sys.executable, "-I", "-S", str(PROGRAM), str(library), job.name, expression, *words]
    python = (Path(sys.executable), Path(sys.prefix), Path(sys.base_prefix), PROGRAM)
    readable = (*python, *toolkit.compiler_folders(), *include)
    variables = {"LD_LIBRARY_PATH": str(library.parent)}
    return run_compiler(command, folder, readable, job.limits, setup.confinement, variables)
