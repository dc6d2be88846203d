"""Why a file has no kernel that can be launched, in sentences for a student."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch

from grader.explain import foreign_headers
from grader.explain.compiler_errors import in_words
from grader.explain.finding import diagnosis
from grader.explain.launch_mistakes import launch_mistake
from grader.explain.limits import compiler_stopped
from grader.host import toolkit
from grader.host.stopped import Stopped
from grader.model import Fault, Limits, Verdict
from grader.model.diagnostics import (
    CompileFinding,
    CompilerError,
    CompilerStopped,
    HiddenKernel,
    LineDirective,
    MissingLibraries,
    NoInstance,
    NoKernel,
    NoLaunch,
    OnlyTemplate,
    RefusedByNvrtc,
    RefusedInclude,
    SeveralKernels,
    TooLarge,
    TooMuchShared,
)

LIBRARIES = ("cuda", "cub", "thrust", "cooperative_groups", "nv")  # folders of headers
UNKNOWN = Fault(Verdict.COMPILE_ERROR, "The file does not compile.")


def of_compilation(finding: CompileFinding | None, limits: Limits) -> Fault:
    """Return the fault of a file without a kernel, with the word for its kind."""
    return replace(compile_fault(finding, limits), diagnosis=diagnosis(finding)) if finding else UNKNOWN


@singledispatch
def compile_fault(finding: CompileFinding, limits: Limits) -> Fault:
    """Return the fault of a file. Functions are registered for each kind of finding."""
    raise TypeError(f"nothing explains {type(finding).__name__} within {limits}")


compile_fault.register(launch_mistake)


@compile_fault.register
def _stopped(found: CompilerStopped, limits: Limits) -> Fault:
    return compiler_stopped(Stopped(found.limit), limits, found.log)


@compile_fault.register
def _error(found: CompilerError, _: Limits) -> Fault:
    cause, hint = in_words(found)
    if found.unfinished:
        hint = f"Put a semicolon at the end of line {found.unfinished}."
    if found.missing:
        hint = _missing(found.missing)
    if not found.text:
        cause, hint = (
            (found.log.strip().splitlines() or ["the compiler gave no reason"])[0],
            "Fix the first error first.",
        )
    cause = cause[:400]
    fault = _refused(f"It does not compile: {cause}", hint, found.opened or found.line, found.log)
    return replace(fault, cause=cause)


def _missing(header: str) -> str:
    """Return what to try where a header is not found."""
    if header.casefold() == "lab.h":
        return "Write #include <lab.h>, in lower case."
    if foreign := foreign_headers.hint(header):
        return foreign
    if header.startswith(tuple(f"{folder}/" for folder in LIBRARIES)):
        return "The CUDA toolkit here has no such header: is its name right, and does it belong to another version?"
    return "Submit one file that needs no other files of yours."


@compile_fault.register
def _include(found: RefusedInclude, _: Limits) -> Fault:
    """The sentence is the same whether the file is hidden, could not be opened or is in the list of includes."""
    sentence = f'It includes "{found.path}", which is not a header that a kernel may use.'
    return _refused(sentence, "Include lab.h and the headers of CUDA and C++ only.", found.line)


@compile_fault.register
def _directive(found: LineDirective, _: Limits) -> Fault:
    sentence = "A #line directive is not allowed: messages would name the wrong lines."
    return _refused(sentence, "Remove it.", found.line)


@compile_fault.register
def _too_large(found: TooLarge, _: Limits) -> Fault:
    hint = "Remove large arrays with initial values."
    if found.of == "file":
        return _refused(f"The compiled file is larger than {found.mib} MiB, which is the limit.", hint)
    sentence = f"The compiled program has more than {found.mib} MiB of PTX, too much to find its kernel."
    return Fault(Verdict.NOT_SUPPORTED, sentence, hint)


@compile_fault.register
def _shared(found: TooMuchShared, _: Limits) -> Fault:
    used, most = f"{found.used} bytes of static shared memory", found.most
    sentence = f"The kernel declares {used}, but a block may have only {most}."
    hint = "Use smaller tiles, or dynamic shared memory (extern __shared__ and LAUNCH(.shared = bytes))."
    return Fault(Verdict.LAUNCH_FAILED, sentence, hint, detail=found.log)


@compile_fault.register
def _no_launch(_: NoLaunch, __: Limits) -> Fault:
    sentence = "__lab_launch does not contain what LAUNCH(...) writes there."
    hint = "Write LAUNCH(.block = {16, 16}, .tile = {16, 16}); the name __lab_launch is reserved."
    return Fault(Verdict.LAUNCH_FAILED, sentence, hint)


@compile_fault.register
def _no_kernel(found: NoKernel, _: Limits) -> Fault:
    hint = f'Write a function: extern "C" __global__ void {found.wanted}(...).'
    return Fault(Verdict.NO_KERNEL, "There is no kernel in the file.", hint)


@compile_fault.register
def _hidden(found: HiddenKernel, _: Limits) -> Fault:
    sentence = f"The kernel {found.name} is not visible outside of the file."
    return Fault(Verdict.NO_KERNEL, sentence, 'Declare it extern "C" __global__.')


@compile_fault.register
def _several(found: SeveralKernels, _: Limits) -> Fault:
    names = ", ".join(found.names)
    sentence = f"The file must have exactly one kernel named {found.wanted}, but its kernels are {names}."
    rename = f"Did you mean {found.near}? Rename it" if found.near else "Rename the kernel that is to be graded"
    return Fault(Verdict.NO_KERNEL, sentence, f"{rename} to {found.wanted}.")


@compile_fault.register
def _no_instance(found: NoInstance, _: Limits) -> Fault:
    sentence = f"The lab launches {found.kernel}, which the template in the file does not make."
    hint = "Give the template as many parameters as the lab has arguments, and of their kinds."
    return Fault(Verdict.NO_KERNEL, sentence, hint)


@compile_fault.register
def _only_template(found: OnlyTemplate, _: Limits) -> Fault:
    sentence = f"{found.kernel} is a template, and nothing in the file uses it with arguments."
    hint = "Launch it in host code, which need not run, or give it the lab's parameters without a template."
    return Fault(Verdict.NO_KERNEL, sentence, hint)


@compile_fault.register
def _libraries(found: MissingLibraries, _: Limits) -> Fault:
    sentence = f"It needs {', '.join(found.libraries)}, which is not installed on this machine: {found.text}"
    hint = "Remove what the kernel does not need, or grade it on a machine that has the library."
    return Fault(Verdict.NOT_SUPPORTED, sentence, hint)


@compile_fault.register
def _by_nvrtc(found: RefusedByNvrtc, _: Limits) -> Fault:
    sentence = f"{found.compiler}, the only CUDA compiler here, rejects the file: {found.text}"
    hint = f"Nvcc may accept it. {toolkit.repair()}"
    return Fault(Verdict.NOT_SUPPORTED, sentence, hint, found.line or None, found.log)


def _refused(sentence: str, hint: str, line: int = 0, log: str = "") -> Fault:
    return Fault(Verdict.COMPILE_ERROR, sentence, hint, line or None, log)
