"""Kernels of this repository on the simulator that executes PTX: compiled by nvcc, run, and compared with numpy."""

import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grader.contract.layout import arguments, load, operands, store
from grader.host import cache as host_cache
from grader.host import toolkit
from grader.host.compilers import find_compiler
from grader.model import Interface, Launch, Shape
from grader.ptxsim.engine.faults import DeviceFault
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import Trace
from grader.ptxsim.generate.layout import Status
from grader.ptxsim.syntax.parser import parse
from grader.ptxsim.syntax.records import Module

ROOT = Path(__file__).parents[2]
KERNELS = ROOT / "tests" / "ptxsim" / "kernels"
SQUARE = Interface("matmul", ("A", "B", "C", "N"))
# The guard of a header of the host's library that nvcc reads for every file, and that no kernel here needs.
NO_SPECIAL_FUNCTIONS = "-D_GLIBCXX_BITS_SPECFUN_H"
LAUNCH = "_ZN11__lab_scope12__lab_launchE"


@dataclass(frozen=True)
class Ran:
    status: Status
    fault: DeviceFault | None
    printed: bytes
    exact: bool


@cache
def compiled(path: Path, flags: tuple[str, ...] = ()) -> Module:
    return parse(ptx_of(path, flags), path.name)


@cache
def ptx_of(path: Path, flags: tuple[str, ...] = ()) -> str:
    """What nvcc makes of a file, kept in the grader's cache: such a file needs no kernel that a lab could call."""
    include = ROOT / "grader" / "include"
    options = ["-ptx", "-lineinfo", "-arch=sm_90", "-std=c++17", NO_SPECIAL_FUNCTIONS, *flags]
    on = _version(), host_cache.sources(include)
    place = f"{host_cache.key('ptx of a test', *options, path.name, path.read_bytes(), *on)}/ptx"
    kept = host_cache.read(place)
    if kept is None:
        command = [toolkit.find() or "nvcc", *options, f"-I{include}", "-o", "-", str(path)]
        kept = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout
        host_cache.write(place, kept)
    return kept.decode()


@cache
def _version() -> str:
    return find_compiler().label


_TEXTS: dict[tuple[str, tuple[str, ...]], Module] = {}


def _compiled_text(source: str, flags: tuple[str, ...], box: Path) -> Module:
    """The program, compiled once for all orders of warps that a test runs it in."""
    if (source, flags) not in _TEXTS:
        path = box / "kernel.cu"
        path.write_text(source, encoding="utf-8")
        _TEXTS[source, flags] = compiled(path, flags)
    return _TEXTS[source, flags]


def launch_of(module: Module, default: Launch) -> Launch:
    variable_ = next((variable for variable in module.variables if variable.name == LAUNCH), None)
    if variable_ is None:
        return default
    x, y, z, columns, rows, shared, along = struct.unpack("<7I", variable_.initial.ljust(28, b"\0"))
    block = (max(1, x), max(1, y), max(1, z))
    return Launch(block, (columns or block[0], rows or block[1]), shared, "rows" if along else "columns")


def product(
    path: Path,
    shape: Shape | int,
    *,
    interface: Interface = SQUARE,
    default: Launch | None = None,
    flags: tuple[str, ...] = (),
    order: str = "forward",
    seconds: float = 20.0,
    kernel: str = "",
    processors: int = 2,
    simulator: Simulator | None = None,
) -> Ran:
    """One launch on integers so small that every sum is exact."""
    shape = Shape(shape, shape, shape) if isinstance(shape, int) else shape
    made = simulator or ready(path, default, flags, kernel)
    launch = launch_of(made.module, default or Launch((16, 16, 1), (16, 16)))
    random = np.random.default_rng(7)
    a, b = (random.integers(-3, 4, size) for size in ((shape.M, shape.K), (shape.K, shape.N)))
    memory = operands(interface, shape)
    matrices = {"A": a.astype(interface.type_a), "B": b.astype(interface.type_b), "C": None}
    buffers = {name: np.ascontiguousarray(store(matrices[name], memory[name], interface)) for name in "ABC"}
    given = [
        argument.name if argument.kind == "buffer" else (int if argument.kind == "integer" else float)(argument.value)
        for argument in arguments(interface, shape)
    ]
    ran = made.launch(launch.grid(shape), buffers, given, order=order, seconds=seconds, processors=processors)
    got = load(buffers["C"], memory["C"], interface)
    exact = ran.status is Status.DONE and np.array_equal(got, (a @ b).astype(interface.type_c))
    return Ran(ran.status, ran.fault, ran.printed, bool(exact))


def ready(path: Path, default: Launch | None = None, flags: tuple[str, ...] = (), kernel: str = "") -> Simulator:
    module = compiled(path, flags)
    launch = launch_of(module, default or Launch((16, 16, 1), (16, 16)))
    name = kernel or next(function.name for function in module.functions if function.is_entry)
    return Simulator(module, name, launch.block, launch.shared)


def run(
    source: str,
    box: Path,
    buffers: dict[str, NDArray[np.generic]],
    arguments_: Sequence[int | float | str],
    *,
    block: int = 32,
    blocks: int = 1,
    order: str = "forward",
    seconds: float = 20.0,
    flags: tuple[str, ...] = (),
    kernel: str = "",
    trace: Trace | None = None,
) -> Ran:
    """A kernel that is given as text, the first one unless it is named, with one block or several along x."""
    module = _compiled_text(source, flags, box)
    name = kernel or next(function.name for function in module.functions if function.is_entry)
    simulator = Simulator(module, name, (block, 1, 1), trace=trace)
    ran = simulator.launch((blocks, 1, 1), buffers, arguments_, order=order, seconds=seconds)
    return Ran(ran.status, ran.fault, ran.printed, ran.status is Status.DONE)
