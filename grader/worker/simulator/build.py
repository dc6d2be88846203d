"""From a submission to an executable: compiled, linked with the runtime, and kept."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from grader.host import cache
from grader.host.cxx_compiler import Compiler
from grader.model import Limits
from grader.worker.simulator.compile import (
    BuildContext,
    compile_entry,
    compile_error,
    preprocess,
    shown_command,
    understood,
    within_limits,
)
from grader.worker.simulator.elf import read_symbols
from grader.worker.simulator.runtime_build import build_runtime, runtime_fingerprint
from grader.worker.simulator.source import write_copy
from grader.worker.simulator.symbols import check_calls, dynamic_shared

# 227 KiB that a launch may ask for, and the 1 KiB behind it that the runtime watches (shared_memory.h).
DYNAMIC_BYTES = (227 << 10) + 1024


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


def build_program(order: Order, compiler: Compiler, box: Path) -> Program:
    """Return the executable of a submission, from the cache if it has been built before.

    Raises:
        SubmissionError: it does not compile, has no kernel, or asks for what the simulator lacks.
        InfrastructureError: the compiler cannot build the runtime.

    """
    folder = Path(tempfile.mkdtemp(prefix="build-", dir=box))
    flags = (*compiler.code_flags, *understood(order.flags))
    bare = write_copy(order.source, folder)
    context = BuildContext(compiler, flags, order.limits, folder, order.source.name, bare)
    text = order.source.read_bytes()
    key = cache.key(compiler.label, compiler.path, *flags, runtime_fingerprint(), order.kernel, context.name, text)
    kept = _fetch(key, context)
    if kept:
        return kept
    program = _build(context, order.kernel)
    cache.keep(f"{key}.kernel", program.path)
    facts = folder / "facts.json"
    facts.write_text(json.dumps([program.symbol, program.log]), encoding="utf-8")
    cache.keep(f"{key}.json", facts)
    return program


def _fetch(key: str, context: BuildContext) -> Program | None:
    facts, path = context.folder / "facts.json", context.folder / "kernel"
    if not (cache.fetch(f"{key}.json", facts) and cache.fetch(f"{key}.kernel", path)):
        return None
    symbol, log = json.loads(facts.read_text(encoding="utf-8"))
    return Program(path, symbol, shown_command(context), log)


def _build(context: BuildContext, kernel: str) -> Program:
    build_runtime(context.compiler, context.folder)
    preprocess(context)
    symbol, log = compile_entry(context, kernel)
    symbols = read_symbols(context.folder / "entry.o")
    check_calls(symbols, context.folder, context.bare)
    _link(context, dynamic_shared(symbols))
    return Program(context.folder / "kernel", symbol, shown_command(context), log)


def _link(context: BuildContext, arrays: tuple[str, ...]) -> None:
    """Link the runtime first, so that it starts first, and the submission between the markers of shared memory."""
    (context.folder / "dynamic.s").write_text(_dynamic_shared(arrays), encoding="utf-8")
    objects = ("runtime.o", "shared_begin.o", "entry.o", "shared_end.o", "dynamic.s")
    ended = within_limits(
        context, [context.compiler.path, "-no-pie", "-pthread", "-Wl,-z,now", *objects, "-o", "kernel"]
    )
    if ended.code != 0:
        log = ended.text
        raise compile_error(context, "it cannot be linked", None, log)


def _dynamic_shared(arrays: tuple[str, ...]) -> str:
    """Assembly that puts every `extern __shared__` array at one address, as CUDA does."""
    names = [name for name in arrays if re.fullmatch(r"[A-Za-z_$][\w$.]*", name)]
    labels = "".join(f".globl {name}\n{name}:\n" for name in ("sim_dynamic_shared", *names))
    return (
        '.section .note.GNU-stack,"",%progbits\n.section .tbss,"awT",%nobits\n'
        f".balign 128\n{labels}.zero {DYNAMIC_BYTES}\n"
    )
