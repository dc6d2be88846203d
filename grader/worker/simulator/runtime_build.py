"""The simulator's runtime, built once with the C++ compiler of this machine and kept."""

from __future__ import annotations

import functools
from pathlib import Path

from grader.errors import InfrastructureError
from grader.host import cache, process
from grader.host.cxx_compiler import COMMON, INSTALL, Compiler, environment, machine_flags

RUNTIME = Path(__file__).with_name("runtime")
SHIMS = Path(__file__).with_name("include")
LAB_HEADERS = Path(__file__).parents[2] / "include"
RUNTIME_OBJECTS = ("runtime", "shared_begin", "shared_end")


def build_runtime(compiler: Compiler, box: Path) -> None:
    """Put the objects of RUNTIME_OBJECTS into the box, built now or kept from an earlier run.

    Raises:
        InfrastructureError: the compiler cannot build the runtime.

    """
    for name in RUNTIME_OBJECTS:
        kept = f"{name}-{cache.key(compiler.label, compiler.path, *COMMON, *machine_flags(), runtime_fingerprint())}.o"
        if not cache.fetch(kept, box / f"{name}.o"):
            _compile_runtime(compiler, name, box)
            cache.keep(kept, box / f"{name}.o")


@functools.cache
def runtime_fingerprint() -> str:
    """Names the sources of the runtime and every header that a submission may include from us."""
    files = sorted(path for root in (RUNTIME, SHIMS, LAB_HEADERS) for path in root.rglob("*") if path.is_file())
    return cache.key(*(part for path in files for part in (path.name, path.read_bytes())))


def _compile_runtime(compiler: Compiler, name: str, folder: Path) -> None:
    source = RUNTIME / f"{name}.cpp"
    warnings = ("-Wall", "-Wextra", "-Werror")
    command: list[str | Path] = [
        compiler.path,
        "-std=gnu++17",
        *COMMON,
        *machine_flags(),
        *warnings,
        "-c",
        source,
        "-o",
        f"{name}.o",
    ]
    ended = process.run(command, cwd=folder, seconds=120, env=environment(folder))
    if ended.code != 0:
        log = ended.text[:2000]
        raise InfrastructureError(f"{compiler.label} cannot build the simulator's runtime:\n{log}", INSTALL)
