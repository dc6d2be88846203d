"""Nvcc as the front end: one run makes the PTX, the cubin, the host's stubs and the messages."""

import re
from concurrent.futures import Executor, ThreadPoolExecutor
from mmap import ACCESS_READ, mmap
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.contract.files import LARGEST_COMPILED
from grader.errors import InfrastructureError
from grader.host import toolkit
from grader.host.compilers import Nvcc, repair
from grader.host.confinement.mechanism import Confinement
from grader.host.stopped import Stopped
from grader.model.diagnostics import CompileFinding, ErrorKind, KernelLack, MissingLibraries, NoKernel
from grader.model.kernels import MOST_ARRAYS
from grader.ptxsim.records.fields import LocalArray
from grader.worker.found import NotCompiledError
from grader.worker.frontend import cubin, includes, local_arrays
from grader.worker.frontend.cubin import demangle
from grader.worker.frontend.diagnostics import MOST_QUOTED, Failure, finding, first_diagnostic
from grader.worker.frontend.entries import without_comments
from grader.worker.frontend.error_kinds import error_kind
from grader.worker.frontend.includes import Included, in_messages, in_preprocessed, in_rule, refuse_foreign, search_path
from grader.worker.frontend.job import HEADERS, INCLUDE, OF_C, CompileJob, Image, Setup, header_folders, lay_out
from grader.worker.frontend.running import Compilation, run_compiler
from grader.worker.frontend.source_text import with_instance

KEPT, EMPTY = "kept", "kept/empty.cpp"
STRING = re.compile(r'"[^"]*"')
MOST_KEPT = 32 << 20  # bytes of a file; twice what the simulator takes, which refuses it by its length
CUBIN = "submission.cubin"
WITHOUT_WARNINGS = ("-w", "-Xcompiler=-w")
# The host's stub of a kernel spells its parameters even where the kernel itself is extern "C".
STUB = re.compile(r"\b__device_stub_(_Z[\w$.]+)\(")


def options(job: CompileJob) -> tuple[str, ...]:
    """The command's words as a person would type them."""
    return (f"-arch={job.architecture}", "-std=c++17", *job.flags, "-cubin", "-lineinfo")


def compile_image(nvcc: Nvcc, job: CompileJob, box: Path, confinement: Confinement) -> Image:
    """Compile in fresh folders of the box, so that the file cannot change between reading and compiling.

    Raises NotCompiledError if the file does not compile, InfrastructureError for what the machine is at fault for.
    """
    # The search runs in the folder too, so the folder outlives it.
    with TemporaryDirectory(dir=box, prefix="compile-") as name, ThreadPoolExecutor(max_workers=1) as beside:
        return _image(Setup(nvcc, job, Path(name).resolve(), confinement), beside)


def _image(setup: Setup[Nvcc], beside: Executor) -> Image:
    job, folder = setup.job, setup.folder
    lay_out(job, with_instance(job.content, job.instance), folder)
    (folder / KEPT).mkdir()
    search = beside.submit(_search_path, setup)
    kept = "--keep", f"--keep-dir={KEPT}", job.name, "-o", CUBIN
    words = (*options(job), "--resource-usage", *kept)
    ended = _run(setup, words)
    if ended.stopped is Stopped.OUTPUT:  # too many warnings are not a mistake
        ended = _run(setup, (*words, *WITHOUT_WARNINGS))
    included = [*_included(folder, job.name), *in_messages(ended.output, job.name)]
    if setup.confinement is Confinement.NONE:  # which reads what the text of the file does not name, such as #embed
        listed = _dependencies(setup)
        included += in_rule(listed.output) if listed.code == 0 else []
    if included:
        refuse_foreign(included, folder, search.result())
    ptx = without_comments(_kept(folder, "*.ptx"))
    if ended.code != 0:
        raise NotCompiledError(_finding(setup, Failure(ended, ptx)))
    compiled = _whole(setup, ptx)
    stubs = sorted(set(STUB.findall(_kept(folder, "*.cudafe1.stub.c"))))
    return Image(ptx, compiled, tuple(map(demangle, stubs)), ended.output, _arrays(setup, ptx))


def _whole(setup: Setup[Nvcc], ptx: str) -> bytes:
    """Return the cubin. Raises InfrastructureError if a compiler that reported no error left none, or a part."""
    path = setup.folder / CUBIN
    content = path.read_bytes() if path.is_file() else b""
    symbols = cubin.kernels_if_whole(path) if content else None
    braces = STRING.sub("", ptx)
    is_damaged = symbols is None or braces.count("{") != braces.count("}") or any(name not in ptx for name in symbols)
    if is_damaged and len(content) < LARGEST_COMPILED and len(ptx) < MOST_KEPT:  # both may be cut off at these
        raise InfrastructureError(f"{setup.compiler.label} reported no error, but left a damaged program.", repair())
    return content


def _arrays(setup: Setup[Nvcc], ptx: str) -> tuple[LocalArray, ...]:
    """Return the local arrays of a file that has any, as far as a second run shows them."""
    if not local_arrays.merged(ptx) or len(ptx) >= MOST_KEPT:
        return ()
    words = (*options(setup.job)[:-2], "-ptx", "-lineinfo", *WITHOUT_WARNINGS, *local_arrays.PRINTED, setup.job.name)
    ended = _run(setup, (*words, "-o", f"{KEPT}/arrays"))
    found = local_arrays.local_arrays(ptx, ended.output)
    return found if len(found) <= MOST_ARRAYS else ()


def _finding(setup: Setup[Nvcc], failure: Failure) -> CompileFinding:
    """Return why the file does not compile."""
    job, first = setup.job, first_diagnostic(failure.log)
    if first and job.instance and (first.line or 0) > job.content.count(b"\n") + 1:
        return NoKernel(job.instance, KernelLack.INSTANCE)
    rule = _dependencies(setup).output if first and _is_of_a_library(first.text) else ""
    if first and (stand_ins := tuple(dict.fromkeys(includes.STAND_IN.findall(rule)))):
        return MissingLibraries(stand_ins, first.text[:MOST_QUOTED])
    return finding(failure, job.name, job.limits, job.content)


def _is_of_a_library(message: str) -> bool:
    """Whether an error may be one because a library is missing; a kernel may never call its functions."""
    return includes.NAMES.search(message) is not None and error_kind(message, "")[0] is not ErrorKind.HOST_FUNCTION


def _search_path(setup: Setup[Nvcc]) -> tuple[str, ...]:
    """Return where the compiler looks for headers, and the submission, which may include itself."""
    (setup.folder / EMPTY).touch()
    ended = _run(setup, (*setup.job.flags, "-E", "-Xcompiler=-v", EMPTY))
    if listed := search_path(ended.output):
        return (*listed, HEADERS, setup.job.name)
    said = ended.output.strip(" .\n").partition("\n")[0][:200]
    answer = f'only "{said}"' if said else "nothing"
    raise InfrastructureError(f"Asked where it looks for headers, {setup.compiler.label} answers {answer}.", repair())


def _dependencies(setup: Setup[Nvcc]) -> Compilation:
    """The files that the preprocessor reads, as a rule for make."""
    quiet = "-Xcompiler=-fno-diagnostics-show-caret"
    return _run(setup, (*options(setup.job)[:-2], "-M", quiet, setup.job.name))


def _run(setup: Setup[Nvcc], words: tuple[str, ...]) -> Compilation:
    nvcc, job, folder = setup.compiler.path, setup.job, setup.folder
    quoted = (f"-Xcompiler=-iquote,{folder / OF_C}",) if job.headers else ()
    include = (*header_folders(job, folder), *quoted, f"-I{INCLUDE}", f"-Xcompiler=-idirafter,{includes.FOLDER}")
    readable = (*toolkit.nvcc_folders(nvcc), INCLUDE, includes.FOLDER)
    return run_compiler([str(nvcc), *include, *words], folder, readable, job.limits, setup.confinement)


def _kept(folder: Path, pattern: str) -> str:
    """Return the text of the intermediate file of that kind; empty if nvcc stopped before. A long one is cut."""
    for path in (folder / KEPT).glob(pattern):
        with path.open("rb") as file:
            return file.read(MOST_KEPT).decode("utf-8", "replace").replace(f"{folder}/", "")
    return ""


def _included(folder: Path, name: str) -> list[Included]:
    """The files that the preprocessed text names; it may be long, so it is mapped and not read."""
    included: list[Included] = []
    for path in (folder / KEPT).glob("*.ii"):
        if path.stat().st_size:
            with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as text:
                included += in_preprocessed(text, name)
    return included
