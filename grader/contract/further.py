"""What a lab may have besides one kernel and the matrices A, B and C: kernels that run before, and their memory."""

import math
from dataclasses import dataclass, replace

import numpy as np

from grader.contract.layout import GUARD, launch_at, stored_type
from grader.errors import InfrastructureError
from grader.model import Build, Interface, Launch, Shape, expressions


@dataclass(frozen=True, slots=True)
class Step:
    """One kernel of a launch. Its interface has its own parameters."""

    build: Build
    launch: Launch
    interface: Interface


def steps(build: Build, launch: Launch, interface: Interface) -> tuple[Step, ...]:
    """Return the kernels that are launched one after the other to compute C; the last one completes it."""
    if len(build.before) != len(interface.before):
        raise InfrastructureError("The worker did not compile the kernels that this lab launches.")
    before = []
    for kernel, built in zip(interface.before, build.before, strict=True):
        facts = build.ptx_facts and replace(build.ptx_facts, registers=built.registers)
        of_kernel = replace(
            build,
            symbol=built.symbol,
            parameters=built.parameters,
            parameter_bytes=built.parameter_bytes,
            demands=built.demands,
            ptx_facts=facts,
            before=(),
        )
        called = replace(interface, name=kernel.name, template="", parameters=kernel.parameters, before=())
        before.append(Step(of_kernel, kernel.launch, called))
    return (*before, Step(build, launch, interface))


def steps_at(build: Build, launch: Launch, interface: Interface, shape: Shape) -> tuple[Step, ...]:
    """Return the same with the launches of a size, in numbers."""
    return tuple(replace(step, launch=launch_at(step.launch, shape)) for step in steps(build, launch, interface))


@dataclass(frozen=True, slots=True)
class Filled:
    """Memory of so many bytes, each of which is the same before a launch."""

    nbytes: int
    byte: int


def further(interface: Interface, shape: Shape, unset: int | None = None) -> dict[str, Filled]:
    """Return the matrices besides A, B and C as they are before a launch; the unset ones with NaN or that byte."""
    return {
        matrix.name: Filled(
            math.prod(expressions.whole(text, shape.lengths) for text in matrix.shape)
            * np.dtype(stored_type(matrix.type)).itemsize,
            0 if matrix.start == "zero" else GUARD if unset is None else unset,
        )
        for matrix in interface.matrices
    }
