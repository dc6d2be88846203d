"""One submission through the compiler: what it includes, its entry, its kernels, and errors in the student's terms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.contract.limit_faults import compiler_stopped
from grader.errors import SubmissionError
from grader.host import process
from grader.host.cxx_compiler import Compiler, environment
from grader.model import Fault, Limits, Verdict
from grader.worker.simulator import source
from grader.worker.simulator.elf import read_symbols
from grader.worker.simulator.runtime_build import LAB_HEADERS, SHIMS
from grader.worker.simulator.source import NAME, forbidden_include
from grader.worker.simulator.symbols import kernels

LOG_BYTES = 16384
ENTRY = "entry.cpp"
WARNINGS = ("-Wall", "-Wno-sign-compare", "-Wno-unknown-pragmas", "-Wno-unused-function")
CLANG_WARNINGS = ("-Wno-c++20-designator", "-Wno-unknown-warning-option")

_ERROR = re.compile(r"^([^\s:][^:\n]*):(\d+):(?:\d+:)? (?:fatal )?error: (.*)$", re.MULTILINE)
_INCLUDED_FROM = re.compile(rf"from {re.escape(NAME)}:(\d+)")
_KERNEL = re.compile(r"__global__[^;{=]*?\b([A-Za-z_]\w*)\s*\(")


@dataclass(frozen=True, slots=True)
class BuildContext:
    """One build: the compiler, its flags for this submission, and the folder in which it happens."""

    compiler: Compiler
    flags: tuple[str, ...]
    limits: Limits
    folder: Path
    name: str  # the student's file
    bare: str  # its text without comments


def understood(flags: tuple[str, ...]) -> tuple[str, ...]:
    """Of nvcc's flags those that define macros or choose the language; the rest is about GPUs."""
    joined = re.sub(r"(?:^| )-([DU]) ", r" -\1", " ".join(flags)).split()
    wanted = r"-D[A-Za-z_]\w*(=.*)?|-U[A-Za-z_]\w*|-std=c\+\+\d\d"
    return tuple(flag for flag in joined if re.fullmatch(wanted, flag))


def shown_command(context: BuildContext) -> tuple[str, ...]:
    """Return the compiler call as a person would repeat it."""
    return (
        Path(context.compiler.path).name,
        "-x",
        "c++",
        *_language(context.flags),
        *context.flags,
        "-c",
        context.name,
    )


def _language(flags: tuple[str, ...]) -> tuple[str, ...]:
    return () if any(flag.startswith("-std=") for flag in flags) else ("-std=gnu++17",)


def _run(context: BuildContext, *words: str | Path) -> process.Exit:
    headers = ("-isystem", SHIMS, "-isystem", LAB_HEADERS, "-include", "cuda_runtime.h")
    command = [context.compiler.path, "-x", "c++", *_language(context.flags), *context.flags, *headers, *words]
    return within_limits(context, command)


def within_limits(context: BuildContext, command: list[str | Path]) -> process.Exit:
    """Run a compiler or linker.

    Raises:
        SubmissionError: it ran into the limits, which sane text does not.

    """
    ended = process.run(
        command,
        cwd=context.folder,
        seconds=context.limits.compile_seconds,
        memory_mib=context.limits.memory_mib,
        env=environment(context.folder),
    )
    if ended.stopped:
        raise SubmissionError(compiler_stopped(ended.stopped, context.limits))
    return ended


def preprocess(context: BuildContext) -> None:
    """Stop before any text of a file that is not a header can reach a message, or any `asm` the assembler."""
    ended = _run(context, "-E", "-MD", "-MF", "includes", "-MT", "x", NAME, "-o", "preprocessed")
    if ended.code != 0:
        raise _preprocessing_error(context, ended.text)
    source.check_includes(_dependencies(context.folder), _allowed(context), context.bare)
    text = (context.folder / "preprocessed").read_bytes().decode("latin-1")
    source.check_words(text)


def _allowed(context: BuildContext) -> tuple[Path, ...]:
    return (SHIMS, LAB_HEADERS, *context.compiler.headers, context.folder / NAME)


def _dependencies(folder: Path) -> list[Path]:
    """Return the files that the compiler read, out of a rule for make."""
    rule = (folder / "includes").read_bytes().decode("utf-8", "surrogateescape").replace("\\\n", " ")
    words = re.findall(r"(?:\\.|[^\s\\])+", rule.split(":", 1)[1])
    return [folder / re.sub(r"\\(.)", r"\1", word).replace("$$", "$") for word in words]


def _preprocessing_error(context: BuildContext, log: str) -> SubmissionError:
    """Of a log that could quote any file only what the compiler says of the submission's own lines."""
    error = _ERROR.search(log)
    if error and error[1] == NAME:
        return compile_error(context, error[3], int(error[2]), error[0])
    place = _INCLUDED_FROM.search(log)
    if error and not any((context.folder / error[1]).resolve().is_relative_to(folder) for folder in _allowed(context)):
        return forbidden_include(error[1], context.bare)
    return compile_error(context, "a header cannot be read", int(place[1]) if place else None, "")


def compile_entry(context: BuildContext, kernel: str) -> tuple[str, str]:
    """Compile the submission with an entry for the kernel; its name and the compiler's warnings."""
    log = _try_entry(context, kernel)
    if log is None:
        found = _kernels_alone(context)
        kernel = _choose(context, kernel, found)
        log = _try_entry(context, kernel)
    elif kernel not in (found := kernels(read_symbols(context.folder / "entry.o"), context.folder)) and not _is_static(
        context, kernel
    ):
        raise _no_kernel(context, kernel, found)
    if log is None:
        raise _no_kernel(context, kernel, ())
    return kernel, log


def _try_entry(context: BuildContext, kernel: str) -> str | None:
    """Return the log, or None if the kernel cannot be called by that name."""
    entry = f'#include "{NAME}"\n#include <sim/entry.h>\nSIM_ENTRY({kernel});\n'
    (context.folder / ENTRY).write_text(entry, encoding="utf-8")
    ended = _run(context, *_warnings(context), "-c", ENTRY, "-o", "entry.o")
    log = ended.text
    if ended.code == 0:
        return _presentable(context, log)
    first = _ERROR.search(log)
    if first and first[1] == NAME:
        raise compile_error(context, first[3], int(first[2]), log)
    return None


def _warnings(context: BuildContext) -> tuple[str, ...]:
    return (*WARNINGS, *CLANG_WARNINGS) if context.compiler.clang else WARNINGS


def _kernels_alone(context: BuildContext) -> tuple[str, ...]:
    """Return the kernels of the submission, compiled without an entry."""
    ended = _run(context, *_warnings(context), "-c", NAME, "-o", "alone.o")
    if ended.code != 0:
        log = ended.text
        first = _ERROR.search(log)
        place = int(first[2]) if first and first[1] == NAME else None
        raise compile_error(context, first[3] if first else "the compiler failed", place, log)
    return kernels(read_symbols(context.folder / "alone.o"), context.folder)


def _choose(context: BuildContext, kernel: str, found: tuple[str, ...]) -> str:
    named = [name for name in found if name.split("<")[0].split("::")[-1] == kernel]
    candidates = named or list(found)
    if len(candidates) != 1:
        raise _no_kernel(context, kernel, found)
    return candidates[0]


def _is_static(context: BuildContext, kernel: str) -> bool:
    return any(match[1] == kernel for match in _KERNEL.finditer(context.bare))


def _no_kernel(context: BuildContext, kernel: str, found: tuple[str, ...]) -> SubmissionError:
    templates = [match[1] for match in _KERNEL.finditer(context.bare)]
    if found:
        sentence = f"There is no single kernel named {kernel}; the file has {', '.join(found)}."
        hint = f"Name the kernel {kernel}, and leave one of that name."
    elif templates:
        sentence = f"The kernel {templates[0]} is a template of which no instance is made."
        hint = f"Add a line such as: template __global__ void {templates[0]}<16>(...), with its parameter types."
    else:
        sentence = "The file has no kernel."
        hint = f'Write one: extern "C" __global__ void {kernel}(...).'
    return SubmissionError(Fault(Verdict.NO_KERNEL, sentence, hint))


def compile_error(context: BuildContext, message: str, line: int | None, log: str) -> SubmissionError:
    """Return the fault of a file that does not compile, with the log in the student's terms."""
    message = message.replace(NAME, context.name)[:300]
    hint = "Later errors often follow from the first; fix that one and compile again."
    where = f" in line {line}" if line else ""
    return SubmissionError(
        Fault(
            Verdict.COMPILE_ERROR,
            f"The file does not compile{where}: {message}",
            hint,
            line,
            _presentable(context, log),
        )
    )


def _without_entry(lines: Sequence[str]) -> Iterator[str]:
    """What the compiler says of the file that we add is nothing to a student; quoted lines of it are indented."""
    ours = False
    for line in lines:
        if not line.startswith(" "):
            ours = line.startswith(f"{ENTRY}:") or "sim/entry.h:" in line
        if not ours:
            yield line


def _presentable(context: BuildContext, log: str) -> str:
    """Return a log in terms of the student's file, without paths of this machine."""
    lines = _without_entry(log.splitlines())
    text = "\n".join(line for line in lines if not line.startswith(("In file included from " + ENTRY, "cc1plus:")))
    for folder in (context.folder, SHIMS, LAB_HEADERS, *context.compiler.headers):
        text = text.replace(f"{folder}/", "")
    return text.replace(NAME, context.name).strip()[:LOG_BYTES]
