"""Why a file has no kernel that can be launched, in sentences for a student."""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import get_close_matches
from functools import singledispatch

from grader.explain.compile_words import LACKS, WORDS, in_words, without_warnings
from grader.explain.finding import diagnosis
from grader.explain.limits import compiler_stopped
from grader.explain.macros import macro_of_name, no_value
from grader.explain.source_text import NO_TEXT, SourceText
from grader.host import compilers
from grader.host.stopped import Stopped
from grader.model import Fault, Limits, Verdict, diagnostics
from grader.model.diagnostics import CompilerError, ErrorKind

SHARED = re.compile(r"\b__shared__\b")
TWO_INDICES = re.compile(r"\b(\w+)\[\s*([^][,;(]+),\s*([^][,;(]+?)\s*\]")
OF_POINTER = re.compile(r"\b(\w+)\[([^][]+)\]\[([^][]+)\]")
NO_POINTER = "pointer-to-object"  # nvcc's words where an element is indexed
QUALIFIER, QUALIFIERS = re.compile(r"\b_\w+"), ("__global__", "__device__", "__shared__", "__constant__", "__host__")
FIELDS = ("block", "tile", "shared", "grid_x")
OF_LAUNCH = re.compile(r"\s*(\w+)\s*\(\s*\.(?:block|tile|shared|grid_x)\b")
LIBRARIES = ("cuda", "cub", "thrust", "cooperative_groups", "nv")  # folders of headers
UNKNOWN = Fault(Verdict.COMPILE_ERROR, "The file does not compile.")


def of_compilation(finding: diagnostics.CompileFinding | None, limits: Limits, source: SourceText = NO_TEXT) -> Fault:
    """Return the fault of a file without a kernel, with the word for its kind, and the line to change."""
    if finding is None:
        return UNKNOWN
    fault = compile_fault(finding, limits)
    if isinstance(finding, diagnostics.NoKernel) and (line := _function_of_host(finding, source)):
        hint = f'Line {line} declares {finding.name} without __global__: write extern "C" __global__ before void.'
        return replace(fault, hint=hint, line=line)
    fault = replace(fault, diagnosis=diagnosis(finding))
    if isinstance(finding, diagnostics.TooMuchShared):
        line = source.first_with(SHARED)
        sentence = f"{fault.sentence}{source.places_of_constants(line)}"
        fault = replace(fault, sentence=sentence, line=line or fault.line)
    elif isinstance(finding, CompilerError):
        if not finding.line and source.launch and source.text(source.launch).rstrip().endswith(")"):
            return replace(fault, hint=f"Put a semicolon at the end of line {source.launch}.")
        hint = _declared_inside(finding, source) or _misspelt(finding, source.text(finding.line)) or fault.hint
        fault = replace(fault, hint=hint, line=_called_of_host(finding, source) or fault.line)
    macro = no_value(fault.line or 0, source) or macro_of_name(fault.line or 0, source)
    return replace(fault, hint=macro.sentence, line=macro.line) if macro else fault


def _function_of_host(finding: diagnostics.NoKernel, source: SourceText) -> int:
    """Return the line that declares a function with the name of the kernel; 0 where none does."""
    if finding.cause is not diagnostics.KernelLack.KERNEL or not finding.name:
        return 0
    return source.first_with(re.compile(rf"\bvoid\s+{re.escape(finding.name)}\s*\("))


def _called_of_host(finding: CompilerError, source: SourceText) -> int:
    """Return the line that declares the host's function which a kernel calls; 0 where none does."""
    is_known = finding.kind is ErrorKind.HOST_FUNCTION and finding.symbol
    return source.first_with(re.compile(rf"\b{re.escape(finding.symbol)}\s*\(")) if is_known else 0


def _declared_inside(finding: CompilerError, source: SourceText) -> str:
    """Return where a name is declared in the same function that has ended before it is used."""
    if finding.kind is not ErrorKind.UNDEFINED or not finding.symbol:
        return ""
    name, (_, start) = finding.symbol, source.function_at(finding.line)
    declares = re.compile(rf"\b(?:int|unsigned|long|size_t|float|double|half|bool|auto)\s[^;(){{}}]*\b{name}\s*[=;,\[]")
    lines = source.between(declares, start, finding.line) if start else []
    return f"{name} of line {lines[-1]} ends with its loop or block: declare it before that." if lines else ""


def _misspelt(finding: CompilerError, text: str) -> str:
    """Return how the line of an error has to be spelt: LAUNCH, a word of CUDA, or an element by two indices."""
    for word in QUALIFIER.findall(text):
        if near := [each for each in get_close_matches(word, QUALIFIERS, 1, 0.8) if each != word]:
            return f"Write {near[0]} instead of {word}."
    if found := TWO_INDICES.search(text):
        array, row, column = found.groups()
        return f"{found[0]} is {array}[{column}], without {row}: write {array}[{row}][{column}]."
    if NO_POINTER in finding.text and (found := OF_POINTER.search(text)):
        array, row, column = found.groups()
        row = row if row.isidentifier() else f"({row})"
        return f"{array} takes one index: write {array}[{row} * width + {column}], where width is that of its rows."
    if "LAUNCH" in text and finding.symbol in FIELDS:
        return f"The fields of LAUNCH begin with a dot: write .{finding.symbol}."
    if "LAUNCH" in text and finding.kind is ErrorKind.UNDEFINED:
        return "LAUNCH takes numbers, macros and constants, because the compiler must know them."
    found = OF_LAUNCH.match(text)
    return f"Write LAUNCH instead of {found[1]}." if found and found[1] != "LAUNCH" else ""


@singledispatch
def compile_fault(finding: diagnostics.CompileFinding, limits: Limits) -> Fault:
    """Return the fault of a file. Functions are registered for each kind of finding."""
    raise TypeError(f"nothing explains {type(finding).__name__} within {limits}")


@compile_fault.register
def _stopped(found: diagnostics.CompilerStopped, limits: Limits) -> Fault:
    return compiler_stopped(Stopped(found.limit), limits, found.log)


@compile_fault.register
def _error(found: CompilerError, _: Limits) -> Fault:
    cause, hint = in_words(found)
    if found.unfinished:
        hint = f"Put a semicolon at the end of line {found.unfinished}."
    if found.missing:
        hint = _missing(found.missing)
    if not found.text:
        cause = (found.log.strip().splitlines() or ["the compiler gave no reason"])[0]
        hint = "Fix the first error first."
    cause = cause[:400]
    fault = _refused(f"It does not compile: {cause}", hint, found.opened or found.line, without_warnings(found.log))
    return replace(fault, cause=cause)


def _missing(header: str) -> str:
    """Return what to try where a header is not found."""
    if header.casefold() == "lab.h":
        return "Write #include <lab.h>, in lower case."
    if header.startswith(tuple(f"{folder}/" for folder in LIBRARIES)):
        return "The CUDA toolkit here has no such header: is its name right, and does it belong to another version?"
    if header.endswith(".cu"):
        return "Submit it with this file in one folder, and name the folder."
    return (
        "Leave out what needs it if it is of another library or system. If it is yours, submit it with the .cu file, "
        "and include it in quotation marks, by its path from there."
    )


@compile_fault.register
def _include(found: diagnostics.RefusedInclude, _: Limits) -> Fault:
    """The sentence is the same whether the file is hidden, could not be opened or is in the list of includes."""
    sentence = f'It includes "{found.path}", which is not a header that a kernel may use.'
    return _refused(sentence, "Include lab.h and the headers of CUDA and C++ only.", found.line)


@compile_fault.register
def _directive(found: diagnostics.LineDirective, _: Limits) -> Fault:
    sentence = "A #line directive is not allowed: messages would name the wrong lines."
    return _refused(sentence, "Remove it.", found.line)


@compile_fault.register
def _too_large(found: diagnostics.TooLarge, _: Limits) -> Fault:
    hint = "Remove large arrays with initial values."
    if found.of == "file":
        return _refused(f"The compiled file is larger than {found.mib} MiB, which is the limit.", hint)
    sentence = f"The compiled program has more than {found.mib} MiB of PTX, too much to find its kernel."
    return Fault(Verdict.NOT_SUPPORTED, sentence, hint)


@compile_fault.register
def _shared(found: diagnostics.TooMuchShared, _: Limits) -> Fault:
    used, most = f"{found.used} bytes of static shared memory", found.most
    sentence = f"The kernel declares {used}, but a block may have only {most}."
    hint = "Use smaller tiles, or dynamic shared memory (extern __shared__ and LAUNCH(.shared = bytes))."
    return Fault(Verdict.LAUNCH_FAILED, sentence, hint, detail=found.log)


@compile_fault.register
def _no_launch(_: diagnostics.NoLaunch, __: Limits) -> Fault:
    sentence = "__lab_launch does not contain what LAUNCH(...) writes there."
    hint = "Write LAUNCH(.block = {16, 16}, .tile = {16, 16}); the name __lab_launch is reserved."
    return Fault(Verdict.LAUNCH_FAILED, sentence, hint)


@compile_fault.register
def _no_kernel(found: diagnostics.NoKernel, _: Limits) -> Fault:
    sentence, hint = LACKS[found.cause]
    return Fault(Verdict.NO_KERNEL, sentence.format(found.name), hint.format(found.name))


@compile_fault.register
def _several(found: diagnostics.SeveralKernels, _: Limits) -> Fault:
    names = ", ".join(found.names)
    sentence = f"The file must have exactly one kernel named {found.wanted}, but its kernels are {names}."
    rename = f"Did you mean {found.near}? Rename it" if found.near else "Rename the kernel that is to be graded"
    return Fault(Verdict.NO_KERNEL, sentence, f"{rename} to {found.wanted}.")


@compile_fault.register
def _libraries(found: diagnostics.MissingLibraries, _: Limits) -> Fault:
    sentence = f"It needs {', '.join(found.libraries)}, which is not installed on this machine: {found.text}"
    hint = "Remove what the kernel does not need, or grade it on a machine that has the library."
    return Fault(Verdict.NOT_SUPPORTED, sentence, hint)


@compile_fault.register
def _by_nvrtc(found: diagnostics.RefusedByNvrtc, _: Limits) -> Fault:
    sentence = f"{found.compiler}, the only CUDA compiler here, rejects the file: {found.text}"
    hint = f"Nvcc may accept it. {compilers.repair()}"
    return Fault(Verdict.NOT_SUPPORTED, sentence, hint, found.line or None, found.log)


def _refused(sentence: str, hint: str, line: int = 0, log: str = "") -> Fault:
    return Fault(Verdict.COMPILE_ERROR, sentence, hint, line or None, log)


@compile_fault.register
def launch_mistake(found: diagnostics.LaunchMistake, _: Limits) -> Fault:
    """Return the fault of a mistake in a LAUNCH line."""
    sentence, hint = (words.format(name=found.name, before=found.before) for words in WORDS[found.mistake])
    if found.near:
        hint = f"Did you mean .{found.near}?"
    return Fault(Verdict.COMPILE_ERROR, sentence, hint, found.line or None)
