"""The machine code of a kernel in memory, loaded as a whole, or part by part at the first execution of each."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.ptxsim.engine.kept_parts import CompiledPart, KeptParts
from grader.ptxsim.engine.native import Effort, Loaded, compile_ir, load_object
from grader.ptxsim.generate.module_globals import Mover
from grader.ptxsim.generate.parted import Parted, functions_of_runtime, mover_module
from grader.ptxsim.generate.runtime import mover_name
from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.errors import UnsupportedError

ENTRIES = ("run", "resume")

MOST_SECONDS = 60.0  # of CPU time for the compilation of all parts of a kernel

_names = iter(range(1 << 62))
_MAKER = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int32)


@dataclass(slots=True)
class Parts:
    """The compiled parts of a kernel: the dispatcher's table of functions, and `maker`, which adds a missing part."""

    parted: Parted
    kept: KeptParts | None
    functions: dict[str, int]
    error: Exception | None = None
    table: ctypes.Array[ctypes.c_void_p] = field(init=False)
    maker: ctypes._CFunctionType = field(init=False)
    _seconds: float = 0.0
    _since: tuple[int, float] | None = None  # the CPU clock of the thread that compiles, and its time at the start
    _held: list[Loaded] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.table = (ctypes.c_void_p * len(self.parted.parts))()
        self.maker = _MAKER(self._made)

    def make(self, number: int) -> int:
        """Return the address of a part's function, which is compiled on first use."""
        with self._lock:
            if not self.table[number]:
                self._since = time.pthread_getcpuclockid(threading.get_ident()), time.thread_time()
                try:
                    self._write(number)
                finally:
                    self._seconds, self._since = self.seconds, None
            return self.table[number] or 0

    @property
    def seconds(self) -> float:
        """The seconds of CPU time that the compilation of parts has taken so far."""
        since = self._since
        return self._seconds + (time.clock_gettime(since[0]) - since[1] if since else 0.0)

    def _write(self, number: int) -> None:
        if self._seconds > MOST_SECONDS:
            raise UnsupportedError(Lack.CODE)
        part = self._kept(number)
        self.parted.add(part.places, may_diverge=part.may_diverge)
        for item in part.movers:
            self._add(item)
        self.table[number] = self._load(part.code, f"part{number}")

    def _kept(self, number: int) -> CompiledPart:
        part = self.kept.find(self.parted, number) if self.kept else None
        if part is None:
            written = self.parted.part(number)
            code = compile_ir(written.text, Effort.QUICK)
            part = CompiledPart(code, written.places, written.movers, written.may_diverge)
            if self.kept:
                self.kept.add(self.parted, number, part)
        return part

    def _made(self, number: int) -> int:
        """Make a part for the dispatcher. Return 0 if that fails; the launch then raises `error`."""
        try:
            return self.make(number)
        except Exception as error:
            self.error = error
            return 0

    def _add(self, item: Mover) -> None:
        name = mover_name(*item)
        if name not in self.functions:
            store = self.kept.store if self.kept else None
            self.functions[name] = self._load(compile_ir(mover_module(item), Effort.QUICK, store), name)

    def _load(self, code: bytes, symbol: str) -> int:
        loaded = _loaded(code, (symbol,), self.functions)
        self._held.append(loaded)
        return loaded.addresses[symbol]


@dataclass(slots=True)
class LoadedCode:
    """The functions that run blocks, and the parts of the kernel if it is divided."""

    loaded: Loaded
    parts: Parts | None = None


def whole_code(ir: str, effort: Effort, kept: KeptParts | None) -> LoadedCode:
    """Load a whole kernel."""
    return LoadedCode(_loaded(compile_ir(ir, effort, kept.store if kept else None), ENTRIES, {}))


def parted_code(parted: Parted, kept: KeptParts | None) -> LoadedCode:
    """Load the code that all parts of a kernel share, and the first part. A small kernel has only one."""
    names = functions_of_runtime(traced=parted.kernel.traced, copies=parted.copies)
    effort = Effort.FULL if parted.copies else Effort.QUICK  # copies spend their time in the shared code
    base = compile_ir(parted.base(), effort, kept.store if kept else None)
    loaded = _loaded(base, (*ENTRIES, *names), {})
    parts = Parts(parted, kept, {name: loaded.addresses[name] for name in names})
    parts.make(0)
    return LoadedCode(loaded, parts)


def _loaded(code: bytes, symbols: tuple[str, ...], imports: Mapping[str, int]) -> Loaded:
    return load_object(code, f"kernel{next(_names)}", symbols, imports)
