"""The machine code of a kernel in memory, each part compiled and loaded at its first execution."""

from __future__ import annotations

import ctypes
import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.ptxsim.analysis.graph import Graph
from grader.ptxsim.engine.native import Effort, Loaded, ObjectStore, compile_ir, identity, load_object
from grader.ptxsim.generate.ir_text import KINDS, Mover, mover_name
from grader.ptxsim.generate.layout import Place
from grader.ptxsim.generate.parted import Parted, PartNotes, functions_of_runtime, mover_module
from grader.ptxsim.records.lacks import Lack, UnsupportedError

ENTRIES = ("run", "resume")

MOST_SECONDS = 60.0  # of CPU time for the compilation of all parts of a kernel
MOST_LINES = 30_000  # of LLVM IR that are optimised together

_names = iter(range(1 << 62))
_MAKER = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int32)


@dataclass(slots=True)
class LoadedCode:
    """The code that all parts of a kernel share, and the parts, of which a small kernel has only one.

    `table` is the dispatcher's, with the function of each part that is loaded, and `maker` adds a missing part.
    """

    parted: Parted
    effort: Effort
    kept: KeptParts | None
    error: Exception | None = None
    shared: Loaded = field(init=False)
    table: ctypes.Array[ctypes.c_void_p] = field(init=False)
    maker: ctypes._CFunctionType = field(init=False)
    _functions: dict[str, int] = field(init=False)
    _seconds: float = 0.0
    _since: tuple[int, float] | None = None  # the CPU clock of the thread that compiles, and its time at the start
    _held: list[Loaded] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        names = functions_of_runtime(traced=self.parted.kernel.traced, copies=self.parted.copies)
        effort = Effort.FULL if self.parted.copies else self.effort  # copies spend their time in the shared code
        base = compile_ir(self.parted.base(), effort, self.kept.store if self.kept else None)
        self.shared = _loaded(base, (*ENTRIES, *names), {})
        self._functions = {name: self.shared.addresses[name] for name in names}
        self.table = (ctypes.c_void_p * len(self.parted.parts))()
        self.maker = _MAKER(self._made)
        self.make(0)

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
        key = self.parted, number, self.effort
        code, notes = (self.kept.find(*key) if self.kept else None) or self._compiled(number)
        self.parted.add(notes)
        for item in notes.movers:
            self._add(item)
        self.table[number] = self._load(code, f"part{number}")

    def _compiled(self, number: int) -> tuple[bytes, PartNotes]:
        text, notes = self.parted.part(number)
        code = compile_ir(text, self.effort if text.count("\n") < MOST_LINES else Effort.QUICK)
        if self.kept:
            self.kept.add(code, notes, self.parted, number, self.effort)
        return code, notes

    def _made(self, number: int) -> int:
        """Make a part for the dispatcher. Return 0 if that fails; the launch then raises `error`."""
        try:
            return self.make(number)
        except Exception as error:
            self.error = error
            return 0

    def _add(self, item: Mover) -> None:
        name = mover_name(*item)
        if name not in self._functions:
            store = self.kept.store if self.kept else None
            self._functions[name] = self._load(compile_ir(mover_module(item), self.effort, store), name)

    def _load(self, code: bytes, symbol: str) -> int:
        loaded = _loaded(code, (symbol,), self._functions)
        self._held.append(loaded)
        return loaded.addresses[symbol]


def _loaded(code: bytes, symbols: tuple[str, ...], imports: Mapping[str, int]) -> Loaded:
    return load_object(code, f"kernel{next(_names)}", symbols, imports)


@dataclass(frozen=True, slots=True)
class KeptParts:
    """The cached parts of a program: a hit also saves generating the IR.

    `program` identifies the PTX, its launch, and the version of this package. The entry of a part contains the places
    to which its code refers by number. Places are numbered in the order in which parts are made, so the key contains
    the number of the part's first place.
    """

    store: ObjectStore
    program: str

    def find(self, parted: Parted, number: int, effort: Effort) -> tuple[bytes, PartNotes] | None:
        """Return the part that is made next; None if it is not cached or the entry is damaged."""
        content = self.store.find(*self._key(parted, number, effort)) or b""
        head, _, code = content.partition(b"\n")
        try:
            return code, _decoded(json.loads(head), parted.kernel.facts.graph)
        except (ValueError, TypeError, LookupError):
            return None

    def add(self, code: bytes, notes: PartNotes, parted: Parted, number: int, effort: Effort) -> None:
        """Cache the part that was just made."""
        places = [_encoded(place, parted.kernel.facts.graph) for place in notes.places]
        head = json.dumps([places, notes.movers, notes.may_diverge])
        self.store.add(head.encode() + b"\n" + code, *self._key(parted, number, effort))

    def _key(self, parted: Parted, number: int, effort: Effort) -> tuple[str, ...]:
        form = f"{parted.kernel.traced} {parted.general} {effort.name} {number} {len(parted.places)}"
        return "part", self.program, form, identity()


def _encoded(place: Place, graph: Graph) -> tuple[str, int, int, int]:
    instructions = graph.blocks[place.block].instructions if place.block >= 0 else ()
    own = (number for number, instruction in enumerate(instructions) if instruction is place.record)
    return place.instruction, place.line, place.block, next(own, -1)


def _decoded(head: object, graph: Graph) -> PartNotes:
    """Raises ValueError, TypeError or LookupError for what `KeptParts.add` has not written."""
    match head:
        case [list(places), list(movers), bool(may_diverge)]:
            moved = tuple((int(size), int(count), KINDS[KINDS.index(kind)]) for size, count, kind in movers)
            return PartNotes(tuple(_place(graph, *place) for place in places), moved, may_diverge)
    raise ValueError("another form")


def _place(graph: Graph, instruction: str, line: int, block: int, number: int) -> Place:
    record = graph.blocks[block].instructions[number] if number >= 0 else None
    return Place(instruction, line, block, record)
