"""The CUDA toolkit of this machine: where its nvcc is, which release it is, and which folders compiling reads."""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from grader.errors import DOCTOR_HINT, InfrastructureError
from grader.host import cuda_versions, extras
from grader.host.process import run

INSTALLED = Path("/usr/local/cuda/bin")  # where NVIDIA's installer puts it
# Folders of the package `nvidia`: the wheels of CUDA 13 share one, those of CUDA 12 have one each, and no nvcc.
WHEELS = ("cu13",), ("cuda_nvrtc", "cuda_runtime", "cuda_nvcc", "cuda_cccl")
# What compilers and the programs they start need of the system besides the toolkit: themselves, libraries, headers.
SYSTEM = (
    "/bin", "/lib", "/lib64", "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/usr/include",
    "/usr/local/include", "/usr/local/lib", "/etc/alternatives", "/etc/ld.so.cache", "/nix/store", "/gnu/store",
)  # fmt: skip
COMPILED_WITH = "bin", "include", "nvvm", "targets"  # the folders of a toolkit that compiling reads
MISSING = "nvcc is not installed", "Install the CUDA toolkit, or set CUDA_ROOT to where it is."
INSTALL = f"Install g++ and the CUDA toolkit, or: {extras.install('compiler')}"
INSTALL_HOST_COMPILER = "apt install g++, or the package of your system"
CHOSEN = ("NVCC_CCBIN", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS")  # variables that nvcc reads
NO_SANITIZER = "compute-sanitizer is not installed", "Install it with: pip install nvidia-cuda-sanitizer-api"


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
        problem, fix = NO_SANITIZER
        raise InfrastructureError(f"{problem}.", fix)
    return program


@functools.cache
def version(nvcc: Path, box: Path) -> str:
    """The release that nvcc states, such as 13.0.88. Raises InfrastructureError for what is no nvcc."""
    try:
        output = run([nvcc, "--version"], cwd=box, seconds=20).output
    except InfrastructureError as error:  # an empty file, a script without its interpreter
        raise InfrastructureError(error.sentence, MISSING[1] if error.hint == DOCTOR_HINT else error.hint) from error
    if release := re.search(rb"V(\d+\.\d+\.\d+)", output):
        return release[1].decode()
    raise InfrastructureError(f"{nvcc} does not state its version.", MISSING[1])


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


def nvrtc_version(library: Path) -> str:
    """The release of the library, of its wheel or else in its file's name."""
    from importlib.metadata import PackageNotFoundError, version  # takes ten milliseconds to import

    wheel = "nvidia-cuda-nvrtc-cu12" if library.parents[1].name in WHEELS[1] else "nvidia-cuda-nvrtc"
    try:
        return version(wheel)
    except PackageNotFoundError:
        return library.resolve().name.rpartition(".so.")[2]


def has_host_compiler() -> bool:
    """Whether nvcc finds a host compiler to preprocess the file; NVCC_CCBIN may name another than gcc."""
    if named := os.environ.get("NVCC_CCBIN"):
        return shutil.which(named) is not None or any(Path(named).glob("g*"))
    return shutil.which("gcc") is not None and shutil.which("g++") is not None


def nvcc_for(architecture: str, folder: Path) -> Path | None:
    """Nvcc, if it finds a host compiler; none if it does not fit the GPU and there is an NVRTC of another series."""
    nvcc, nvrtc = find(), find_nvrtc()
    if nvcc is None or not has_host_compiler():
        return None
    release = cuda_versions.release(version(nvcc, folder))
    has_other = nvrtc and cuda_versions.release(nvrtc.name.rpartition(".so.")[2])[0] != release[0]
    return None if has_other and not cuda_versions.of_architecture(architecture).runs(release) else nvcc


def compiler_label(architecture: str = cuda_versions.DEFAULT_ARCHITECTURE) -> str:
    """The CUDA compiler that is used for an architecture: nvcc or NVRTC, with its release.

    Raises InfrastructureError when there is neither, or when nvcc does not work.
    """
    if nvcc := nvcc_for(architecture, Path.cwd()):
        return f"nvcc {version(nvcc, Path.cwd())}"
    if library := find_nvrtc():
        return f"NVRTC {nvrtc_version(library)}"
    raise no_compiler()


def no_compiler() -> InfrastructureError:
    """Why there is no compiler where there is neither NVRTC nor an nvcc with a host compiler."""
    if find() is None:
        return InfrastructureError("There is no CUDA compiler.", INSTALL)
    if named := os.environ.get("NVCC_CCBIN"):
        return InfrastructureError(f"The host compiler {named}, which NVCC_CCBIN names, is not installed.", repair())
    return InfrastructureError("g++, which nvcc needs, is not installed.", f"Install it: {INSTALL_HOST_COMPILER}.")


def repair() -> str:
    """What to do about an nvcc that compiles nothing."""
    chosen = " and ".join(name for name in CHOSEN if os.environ.get(name))
    return f"Correct {chosen}, or unset it." if chosen else f"{INSTALL}."


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
