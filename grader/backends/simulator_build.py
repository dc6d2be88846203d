"""From a submission's text to an executable: checked, compiled with its entry, linked with the runtime, and kept."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from grader import cache, process
from grader.backends import simulator_source
from grader.backends.elf import read_symbols
from grader.backends.host_compiler import (
    LAB_HEADERS,
    SHIMS,
    Compiler,
    build_runtime,
    environment,
    runtime_fingerprint,
)
from grader.backends.simulator_source import NAME, forbidden_include
from grader.backends.symbols import check_calls, dynamic_shared, kernels
from grader.errors import SubmissionError
from grader.model import Fault, Limits, Verdict

LOG_BYTES = 16384
ENTRY = "entry.cpp"
WARNINGS = ("-Wall", "-Wno-sign-compare", "-Wno-unknown-pragmas", "-Wno-unused-function")
CLANG_WARNINGS = ("-Wno-c++20-designator", "-Wno-unknown-warning-option")

# 227 KiB that a launch may ask for, and the 1 KiB behind it that the runtime watches (shared_memory.h).
DYNAMIC_BYTES = (227 << 10) + 1024

_ERROR = re.compile(r"^([^\s:][^:\n]*):(\d+):(?:\d+:)? (?:fatal )?error: (.*)$", re.MULTILINE)
_INCLUDED_FROM = re.compile(rf"from {re.escape(NAME)}:(\d+)")
_KERNEL = re.compile(r"__global__[^;{=]*?\b([A-Za-z_]\w*)\s*\(")


@dataclass(frozen=True, slots=True)
class Program:
    """An executable and what became known of the submission on the way to it."""

    path: Path
    symbol: str
    command: tuple[str, ...]
    log: str


@dataclass(frozen=True, slots=True)
class Order:
    """What to build: a submission, the name of its kernel, nvcc's flags, and the limits of the compiler."""

    source: Path
    kernel: str
    flags: tuple[str, ...]
    limits: Limits


@dataclass(frozen=True, slots=True)
class _Workshop:
    """One build: the compiler, its flags for this submission, and the folder in which it happens."""

    compiler: Compiler
    flags: tuple[str, ...]
    limits: Limits
    folder: Path
    name: str  # the student's file
    bare: str  # its text without comments


def build_program(order: Order, compiler: Compiler, box: Path) -> Program:
    """Return the executable of a submission, from the cache if it has been built before.

    Raises:
        SubmissionError: it does not compile, has no kernel, or asks for what the simulator lacks.
        InfrastructureError: the compiler cannot build the runtime.

    """
    folder = Path(tempfile.mkdtemp(prefix="build-", dir=box))
    flags = (*compiler.code_flags, *_understood(order.flags))
    bare = simulator_source.write_copy(order.source, folder)
    shop = _Workshop(compiler, flags, order.limits, folder, order.source.name, bare)
    text = order.source.read_bytes()
    key = cache.key(compiler.label, compiler.path, *flags, runtime_fingerprint(), order.kernel, shop.name, text)
    kept = _fetch(key, shop)
    if kept:
        return kept
    program = _build(shop, order.kernel)
    cache.keep(f"{key}.kernel", program.path)
    facts = folder / "facts.json"
    facts.write_text(json.dumps([program.symbol, program.log]), encoding="utf-8")
    cache.keep(f"{key}.json", facts)
    return program


def _fetch(key: str, shop: _Workshop) -> Program | None:
    facts, path = shop.folder / "facts.json", shop.folder / "kernel"
    if not (cache.fetch(f"{key}.json", facts) and cache.fetch(f"{key}.kernel", path)):
        return None
    symbol, log = json.loads(facts.read_text(encoding="utf-8"))
    return Program(path, symbol, _command(shop), log)


def _build(shop: _Workshop, kernel: str) -> Program:
    build_runtime(shop.compiler, shop.folder)
    _preprocess(shop)
    symbol, log = _compile_entry(shop, kernel)
    symbols = read_symbols(shop.folder / "entry.o")
    check_calls(symbols, shop.folder, shop.bare)
    _link(shop, dynamic_shared(symbols))
    return Program(shop.folder / "kernel", symbol, _command(shop), log)


def _understood(flags: tuple[str, ...]) -> tuple[str, ...]:
    """Of nvcc's flags those that define macros or choose the language; the rest is about GPUs."""
    joined = re.sub(r"(?:^| )-([DU]) ", r" -\1", " ".join(flags)).split()
    wanted = r"-D[A-Za-z_]\w*(=.*)?|-U[A-Za-z_]\w*|-std=c\+\+\d\d"
    return tuple(flag for flag in joined if re.fullmatch(wanted, flag))


def _command(shop: _Workshop) -> tuple[str, ...]:
    """Return the compiler call as a person would repeat it."""
    return (Path(shop.compiler.path).name, "-x", "c++", *_language(shop.flags), *shop.flags, "-c", shop.name)


def _language(flags: tuple[str, ...]) -> tuple[str, ...]:
    return () if any(flag.startswith("-std=") for flag in flags) else ("-std=gnu++17",)


def _run(shop: _Workshop, *words: str | Path) -> process.Ended:
    headers = ("-isystem", SHIMS, "-isystem", LAB_HEADERS, "-include", "cuda_runtime.h")
    command = [shop.compiler.path, "-x", "c++", *_language(shop.flags), *shop.flags, *headers, *words]
    return _within_limits(shop, command)


def _within_limits(shop: _Workshop, command: list[str | Path]) -> process.Ended:
    ended = process.run(
        command,
        cwd=shop.folder,
        seconds=shop.limits.compile_seconds,
        memory_mib=shop.limits.memory_mib,
        env=environment(shop.folder),
    )
    if ended.stopped:
        sentence = f"Compiling uses too much {ended.stopped.value}."
        raise SubmissionError(
            Fault(Verdict.COMPILE_ERROR, sentence, "Look for templates or macros that unfold without end.")
        )
    return ended


def _preprocess(shop: _Workshop) -> None:
    """Stop before any text of a file that is not a header can reach a message, or any `asm` the assembler."""
    ended = _run(shop, "-E", "-MD", "-MF", "includes", "-MT", "x", NAME, "-o", "preprocessed")
    if ended.code != 0:
        raise _preprocessing_error(shop, ended.output.decode("utf-8", "replace"))
    simulator_source.check_includes(_dependencies(shop.folder), _allowed(shop), shop.bare)
    text = (shop.folder / "preprocessed").read_bytes().decode("latin-1")
    simulator_source.check_words(text)


def _allowed(shop: _Workshop) -> tuple[Path, ...]:
    return (SHIMS, LAB_HEADERS, *shop.compiler.headers, shop.folder / NAME)


def _dependencies(folder: Path) -> list[Path]:
    """Return the files that the compiler read, out of a rule for make."""
    rule = (folder / "includes").read_bytes().decode("utf-8", "surrogateescape").replace("\\\n", " ")
    words = re.findall(r"(?:\\.|[^\s\\])+", rule.split(":", 1)[1])
    return [folder / re.sub(r"\\(.)", r"\1", word).replace("$$", "$") for word in words]


def _preprocessing_error(shop: _Workshop, log: str) -> SubmissionError:
    """Of a log that could quote any file only what the compiler says of the submission's own lines."""
    error = _ERROR.search(log)
    if error and error[1] == NAME:
        return _compile_error(shop, error[3], int(error[2]), error[0])
    place = _INCLUDED_FROM.search(log)
    if error and not any((shop.folder / error[1]).resolve().is_relative_to(folder) for folder in _allowed(shop)):
        return forbidden_include(error[1], shop.bare)
    return _compile_error(shop, "a header cannot be read", int(place[1]) if place else None, "")


def _compile_entry(shop: _Workshop, kernel: str) -> tuple[str, str]:
    """Compile the submission with an entry for the kernel; its name and the compiler's warnings."""
    log = _try_entry(shop, kernel)
    if log is None:
        found = _kernels_alone(shop)
        kernel = _choose(shop, kernel, found)
        log = _try_entry(shop, kernel)
    elif kernel not in (found := kernels(read_symbols(shop.folder / "entry.o"), shop.folder)) and not _is_static(
        shop, kernel
    ):
        raise _no_kernel(shop, kernel, found)
    if log is None:
        raise _no_kernel(shop, kernel, ())
    return kernel, log


def _try_entry(shop: _Workshop, kernel: str) -> str | None:
    """Return the log, or None if the kernel cannot be called by that name."""
    entry = f'#include "{NAME}"\n#include <sim/entry.h>\nSIM_ENTRY({kernel});\n'
    (shop.folder / ENTRY).write_text(entry, encoding="utf-8")
    ended = _run(shop, *_warnings(shop), "-c", ENTRY, "-o", "entry.o")
    log = ended.output.decode("utf-8", "replace")
    if ended.code == 0:
        return _presentable(shop, log)
    first = _ERROR.search(log)
    if first and first[1] == NAME:
        raise _compile_error(shop, first[3], int(first[2]), log)
    return None


def _warnings(shop: _Workshop) -> tuple[str, ...]:
    return (*WARNINGS, *CLANG_WARNINGS) if shop.compiler.clang else WARNINGS


def _kernels_alone(shop: _Workshop) -> tuple[str, ...]:
    """Return the kernels of the submission, compiled without an entry."""
    ended = _run(shop, *_warnings(shop), "-c", NAME, "-o", "alone.o")
    if ended.code != 0:
        log = ended.output.decode("utf-8", "replace")
        first = _ERROR.search(log)
        place = int(first[2]) if first and first[1] == NAME else None
        raise _compile_error(shop, first[3] if first else "the compiler failed", place, log)
    return kernels(read_symbols(shop.folder / "alone.o"), shop.folder)


def _choose(shop: _Workshop, kernel: str, found: tuple[str, ...]) -> str:
    named = [name for name in found if name.split("<")[0].split("::")[-1] == kernel]
    candidates = named or list(found)
    if len(candidates) != 1:
        raise _no_kernel(shop, kernel, found)
    return candidates[0]


def _is_static(shop: _Workshop, kernel: str) -> bool:
    return any(match[1] == kernel for match in _KERNEL.finditer(shop.bare))


def _no_kernel(shop: _Workshop, kernel: str, found: tuple[str, ...]) -> SubmissionError:
    templates = [match[1] for match in _KERNEL.finditer(shop.bare)]
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


def _compile_error(shop: _Workshop, message: str, line: int | None, log: str) -> SubmissionError:
    message = message.replace(NAME, shop.name)[:300]
    hint = "Later errors often follow from the first; fix that one and compile again."
    where = f" in line {line}" if line else ""
    return SubmissionError(
        Fault(
            Verdict.COMPILE_ERROR, f"The file does not compile{where}: {message}", hint, line, _presentable(shop, log)
        )
    )


def _presentable(shop: _Workshop, log: str) -> str:
    """Return a log in terms of the student's file, without paths of this machine."""
    kept = [line for line in log.splitlines() if not line.startswith(("In file included from " + ENTRY, "cc1plus:"))]
    text = "\n".join(kept)
    for folder in (shop.folder, SHIMS, LAB_HEADERS, *shop.compiler.headers):
        text = text.replace(f"{folder}/", "")
    return text.replace(NAME, shop.name).strip()[:LOG_BYTES]


def _link(shop: _Workshop, arrays: tuple[str, ...]) -> None:
    """Link the runtime first, so that it starts first, and the submission between the markers of shared memory."""
    (shop.folder / "dynamic.s").write_text(_dynamic_shared(arrays), encoding="utf-8")
    objects = ("runtime.o", "shared_begin.o", "entry.o", "shared_end.o", "dynamic.s")
    ended = _within_limits(shop, [shop.compiler.path, "-no-pie", "-pthread", "-Wl,-z,now", *objects, "-o", "kernel"])
    if ended.code != 0:
        log = ended.output.decode("utf-8", "replace")
        raise _compile_error(shop, "it cannot be linked", None, log)


def _dynamic_shared(arrays: tuple[str, ...]) -> str:
    """Assembly that puts every `extern __shared__` array at one address, as CUDA does."""
    names = [name for name in arrays if re.fullmatch(r"[A-Za-z_$][\w$.]*", name)]
    labels = "".join(f".globl {name}\n{name}:\n" for name in ("sim_dynamic_shared", *names))
    return (
        '.section .note.GNU-stack,"",%progbits\n.section .tbss,"awT",%nobits\n'
        f".balign 128\n{labels}.zero {DYNAMIC_BYTES}\n"
    )
