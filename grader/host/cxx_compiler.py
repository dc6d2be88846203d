"""The C++ compiler of this machine."""

from __future__ import annotations

import functools
import os
import platform
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from grader.errors import InfrastructureError
from grader.host import process

INSTALL = "Install one: `apt install g++` (Debian, Ubuntu), `dnf install gcc-c++` (Fedora)."

# An older compiler is used only if there is no newer one.
OLDEST_CLANG, OLDEST_GCC = 15, 12
NEWEST_CLANG, NEWEST_GCC = 23, 16

# What x86-64-v3 adds (System V psABI, "Micro-Architecture Levels"), by the names of /proc/cpuinfo.
V3_FEATURES = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}

COMMON = ("-O2", "-g1", "-gdwarf-4", "-fno-pie", "-fvisibility=hidden", "-fdiagnostics-color=never")


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler that works, its name and version, and the folders of its headers."""

    path: str
    label: str
    clang: bool
    major: int
    headers: tuple[Path, ...]

    @property
    def code_flags(self) -> tuple[str, ...]:
        """Flags for a submission: CUDA's arithmetic, checks of alignment, no wrappers around shared arrays."""
        arithmetic = ("-fwrapv", "-fno-strict-aliasing", "-ffp-contract=fast", "-fno-math-errno", "-fsigned-char")
        kept = ("-fno-delete-null-pointer-checks", "-fno-finite-loops")  # so that a mistake shows
        alignment = ("-fsanitize=alignment", "-fno-sanitize-recover=alignment")
        wrappers = () if self.clang else ("-fno-extern-tls-init",)
        # The linker would turn the initial-exec model into this one, and lose gcc's comparison with null on the way.
        shared = ("-ftls-model=local-exec", *wrappers)
        return (*COMMON, *machine_flags(), *arithmetic, *kept, *alignment, *shared)


def environment(folder: Path) -> dict[str, str]:
    """Environment of a compiler: messages in English, temporary files in `folder`, none of the user's search paths."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TMPDIR": str(folder)}


def find_compiler() -> Compiler:
    """Return the preferred compiler of this machine.

    Raises:
        InfrastructureError: there is none, or the one that GRADER_CXX names does not work.

    """
    return _find(os.environ.get("GRADER_CXX", ""), os.environ.get("PATH", ""))


@functools.cache
def machine_flags() -> tuple[str, ...]:
    """Flags for fused multiply-add and wide vectors if the CPU has them, and for atomics without library calls."""
    if platform.machine() in ("aarch64", "arm64"):
        return ("-mno-outline-atomics",)
    if platform.machine() != "x86_64":
        return ()
    try:
        info = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    features = re.search(r"^flags\s*:(.*)$", info, re.MULTILINE)
    return ("-march=x86-64-v3",) if features and set(features[1].split()) >= V3_FEATURES else ()


@functools.cache
def _find(wanted: str, _path: str) -> Compiler:
    if wanted:
        compiler = _examine(wanted)
        if compiler is None:
            raise InfrastructureError(f"GRADER_CXX is {wanted}, which is not a working C++ compiler.", INSTALL)
        return compiler
    found = [compiler for name in _names() if (compiler := _examine(name))]
    recent = [compiler for compiler in found if _is_recent(compiler)]
    if not found:
        raise InfrastructureError("The simulator needs a C++ compiler, and there is none.", INSTALL)
    return (recent or found)[0]


def _names() -> list[str]:
    clang = ["clang++", *(f"clang++-{version}" for version in range(NEWEST_CLANG, OLDEST_CLANG - 1, -1))]
    gcc = ["g++", *(f"g++-{version}" for version in range(NEWEST_GCC, OLDEST_GCC - 1, -1))]
    return [name for name in [*clang, *gcc, "c++"] if shutil.which(name)]


def _is_recent(compiler: Compiler) -> bool:
    return compiler.major >= (OLDEST_CLANG if compiler.clang else OLDEST_GCC)


def _examine(name: str) -> Compiler | None:
    path = shutil.which(name)
    if path is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        box = Path(folder)
        env = environment(box)
        version = process.run([path, "--version"], cwd=box, seconds=20, env=env)
        search = process.run([path, "-E", "-v", "-x", "c++", os.devnull], cwd=box, seconds=20, env=env)
    number = re.search(r"(?:version |\) )((\d+)\.\d+(?:\.\d+)?)", version.text)
    if version.code != 0 or search.code != 0 or number is None:
        return None
    clang = "clang" in version.text
    return Compiler(path, f"{'clang++' if clang else 'g++'} {number[1]}", clang, int(number[2]), _headers(search.text))


def _headers(output: str) -> tuple[Path, ...]:
    listing = re.search(r"#include <\.\.\.> search starts here:\n(.*?)\nEnd of search", output, re.DOTALL)
    lines = listing[1].splitlines() if listing else []
    return tuple(Path(line.strip()).resolve() for line in lines)
