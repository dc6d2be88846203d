"""The CUDA toolkit of this machine: where its nvcc is, and which folders compiling reads."""

import functools
import importlib.util
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from grader.errors import InfrastructureError
from grader.host import cuda_versions

INSTALLED = Path("/usr/local/cuda/bin")  # where NVIDIA's installer puts it
# Folders of the package `nvidia`: the wheels of CUDA 13 share one, those of CUDA 12 have one each, and no nvcc.
WHEELS = ("cu13",), ("cuda_nvrtc", "cuda_runtime", "cuda_nvcc", "cuda_cccl")
# What compilers and the programs they start need of the system besides the toolkit: themselves, libraries, headers.
SYSTEM = (
    "/bin", "/lib", "/lib64", "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/usr/include",
    "/usr/local/include", "/usr/local/lib", "/etc/alternatives", "/etc/ld.so.cache", "/nix/store", "/gnu/store",
)  # fmt: skip
COMPILED_WITH = "bin", "include", "nvvm", "targets"  # the folders of a toolkit that compiling reads


def find(program: str = "nvcc") -> Path | None:
    """A program of the toolkit: of $CUDA_ROOT or $CUDA_HOME, the PATH, NVIDIA's installer, or the wheels."""
    homes = [f"{os.environ[name]}/bin" for name in ("CUDA_ROOT", "CUDA_HOME") if os.environ.get(name)]
    folders = [*homes, os.environ.get("PATH", ""), str(INSTALLED), *(f"{root}/bin" for root in wheels())]
    path = shutil.which(program, path=os.pathsep.join(folders))
    return Path(path) if path else None


def require_sanitizer() -> Path:
    """Compute-sanitizer as `find` finds it. Raises InfrastructureError when there is none."""
    program = find("compute-sanitizer")
    if program is None:
        hint = "Install it with: pip install nvidia-cuda-sanitizer-api"
        raise InfrastructureError("compute-sanitizer is not installed.", hint)
    return program


@functools.cache
def wheels() -> tuple[Path, ...]:
    """Where this Python has NVIDIA's wheels; of CUDA 12 if those of 13 are not installed, or do not fit the GPU."""
    package = importlib.util.find_spec("nvidia")
    places = list(package.submodule_search_locations or ()) if package else []
    new, old = (
        tuple(root for place in places for name in names if (root := Path(place, name)).is_dir()) for names in WHEELS
    )
    return old if old and (not new or cuda_versions.fitting_extra(cuda_versions.read()) == "cuda12") else new


def find_nvrtc() -> Path | None:
    """The library, of the wheel `nvidia-cuda-nvrtc` or of a toolkit without a driver."""
    for root in [*wheels(), INSTALLED.parent]:
        for library in sorted(root.glob("lib*/libnvrtc.so.*")):
            return library
    return None


def has_host_compiler() -> bool:
    """Whether nvcc finds a host compiler to preprocess the file; NVCC_CCBIN may name another than gcc."""
    if named := os.environ.get("NVCC_CCBIN"):
        return shutil.which(named) is not None or any(Path(named).glob("g*"))
    return shutil.which("gcc") is not None and shutil.which("g++") is not None


def system_folders() -> tuple[Path, ...]:
    """Return the folders of programs and libraries that are no part of a toolkit."""
    libraries = [Path(word) for word in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if word]
    return (*map(Path, SYSTEM), *libraries)


def compiler_folders() -> tuple[Path, ...]:
    """Return the folders that compiling reads with any of the compilers of this machine."""
    nvcc, library = find(), find_nvrtc()
    own = nvcc_folders(nvcc) if nvcc else ()
    led = (folder for root in wheels() for folder in (root, *_led_to(root)))
    libraries = (library.parent, library.resolve().parent) if library else ()
    return tuple(dict.fromkeys((*own, *led, *libraries, *system_folders())))


def nvcc_folders(nvcc: Path) -> tuple[Path, ...]:
    """Return what nvcc reads: the toolkit, its settings, the host compiler's installation, the system's headers."""
    real = _behind_script(nvcc)
    homes = [nvcc, real.parents[1], real.resolve().parents[1], *_led_to(real.parents[1])]
    host = _host_compiler()
    if not any(host.resolve().is_relative_to(folder) for folder in SYSTEM):
        homes.append(host.resolve().parents[1])
    return (*dict.fromkeys(homes), *system_folders())


@functools.cache
def _led_to(toolkit: Path) -> tuple[Path, ...]:
    """Return where links in a toolkit lead: folders of another one that has the same files there, or what is linked."""
    links = (link for name in COMPILED_WITH if f"{toolkit}/{name}" not in SYSTEM for link in _links(toolkit / name))
    found = {_same_folder(link.removeprefix(f"{toolkit}/"), os.path.realpath(link)) for link in links}
    return tuple(map(Path, sorted(found)))


def _links(place: Path | os.DirEntry[str]) -> Iterator[str]:
    if place.is_symlink():
        yield os.fspath(place)
    elif place.is_dir() and os.access(place, os.R_OK | os.X_OK):
        for entry in os.scandir(place):
            yield from _links(entry)


def _same_folder(link: str, target: str) -> str:
    """Return the folder above the target that is named as one above the link, such as include; else the target."""
    parts = link.split("/")
    ends = ("/".join(parts[start:]) for start in range(len(parts) - 1))
    return next((target.removesuffix(end[end.index("/") :]) for end in ends if target.endswith(f"/{end}")), target)


def stamp(nvcc: Path) -> str:
    """Return what changes when nvcc or its host compiler is exchanged."""
    files = [path.stat() for path in (nvcc, _host_compiler())]
    return " ".join(f"{file.st_ino} {file.st_size} {file.st_mtime_ns}" for file in files)


def _host_compiler() -> Path:
    named = os.environ.get("NVCC_CCBIN", "gcc")
    return Path(named, "gcc") if Path(named).is_dir() else Path(shutil.which(named) or "/usr/bin/gcc")


def _behind_script(nvcc: Path) -> Path:
    """Return the compiler itself: some systems put a script on the PATH that starts it in another place."""
    with nvcc.open("rb") as file:
        start = file.read(4096)
    named = re.search(rb"(/[\w./+-]+/nvcc)\b", start) if start.startswith(b"#!") else None
    return Path(named[1].decode()) if named and Path(named[1].decode()).is_file() else nvcc
