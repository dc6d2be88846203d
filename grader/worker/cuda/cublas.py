"""The matrix product of cuBLAS, through NVIDIA's own Python binding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from nvmath.bindings import cublas

from grader.contract.layout import operands
from grader.model import Interface, Operand, Shape
from grader.worker.cuda.device import Device
from grader.worker.cuda.pycuda_types import DeviceMemory

TYPES = {"float16": 2, "float32": 0, "float64": 1}  # cudaDataType: CUDA_R_16F, CUDA_R_32F, CUDA_R_64F
COMPUTE = {  # by the type of C and the math that the lab allows; float16 products are summed in float32
    ("float16", "full"): cublas.ComputeType.COMPUTE_32F,
    ("float32", "full"): cublas.ComputeType.COMPUTE_32F,
    ("float32", "tf32"): cublas.ComputeType.COMPUTE_32F_FAST_TF32,
    ("float32", "bf16"): cublas.ComputeType.COMPUTE_32F_FAST_16BF,
    ("float64", "full"): cublas.ComputeType.COMPUTE_64F,
}
WORKSPACE = 32 << 20  # bytes; cuBLAS documentation, cublasSetWorkspace: the default on Hopper


@dataclass(frozen=True, slots=True)
class Library:
    """cuBLAS on one stream, with its own workspace so that a captured call allocates nothing."""

    handle: int
    workspace: DeviceMemory


@dataclass(frozen=True, slots=True)
class Product:
    """A prepared call, to be repeated with other pointers."""

    library: Library
    words: tuple[int, ...]
    swapped: bool
    scalars: NDArray[np.floating]
    types: tuple[int, int, int]
    strides: tuple[int, int, int]
    compute: int

    def __call__(self, a: int, b: int, c: int) -> None:
        """Queue the product of the matrices at these addresses."""
        first, second = (b, a) if self.swapped else (a, b)
        type_1, type_2, type_c = self.types
        ld_1, ld_2, ld_c = self.strides
        alpha, beta = self.scalars.ctypes.data, self.scalars.ctypes.data + self.scalars.itemsize
        addressed = (alpha, first, type_1, ld_1, second, type_2, ld_2, beta, c, type_c, ld_c)
        cublas.gemm_ex(self.library.handle, *self.words, *addressed, self.compute, cublas.GemmAlgo.DEFAULT)


def open_library(device: Device) -> Library:
    """CuBLAS on the device's stream."""
    handle = cublas.create()
    cublas.set_stream(handle, device.stream.handle)
    workspace = device.driver.mem_alloc(WORKSPACE)
    cublas.set_workspace(handle, int(workspace), WORKSPACE)
    return Library(handle, workspace)


def product(library: Library, interface: Interface, shape: Shape) -> Product:
    """C = alpha A B + beta C for this layout.

    cuBLAS is column-major: for matrices in row-major order it computes C^T = B^T A^T.
    """
    by_rows = interface.layout == "row"
    memory = operands(interface, shape)
    order = ("B", "A") if by_rows else ("A", "B")
    transposed = {"A": interface.transpose_a, "B": interface.transpose_b}
    sides = (shape.N, shape.M) if by_rows else (shape.M, shape.N)
    words = (*(int(transposed[name]) for name in order), *sides, shape.K)
    used: tuple[Operand, ...] = (memory[order[0]], memory[order[1]], memory["C"])
    types = (TYPES[used[0].dtype], TYPES[used[1].dtype], TYPES[used[2].dtype])
    strides = (used[0].stride, used[1].stride, used[2].stride)
    scalars = np.array([interface.alpha, interface.beta], "float64" if interface.type_c == "float64" else "float32")
    compute = COMPUTE[interface.type_c, interface.math]
    return Product(library, words, by_rows, scalars, types, strides, int(compute))
