"""The CUDA backend of a worker: PyCUDA launches the student's kernel, and only data comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from grader.contract import timing_messages
from grader.contract.files import matrix_file
from grader.contract.freivalds import is_small
from grader.contract.further import Step, further, steps_at
from grader.contract.inputs import unset_byte
from grader.contract.layout import operands
from grader.contract.messages import LAUNCHED, Check, Checked, Done, Surveyed
from grader.errors import InfrastructureError
from grader.host import timeline
from grader.host.prefetch import Prefetch
from grader.model import Build, Interface, Launch, Shape
from grader.worker.backend import Runner
from grader.worker.cuda import device, kernel
from grader.worker.cuda.device import driver_failed, open_device, telemetry
from grader.worker.cuda.drawing import LaunchKey, SizeKey, base, contents, that_fit
from grader.worker.cuda.launch_memory import DeviceMatrices, UnsetShared
from grader.worker.cuda.pycuda_types import CudaModule
from grader.worker.cuda.trusted import trusted_module
from grader.worker.found import FoundError, of_kernel

if TYPE_CHECKING:  # cuBLAS and the graphs of timing take long to import, and the worker that checks needs neither
    from grader.worker.cuda.bench import Bench
    from grader.worker.cuda.cublas import Library

Kernels: TypeAlias = tuple[kernel.LoadedKernel, ...]  # of one launch, one after the other

CAPTURE = "captur"  # in the driver's words for every CUDA_ERROR_STREAM_CAPTURE_…


class Gpu(Runner):
    """One GPU, whose context stays open between requests."""

    def __init__(self) -> None:
        self.device = open_device()
        self.modules: dict[tuple[str, Launch], CudaModule] = {}
        self.kernels: dict[tuple[Step, Launch], kernel.LoadedKernel] = {}
        self.matrices = DeviceMatrices(self.device)
        self.unset_shared = UnsetShared(self.device)
        self.contents = Prefetch(contents)
        self.bases = Prefetch(base)
        self.bench: Bench | None = None
        self.trusted: CudaModule | None = None
        self.library: Library | None = None

    def load_trusted(self, box: Path) -> CudaModule:
        """The grader's own kernels around the timed launches; nvcc needs a second or two if none are cached."""
        self.trusted = self.trusted or trusted_module(self.device, box)
        return self.trusted

    def load_for_timing(self, box: Path) -> None:
        """Load what timing needs besides a kernel, so that no round waits for it."""
        import_module("grader.worker.cuda.bench")
        self.load_trusted(box)
        telemetry(self.device)

    def draw(self, request: Check | timing_messages.Prepare) -> Done:
        """Draw the inputs of a request, or wait until they are drawn."""
        match request:
            case Check():
                self.contents.wait(LaunchKey(request.case, request.interface, 0))
            case timing_messages.Prepare():
                self.bases.wait(SizeKey(request.shape, request.interface, request.seed))
        return Done()

    def check(self, request: Check, box: Path) -> Checked:
        """Run a case: every launch on fresh inputs with C poisoned, and everything copied back afterwards."""
        case, interface = request.case, request.interface
        ready = self._kernels(request.build, request.launch, interface, case.shape, box) if request.build else ()
        start = self._starter(ready, request)
        for launch in range(case.launches):
            with timeline.span("draw the inputs"):
                drawn = self.contents.take(LaunchKey(case, interface, launch))
            if launch == case.launches - 1:
                self._draw_ahead(request)
            memory = operands(interface, case.shape)
            with timeline.span("copy to the device"):
                others = further(interface, case.shape, unset_byte(case))
                pointers = self.matrices.upload(drawn, memory) | self.matrices.fill(others)
            (box / LAUNCHED).touch()
            try:
                with timeline.span("launch"):
                    self.unset_shared.fill(unset_byte(case))
                    start(pointers)
                    self.device.stream.synchronize()
            except self.device.driver.Error as error:
                return Checked(driver_failed(str(error)), spent=True)
            with timeline.span("copy back"):
                self.matrices.save({name: matrix_file(box, name, launch) for name in memory})
        return Checked(resources=kernel.resources(self.device, ready[-1]) if ready else None)

    def _draw_ahead(self, request: Check) -> None:
        """Draw the inputs of the next cases meanwhile: that takes longer than all the rest of a case."""
        following = that_fit(request.following, request.interface, request.limits.memory_mib)
        self.contents.begin(LaunchKey(case, request.interface, 0) for case in following)

    def _starter(self, ready: Kernels, request: Check) -> Callable[[Mapping[str, int]], None]:
        """A function that queues one launch on matrices at given addresses: the kernels, or the library's product."""
        if ready:
            return kernel.starter(self.device, ready, request.case.shape)
        from grader.worker.cuda import cublas

        product = cublas.product(self._library(), request.interface, request.case.shape)
        return lambda at: product(at["A"], at["B"], at["C"])

    def prepare(self, request: timing_messages.Prepare, box: Path) -> timing_messages.Prepared:
        """Allocate the sets of matrices that the launches of a size rotate among."""
        from grader.worker.cuda.bench import Bench

        self.matrices.clear()
        self.bench = None  # the last size's sets are freed before the next size's are made
        given = request.launch, request.interface, request.shape, box
        subject = self._kernels(request.build, *given) if request.build else self._library()
        trusted = self.load_trusted(box)
        drawn = self.bases.take(SizeKey(request.shape, request.interface, request.seed))
        with self._faults_of_the_kernel():
            self.bench = Bench(self.device, subject, request.shape, request.interface, request.seed, trusted, drawn)
        if request.following and is_small(request.following):
            self.bases.begin([SizeKey(request.following, request.interface, request.seed)])
        return timing_messages.Prepared(self.bench.launches)

    def time_round(self, request: timing_messages.TimeRound, box: Path) -> timing_messages.Timed:
        """Project the outputs of the last group if asked to, and time one group of launches on fresh inputs."""
        bench = self._prepared()
        with self._faults_of_the_kernel():
            if request.projects:
                bench.project(box)
            return bench.time_round(request.number)

    def project(self, box: Path) -> Done:
        """Project the outputs of the last group."""
        self._prepared().project(box)
        return Done()

    def time_transfers(self, request: timing_messages.TimeTransfers) -> timing_messages.TimedTransfers:
        """Time copy in, launch, copy out by the host's clock, from and to ordinary pageable memory."""
        bench = self._prepared()
        with self._faults_of_the_kernel():
            return timing_messages.TimedTransfers(tuple(bench.time_transfers() for _ in range(request.repeats)))

    @contextmanager
    def _faults_of_the_kernel(self) -> Iterator[None]:
        """Raise FoundError for the driver's errors, other than a lack of memory for the matrices or a failed capture.

        No kernel runs while its launches are captured.
        """
        try:
            yield
        except self.device.driver.MemoryError as error:
            raise InfrastructureError(f"The GPU does not have enough memory to time this size: {error}.") from error
        except self.device.driver.Error as error:
            if CAPTURE in str(error):
                raise InfrastructureError(f"The CUDA driver did not capture the launches: {error}.") from error
            raise FoundError(driver_failed(str(error))) from error

    def _prepared(self) -> Bench:
        if self.bench is None:
            raise InfrastructureError("The worker received a size to time that was not prepared.")
        return self.bench

    def survey(self, box: Path) -> Surveyed:
        """The device's attributes and the bandwidth that its memory sustains."""
        return device.survey(self.device, self.load_trusted(box))

    def _kernels(self, build: Build, launch: Launch, interface: Interface, shape: Shape, box: Path) -> Kernels:
        """Return the kernels of a launch, all of one module."""
        placed = replace(build, artifact=str(box / build.artifact))
        key = (placed.artifact, launch)
        if key not in self.modules:
            self.modules[key] = kernel.load_module(self.device, placed)
        loaded, steps = [], steps_at(placed, launch, interface, shape)
        for number, step in enumerate(steps):
            if (step, launch) not in self.kernels:
                with of_kernel(number, len(steps)):
                    self.kernels[step, launch] = kernel.load(self.device, step, self.modules[key])
            loaded.append(self.kernels[step, launch])
        return tuple(loaded)

    def _library(self) -> Library:
        if self.library is None:
            from grader.worker.cuda import cublas

            self.library = cublas.open_library(self.device)
        return self.library
