"""Compile LLVM IR for this CPU with llvmlite. Object code can be cached."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import llvmlite
import llvmlite.binding as llvm

# Schedule for few live values. The default hides the latency of loads, which processors with out-of-order execution do
# anyway, at the price of more spilled registers; docs/measurements.md has the gain.
SCHEDULING = ("-pre-RA-sched=list-burr", "-misched-prera-direction=topdown")

Run = Callable[[int], int]
_RUN = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)


class ObjectStore(Protocol):
    """A persistent cache of object code. The key is a kind, and all texts that determine the code."""

    def find(self, kind: str, *of: str) -> bytes | None:
        """Return the entry; None if there is none."""

    def add(self, content: bytes, kind: str, *of: str) -> None:
        """Add an entry, unless there is one."""


class Effort(Enum):
    """The level of optimisation. QUICK compiles in a third of FULL's time, and its code runs half as fast."""

    QUICK = 0  # LLVM's level of code generation; at 0, registers are allocated block by block
    FULL = 1  # level 2 takes longer, and the code is no faster


@dataclass(frozen=True, slots=True)
class Loaded:
    """Code in memory, and the addresses of its functions. The code is unloaded when `library` is deleted."""

    addresses: Mapping[str, int]
    library: object

    @property
    def run(self) -> Run:
        return _RUN(self.addresses["run"])

    @property
    def resume(self) -> Run:
        return _RUN(self.addresses["resume"])


@dataclass(frozen=True, slots=True)
class CodeTarget:
    """A target of code generation: LLVM's names of the system, of the CPU, and of the CPU's features."""

    triple: str
    cpu: str
    features: str


@lru_cache
def own_target() -> CodeTarget:
    """Return the target for this process."""
    features = str(llvm.get_host_cpu_features().flatten())
    return CodeTarget(llvm.get_default_triple(), llvm.get_host_cpu_name(), features)


@lru_cache
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for option in SCHEDULING:
        llvm.set_option("", option)


@lru_cache
def _machine(target: CodeTarget, effort: Effort) -> llvm.TargetMachine:
    _initialise()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=effort.value, reloc="pic", codemodel="default"
    )


@lru_cache
def identity() -> str:
    """Return all that determines object code except the IR: the CPU, the version of LLVM, and this file."""
    target = own_target()
    version = ".".join(str(part) for part in llvm.llvm_version_info)
    own = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    return f"{target.triple} {target.cpu} {target.features} {version} {llvmlite.__version__} {own}"


def compile_ir(text: str, effort: Effort, store: ObjectStore | None = None) -> bytes:
    """Return the object code of a module of IR, from the `store` if it has it; the result is stored."""
    key = "object", text, effort.name, identity()
    code = store.find(*key) if store else None
    if code is None:
        code = compile_for(own_target(), text, effort)
        if store:
            store.add(code, *key)
    return code


def compile_for(target: CodeTarget, text: str, effort: Effort) -> bytes:
    """Return the object code of a module of IR for a target."""
    machine = _machine(target, effort)
    module = llvm.parse_assembly(text)
    module.verify()
    module.triple = machine.triple
    if effort is Effort.FULL:
        _optimise(module, machine)
    return bytes(machine.emit_object(module))


def _optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine) -> None:
    """Promote memory to registers, simplify branches and combine instructions; generated IR needs no other passes."""
    options = llvm.create_pipeline_tuning_options(speed_level=1)
    builder = llvm.create_pass_builder(machine, options)
    passes = llvm.create_new_function_pass_manager()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)


@lru_cache
def _linker() -> object:
    # JITLink keeps the sections of an object together. The other linker ends the process where they are more than 2 GiB
    # apart, as they can be in one that has opened a GPU, which reserves much of the address space.
    return llvm.create_lljit_compiler(_machine(own_target(), Effort.FULL), use_jit_link=True)


def load_object(code: bytes, name: str, symbols: tuple[str, ...], imports: Mapping[str, int]) -> Loaded:
    """Return the code that `compile_ir` made, ready to run. `imports` has the addresses of functions that it calls."""
    builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
    for symbol in symbols:
        builder.export_symbol(symbol)
    for symbol, address in imports.items():
        builder.import_symbol(symbol, address)
    library = builder.link(_linker(), name)
    return Loaded({symbol: library[symbol] for symbol in symbols}, library)
