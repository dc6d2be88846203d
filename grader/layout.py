"""How logical matrices lie in memory, and what a launch is given for each symbol of the rubric."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.model import Argument, Backend, Image, Interface, Operand, Shape

PAGE = 16384  # the largest page of the hosts we run on (Apple silicon); x86-64 has 4096
VECTOR = 16  # the widest access of one thread, float4
BAND = 65536  # bytes of guard on each side of a matrix in device memory, a multiple of cudaMalloc's 256


def operands(interface: Interface, shape: Shape) -> dict[str, Operand]:
    """A, B and C as they lie in memory for `shape`, their leading dimensions included."""
    logical = {"A": (shape.M, shape.K), "B": (shape.K, shape.N), "C": (shape.M, shape.N)}
    transposed = {"A": interface.transpose_a, "B": interface.transpose_b, "C": False}
    types = {"A": interface.type_a, "B": interface.type_b, "C": interface.type_c}
    result = {}
    for name, (rows, columns) in logical.items():
        stored = (columns, rows) if transposed[name] else (rows, columns)
        lines, length = stored if interface.layout == "row" else stored[::-1]
        result[name] = Operand(name, types[name], lines, length, length + interface.padding)
    return result


def arguments(interface: Interface, shape: Shape) -> tuple[Argument, ...]:
    """The launch's arguments in call order."""
    strides = {f"ld{name.lower()}": operand.stride for name, operand in operands(interface, shape).items()}
    integers = {"M": shape.M, "N": shape.N, "K": shape.K, **strides}
    reals = {"alpha": interface.alpha, "beta": interface.beta}

    def argument(symbol: str) -> Argument:
        if symbol in integers:
            return Argument("integer", symbol, integers[symbol])
        if symbol in reals:
            return Argument("real", symbol, reals[symbol])
        return Argument("buffer", symbol)

    return tuple(argument(symbol) for symbol in interface.parameters)


def image(operand: Operand, path: str, backend: Backend) -> Image:
    """Where the elements lie in the file of raw bytes that stands for the operand, guards around them.

    On the simulator the elements end at a page's end, as near as float4's alignment allows, because an
    inaccessible page follows. On a GPU there is no such page: bands of NaN stand on both sides.
    """
    nbytes = operand.elements * np.dtype(operand.dtype).itemsize
    if backend is Backend.CUDA:
        return Image(path, BAND, nbytes, BAND + -nbytes % 256)
    after = -nbytes % VECTOR
    return Image(path, -(nbytes + after) % PAGE, nbytes, after)


def store(matrix: NDArray[np.generic], operand: Operand, interface: Interface) -> NDArray[np.generic]:
    """The operand's elements in memory order, flat. What lies between the lines is NaN, or the lowest integer."""
    transpose = {"A": interface.transpose_a, "B": interface.transpose_b, "C": False}[operand.name]
    lines = matrix.T if transpose != (interface.layout == "column") else matrix
    if operand.stride == operand.length:
        return np.ascontiguousarray(lines).reshape(-1)
    memory = np.frombuffer(poison(operand.elements * matrix.itemsize), operand.dtype).copy()
    memory.reshape(operand.lines, operand.stride)[:, : operand.length] = lines
    return memory


def load(memory: NDArray[np.generic], operand: Operand, interface: Interface) -> NDArray[np.generic]:
    """The logical matrix out of an operand's memory; the inverse of `store`."""
    transpose = {"A": interface.transpose_a, "B": interface.transpose_b, "C": False}[operand.name]
    lines = memory.reshape(operand.lines, operand.stride)[:, : operand.length]
    return lines.T if transpose != (interface.layout == "column") else lines


def surround(elements: NDArray[np.generic], image: Image) -> NDArray[np.uint8]:
    """The bytes of an image: guard, elements, guard."""
    content = np.full(image.before + image.nbytes + image.after, 0xFF, np.uint8)
    content[image.before : image.before + image.nbytes] = elements.view(np.uint8)
    return content


def poison(nbytes: int) -> bytes:
    """`nbytes` bytes of 0xFF: a NaN in every floating-point format, -1 in every integer one."""
    return b"\xff" * nbytes
