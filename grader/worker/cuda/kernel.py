"""A compiled kernel on the device: loaded, checked against the device's limits, ready for launches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from grader.contract import launch_limits
from grader.contract.further import Step
from grader.contract.launch_limits import refusal, refusal_of_registers
from grader.contract.layout import arguments, symbols
from grader.model import Argument, Build, Demands, Interface, Launch, Resources, Shape
from grader.worker.cuda.device import Device
from grader.worker.cuda.pycuda_types import CudaFunction, CudaModule, Queue, Stream
from grader.worker.found import FoundError
from grader.worker.frontend import cubin

# Of a thread: how deep functions may call themselves is not known when a kernel is loaded, and CUDA gives 1 KiB. Other
# kernels keep that, since the device reserves it for each thread that can be resident: 8 KiB are 2 GiB on an H200.
STACK_BYTES = 8 << 10


@dataclass(frozen=True, slots=True)
class LoadedKernel:
    """A function of a loaded module, how it is called and launched, and the bytes of its parameters in call order.

    `variables` finds the symbols of the module's variables that have a name.
    """

    module: CudaModule
    function: CudaFunction
    queue: Queue
    launch: Launch
    interface: Interface
    sizes: tuple[int, ...]
    variables: Callable[[str], tuple[str, ...]]

    def assign(self, device: Device, values: Mapping[str, Argument]) -> None:
        """Set variables of the module, as host code does before a launch; a kernel without one does not use it."""
        for symbol, value in ((symbol, values[name]) for name in values for symbol in self.variables(name)):
            address, nbytes = self.module.get_global(symbol)
            content = value.packed(min(nbytes, value.nbytes or nbytes), {})
            device.driver.memcpy_htod(address, np.frombuffer(content, np.uint8))

    def start(self, shape: Shape, arguments: tuple[Argument, ...], pointers: Mapping[str, int], stream: Stream) -> None:
        """Queue one launch."""
        values = [each.packed(nbytes, pointers) for nbytes, each in zip(self.sizes, arguments, strict=True)]
        if self.queue is self.function:
            values = [_in_one(values, arguments)]
        self.queue(*map(np.void, values), block=self.launch.block, grid=self.launch.grid(shape),
                   shared=self.launch.shared, stream=stream)  # fmt: skip


def _in_one(values: Sequence[bytes], arguments: Sequence[Argument]) -> bytes:
    """All parameters as C++ aligns them; PyCUDA would pass structs one behind the other."""
    memory = b""
    for value, argument in zip(values, arguments, strict=True):
        alignment = argument.alignment if argument.fields else len(value)
        memory = memory.ljust(-(-len(memory) // alignment) * alignment, b"\0") + value
    return memory


def load_module(device: Device, build: Build) -> CudaModule:
    """Load all kernels and variables of a build."""
    module: CudaModule = device.driver.module_from_buffer(Path(build.artifact).read_bytes())
    return module


def load(device: Device, step: Step, module: CudaModule) -> LoadedKernel:
    """Load a kernel of a module. Raises FoundError if the device cannot launch it."""
    build, launch, image = step.build, step.launch, Path(step.build.artifact)
    function = module.get_function(build.symbol)
    _refuse_impossible(device, function, build, launch)
    if cubin.calls_functions(image, build.symbol):
        device.driver.Context.set_limit(device.driver.limit.STACK_SIZE, STACK_BYTES)
    if launch.shared + function.shared_size_bytes > launch_limits.STATIC_SHARED:
        attribute = device.driver.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES
        function.set_attribute(attribute, launch.shared)
    return LoadedKernel(
        module,
        function,
        _queue(device, build, function, launch),
        launch,
        step.interface,
        build.parameter_bytes,
        partial(cubin.variables, image),
    )


def _queue(device: Device, build: Build, function: CudaFunction, launch: Launch) -> Queue:
    """What launches the kernel: the function itself, unless its blocks wait for each other."""
    image = Path(build.artifact)
    if not cubin.syncs_grid(image, build.symbol):
        return function
    from grader.worker.cuda import driver_launches  # few kernels need it

    multiprocessors = device.attribute("MULTIPROCESSOR_COUNT")
    return driver_launches.load_cooperative(image.read_bytes(), build.symbol, launch, multiprocessors)


def starter(device: Device, kernels: Sequence[LoadedKernel], shape: Shape) -> Callable[[Mapping[str, int]], None]:
    """Set the variables of the module, and return what queues one launch on matrices at given addresses.

    The kernels are those of one module, the last of which completes C.
    """
    last, stream = kernels[-1], device.stream
    last.assign(device, symbols(last.interface, shape, last.launch))
    calls = [(kernel, arguments(kernel.interface, shape, kernel.launch)) for kernel in kernels]

    def start(pointers: Mapping[str, int]) -> None:
        for kernel, words in calls:
            kernel.start(shape, words, pointers, stream)

    return start


def resources(device: Device, kernel: LoadedKernel) -> Resources:
    """What the kernel uses, and how many of its blocks fit on a multiprocessor."""
    function, launch = kernel.function, kernel.launch
    limits = launch_limits.Multiprocessor(
        threads=device.attribute("MAX_THREADS_PER_MULTIPROCESSOR"),
        blocks=device.attribute("MAX_BLOCKS_PER_MULTIPROCESSOR"),
        registers=device.attribute("MAX_REGISTERS_PER_MULTIPROCESSOR"),
        shared=device.attribute("MAX_SHARED_MEMORY_PER_MULTIPROCESSOR"),
        reserved_shared=1024 if device.capability >= (8, 0) else 0,
        shared_unit=128 if device.capability >= (8, 0) else 256,
    )
    shared = function.shared_size_bytes + launch.shared
    blocks = launch_limits.blocks_per_sm(limits, launch.threads, function.num_regs, shared)
    share = launch_limits.occupancy(limits, launch.threads, blocks)
    return Resources(
        function.num_regs, function.shared_size_bytes, launch.shared, function.local_size_bytes, blocks, share
    )


def _refuse_impossible(device: Device, function: CudaFunction, build: Build, launch: Launch) -> None:
    """Raise FoundError for a launch that the driver would refuse."""
    demands = replace(build.demands or Demands(), static_shared=function.shared_size_bytes)
    room = device.attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN")
    registers = function.num_regs, function.max_threads_per_block
    if found := refusal(launch, (1, 1, 1), demands, room) or refusal_of_registers(launch, *registers):
        raise FoundError(found)
