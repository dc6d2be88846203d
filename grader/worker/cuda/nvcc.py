"""Compile a submission to a cubin: device code only, so that no host code of a student ever runs."""

from __future__ import annotations

import re
import shutil
import struct
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from grader.contract.limit_faults import compiler_stopped
from grader.contract.messages import Compile
from grader.errors import InfrastructureError, SubmissionError
from grader.host import cache, toolkit
from grader.host.process import Exit, Stopped, run
from grader.model import Build, Fault, Interface, Launch, Limits, Verdict
from grader.worker.cuda import cubin
from grader.worker.cuda.nvcc_includes import refuse_foreign_includes

INCLUDE = Path(__file__).parents[2] / "include"
LOG_BYTES = 16384
ERROR = re.compile(
    r"^(?P<file>[^\s(]+)\((?P<line>\d+)\): (?:catastrophic )?error(?: #[\w-]+)?: (?P<text>.*)$", re.MULTILINE
)
PTXAS_ERROR = re.compile(r"^ptxas (?:error|fatal)\s*: (?P<text>.*)$", re.MULTILINE)
TOO_MUCH_SHARED = re.compile(r"uses too much shared data \((0x[0-9a-f]+) bytes, (0x[0-9a-f]+) max\)")


def compile_request(request: Compile, box: Path) -> Build:
    """Build what a request names; the artifact is named relative to the box."""
    build = compile_kernel(
        box / request.source, request.interface, request.flags, request.limits, box, request.architecture
    )
    return replace(build, artifact=Path(build.artifact).name)


def compile_kernel(
    source: Path, interface: Interface, flags: tuple[str, ...], limits: Limits, box: Path, architecture: str
) -> Build:
    """Build `source` for `architecture` (such as sm_90).

    Raises SubmissionError for what its author can fix, InfrastructureError if there is no nvcc.
    """
    nvcc = toolkit.require()
    release = toolkit.version(nvcc, box)
    base = [str(nvcc), f"-arch={architecture}", "-std=c++17", f"-I{INCLUDE}", *flags]
    refuse_foreign_includes(source, base, [INCLUDE.resolve(), nvcc.resolve().parents[1]], limits, box)
    command = [*base, "-cubin", "-lineinfo"]
    expression = interface.name
    try:
        target, log = _compile(source, expression, command, release, limits, box)
    except _EntryNotFoundError:
        target, log = _compile(source, "", command, release, limits, box)
        expression = _only_kernel(target, interface.name, box)
        target, log = _compile_named(source, expression, command, release, limits, box)
    symbol = _symbol(target, expression, box)
    kinds = tuple(parameter.kind for parameter in cubin.signature(target) or ())
    shown = ("nvcc", *(word for word in command[1:] if not word.startswith("-I")))
    return Build(str(target), symbol, kinds, _launch(target), f"nvcc {release}", shown, log)


def _compile_named(
    source: Path, expression: str, command: list[str], release: str, limits: Limits, box: Path
) -> tuple[Path, str]:
    """Compile for a name that was read from the cubin; C++ may have no expression for it."""
    try:
        return _compile(source, expression, command, release, limits, box)
    except _EntryNotFoundError as error:
        sentence = f"The kernel {expression} cannot be named from outside of the file."
        raise SubmissionError(Fault(Verdict.NO_KERNEL, sentence, 'Declare it extern "C" __global__.')) from error


def compile_trusted(source: Path, architecture: str, limits: Limits, box: Path) -> Path:
    """Build one of the grader's own files, cached like a submission. Raises InfrastructureError if that fails."""
    nvcc = toolkit.require()
    name = f"{cache.key('trusted', source.read_bytes(), architecture, toolkit.version(nvcc, box))}.cubin"
    target = box / "trusted.cubin"
    if not cache.fetch(name, target):
        command = [str(nvcc), f"-arch={architecture}", "-std=c++17", "-O3", "-cubin", str(source), "-o", str(target)]
        ended = run(command, cwd=box, seconds=limits.compile_seconds)
        if ended.code != 0:
            raise InfrastructureError(f"{source.name} does not compile here: {ended.output[:400].decode()}")
        cache.keep(name, target)
    return target


class _EntryNotFoundError(Exception):
    """The file compiles, but it has no kernel of the name that was asked for."""


def _compile(
    source: Path, expression: str, command: list[str], release: str, limits: Limits, box: Path
) -> tuple[Path, str]:
    """Compile the submission, followed by a macro that records the parameters of the kernel `expression`; cached."""
    signature = f"#include <lab_signature.h>\nLAB_SIGNATURE({expression});\n" if expression else ""
    wrapper = box / "wrapper.cu"
    wrapper.write_text(f'#include "{source.name}"\n{signature}')
    headers = b"".join(path.read_bytes() for path in sorted(INCLUDE.iterdir()))
    name = cache.key("cubin", source.name, source.read_bytes(), signature, headers, release, *command[1:])
    target, log = box / "submission.cubin", box / "compile.log"
    if cache.fetch(f"{name}.log", log) and cache.fetch(f"{name}.cubin", target):
        return target, log.read_text()
    ended = run([*command, f"-I{source.parent}", wrapper, "-o", target], cwd=box, seconds=limits.compile_seconds,
                memory_mib=limits.memory_mib)  # fmt: skip
    text = _readable(ended.output, source)
    _raise_for(ended, text, source.name, limits)
    log.write_text(text)
    cache.keep(f"{name}.cubin", target)
    cache.keep(f"{name}.log", log)
    return target, text


def _raise_for(ended: Exit, log: str, name: str, limits: Limits) -> None:
    if ended.stopped or ended.code < 0:  # a compiler that is killed ran out of memory
        raise SubmissionError(compiler_stopped(ended.stopped or Stopped.MEMORY, limits, log))
    if ended.code == 0:
        return
    errors = list(ERROR.finditer(log))
    if errors and all(match["file"].endswith(("wrapper.cu", "lab_signature.h")) for match in errors):
        raise _EntryNotFoundError
    if shared := TOO_MUCH_SHARED.search(log):
        raise _too_much_shared(int(shared[1], 16), int(shared[2], 16), log)
    first = errors[0] if errors else PTXAS_ERROR.search(log)
    text = first["text"] if first else log.strip().splitlines()[0] if log.strip() else "the compiler gave no reason"
    line = int(errors[0]["line"]) if errors and errors[0]["file"].endswith(name) else None
    raise _fault(
        f"It does not compile: {text}", "Fix the first error first: later ones often follow from it.", line, log
    )


def _too_much_shared(used: int, allowed: int, log: str) -> SubmissionError:
    return SubmissionError(Fault(
        Verdict.LAUNCH_FAILED,
        f"The kernel declares {used} bytes of static shared memory, and a block may have {allowed}.",
        "Use smaller tiles, or dynamic shared memory (extern __shared__ and LAUNCH(.shared = bytes)).",
        detail=log,
    ))  # fmt: skip


def _only_kernel(target: Path, wanted: str, box: Path) -> str:
    """The C++ expression for the kernel to grade: the one named `wanted`, or the only one in the file."""
    found = [_demangle(symbol, box) for symbol in cubin.kernels(target)]
    named = [kernel for kernel in found if _base(kernel) == wanted]
    candidates = named or found
    if len(candidates) == 1:
        return _name(candidates[0])
    if not found:
        raise SubmissionError(Fault(Verdict.NO_KERNEL, "There is no kernel in the file.",
                                    f'Write a function: extern "C" __global__ void {wanted}(...).'))  # fmt: skip
    close = get_close_matches(wanted, [_base(kernel) for kernel in found], 1)
    hint = f"Did you mean {close[0]}? Rename it to {wanted}." if close else f"Name the one to grade {wanted}."
    raise SubmissionError(Fault(Verdict.NO_KERNEL, f"None or several of the kernels in the file are named {wanted}: "
                                f"{', '.join(candidates)}.", hint))  # fmt: skip


def _launch(target: Path) -> Launch | None:
    try:
        return cubin.launch(target)
    except struct.error as error:
        sentence = "The variable lab_launch does not hold what LAUNCH(...) writes."
        hint = "Write LAUNCH(.block = {16, 16}, .tile = {16, 16}), and do not define lab_launch yourself."
        raise SubmissionError(Fault(Verdict.LAUNCH_FAILED, sentence, hint)) from error


def _symbol(target: Path, expression: str, box: Path) -> str:
    for symbol in cubin.kernels(target):
        if symbol == expression or _name(_demangle(symbol, box)) == expression:
            return symbol
    _only_kernel(target, expression, box)
    raise InfrastructureError(f"The cubin has no kernel {expression}")


def _demangle(symbol: str, box: Path) -> str:
    if not symbol.startswith("_Z"):
        return symbol
    demangler = shutil.which("c++filt") or "cu++filt"
    return run([demangler, symbol], cwd=box, seconds=20).text.strip()


def _name(kernel: str) -> str:
    """The name of a demangled function with its template arguments: matmul<(int)32>."""
    depth = 0
    for at, letter in enumerate(kernel):
        depth += (letter == "<") - (letter == ">")
        if letter == "(" and depth == 0:
            return kernel[:at].removeprefix("void ")
    return kernel


def _base(kernel: str) -> str:
    return re.sub(r"<.*", "", _name(kernel)).rpartition("::")[2]


def _readable(output: bytes, source: Path) -> str:
    text = output[:LOG_BYTES].decode("utf-8", "replace")
    return text.replace(f"{source.parent}/", "").replace(f"{INCLUDE}/", "")


def _fault(sentence: str, hint: str, line: int | None = None, log: str = "") -> SubmissionError:
    return SubmissionError(Fault(Verdict.COMPILE_ERROR, sentence, hint, line, log))
