"""Launch one kernel of a module, and compile it in the form that each launch needs.

Most kernels run as fast code, which assumes that lanes reconverge where their branches end. If this assumption fails,
the launch is repeated from the same memory with general code, which assumes nothing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.graph import Graph
from grader.ptxsim.analysis.shape import Dim3
from grader.ptxsim.engine.launch import Argument, Outcome, Packed, Schedule, launch
from grader.ptxsim.engine.loaded_code import KeptParts, LoadedCode
from grader.ptxsim.engine.native import Effort
from grader.ptxsim.engine.program import Analysed, Kernel, analysed, prepare
from grader.ptxsim.engine.session import Heap, Session, initial_values, work_of
from grader.ptxsim.engine.trace import Trace
from grader.ptxsim.generate.layout import SEGMENT_BITS, Status, window
from grader.ptxsim.records.lacks import UNEXPECTED, Lack, MalformedError, UnsupportedError
from grader.ptxsim.syntax.declarations import source_name
from grader.ptxsim.syntax.records import Function, Module, Parameter

LEAST_SECONDS = 0.2  # that the repetition of a launch has in any case
SECONDS_TO_COMPILE = 1.5e-3  # per instruction, with optimisation; for the reference kernels, it is 1 to 2.2 ms
MOST_INSTRUCTIONS = 2500  # that are optimised together, because some passes take more than linear time
PAYS_AFTER = 2  # times the compilation time: optimised code is about twice as fast


class Form(Enum):
    """The form of a kernel's code: compiled quickly, or with optimisation.

    GENERAL code makes no assumption on where lanes reconverge. It is slower.
    """

    QUICK = "quick"
    OPTIMISED = "optimised"
    GENERAL = "general"


@dataclass(slots=True)
class Simulator:
    """A kernel of a module for one block shape and number of bytes of dynamic shared memory.

    `kept` is a cache of object code. Each launch writes its accesses to the `trace`, if there is one.
    """

    module: Module
    name: str
    block: Dim3
    dynamic_shared: int = 0
    kept: KeptParts | None = None
    trace: Trace | None = None
    grid: Dim3 = (0, 0, 0)  # of the last launch, as are the names of its buffers
    buffers: tuple[str, ...] = ()
    _sessions: dict[Form, Session] = field(default_factory=dict)
    _analysed: dict[bool, Analysed] = field(default_factory=dict)  # for general code, and for other code
    _form: Form = Form.QUICK

    def launch(
        self,
        grid: Dim3,
        buffers: Mapping[str, NDArray[np.generic]],
        arguments: Sequence[Argument],
        *,
        blocks: NDArray[np.int64] | None = None,
        order: str = "forward",
        seconds: float = 20.0,
        processors: int = 2,
        printed_bytes: int = 65536,
        fresh: int | None = None,
    ) -> Outcome:
        """Run these blocks of a grid, or all; buffers are read and written in place. See `Schedule` for the rest.

        Raises:
            UnsupportedError: an instruction that the simulator lacks.

        """
        schedule = Schedule(order, seconds, processors, printed_bytes, fresh)
        session = self.session(self._form)  # compiled before the time limit begins
        until = time.thread_time() + seconds
        self.grid, self.buffers = grid, tuple(buffers)

        def run(form: Form) -> Outcome:
            if self.trace:
                self.trace.clear()
            left = replace(schedule, seconds=max(LEAST_SECONDS, until - time.thread_time()))
            return launch(self.session(form), grid, buffers, arguments, left, blocks)

        work = work_of(math.prod(grid) if blocks is None else blocks.size, buffers)
        if self._form is Form.QUICK and not self.trace and _optimising_pays(session, work):
            self._form = Form.OPTIMISED
        outcome = run(self._form) if self._form is Form.GENERAL else self._fast_if_possible(buffers, run)
        if outcome.status is not Status.DONE and outcome.fault is None:
            raise UnsupportedError(Lack.DIVERGENCE)
        return outcome

    def _fast_if_possible(self, buffers: Mapping[str, NDArray[np.generic]], run: Callable[[Form], Outcome]) -> Outcome:
        """Run the fast code; if its assumption fails, restore the memory and run the general code."""
        session = self.session(self._form)
        kept = _copies(buffers, session) if _may_diverge(session.kernel) else None
        outcome = run(self._form)
        if outcome.status is not Status.DIVERGED or kept is None:
            return outcome
        self._form = Form.GENERAL
        _restore(buffers, session, kept)
        return run(Form.GENERAL)

    def traced(self, trace: Trace) -> Simulator:
        """Return the same kernel with code that writes its accesses to a trace."""
        return replace(self, trace=trace, _sessions={})

    @property
    def heap(self) -> Heap | None:
        """The heap of malloc and free after the last launch; None for a kernel that does not allocate."""
        return self.session(self._form).heap

    @property
    def variables(self) -> dict[int, NDArray[np.uint8]]:
        """The memory of the module's variables by segment, after the last launch."""
        return self.session(self._form).variables

    def assign(self, values: Mapping[str, Packed]) -> None:
        """Set variables of the module, as host code does before a launch. Names that the kernel lacks are ignored."""
        for variable, address in self.kernel.variables if values else ():
            if value := values.get(source_name(variable.name)):
                memory, start = self.variables[address >> SEGMENT_BITS], address - window(address >> SEGMENT_BITS)
                content = value.packed(min(variable.size, value.nbytes or variable.size), {})
                memory[start : start + len(content)] = np.frombuffer(content, np.uint8)

    def restart(self) -> None:
        """Set the module's variables to their initial values."""
        for segment, values in initial_values(self.kernel).items():
            self.variables[segment][:] = values

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of the kernel; empty if there is no kernel with this name."""
        return next((each.parameters for each in self.module.functions if each.name == self.name), ())

    @property
    def function(self) -> Function:
        """The kernel's instructions without calls."""
        return self._analyses(general=self._form is Form.GENERAL).function

    @property
    def kernel(self) -> Kernel:
        """The kernel in the form of the last launch."""
        return self.session(self._form).kernel

    @property
    def graph(self) -> Graph:
        """The control flow of the kernel in the form of the last launch."""
        return self._analyses(general=self._form is Form.GENERAL).facts.graph

    def session(self, form: Form) -> Session:
        """Return the kernel in memory, compiled on first use."""
        if form not in self._sessions:
            self._sessions[form] = self._opened(form)
        return self._sessions[form]

    def _opened(self, form: Form) -> Session:
        """Compile and load the kernel. All forms share the variables; the general form has its own heap."""
        others = list(self._sessions.values())
        try:
            analyses = self._analyses(general=form is Form.GENERAL)
            kernel = prepare(self.module, analyses, self.dynamic_shared, traced=self.trace is not None)
            heaps = [] if form is Form.GENERAL else [other.heap for other in others]
            heap = next(iter(heaps), Heap()) if kernel.traits.allocates else None
            variables = others[0].variables if others else initial_values(kernel)
            code = LoadedCode(kernel.code, Effort.QUICK if form is Form.QUICK else Effort.FULL, self.kept)
            return Session(kernel, code, heap, variables, self.trace)
        except UNEXPECTED as error:
            raise MalformedError(Lack.PART) from error

    def _analyses(self, *, general: bool) -> Analysed:
        if general not in self._analysed:
            self._analysed[general] = analysed(self.module, self.name, self.block, general=general)
        return self._analysed[general]


def _may_diverge(kernel: Kernel) -> bool:
    """Whether the general code may be needed. Parts that are not generated yet may need it."""
    return kernel.code.may_diverge or len(kernel.code.parts) > 1


def _optimising_pays(session: Session, work: float) -> bool:
    """Whether launches have taken, or will take, so long that compiling optimised code is worth it.

    This rule takes at most twice the time of the better choice.
    """
    count = session.kernel.traits.instructions
    return (
        count <= MOST_INSTRUCTIONS and session.seconds + session.rate * work > PAYS_AFTER * SECONDS_TO_COMPILE * count
    )


Kept = tuple[dict[str, NDArray[np.generic]], dict[int, NDArray[np.uint8]]]


def _copies(buffers: Mapping[str, NDArray[np.generic]], session: Session) -> Kept:
    return (
        {name: array.copy() for name, array in buffers.items()},
        {segment: memory.copy() for segment, memory in session.variables.items()},
    )


def _restore(buffers: Mapping[str, NDArray[np.generic]], session: Session, kept: Kept) -> None:
    for name, array in buffers.items():
        array[...] = kept[0][name]
    for segment, memory in session.variables.items():
        memory[...] = kept[1][segment]
