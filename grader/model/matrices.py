"""The product of a lab: its lengths, and its matrices as they lie in memory and as a launch is given them."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from grader.model.fields import ElementType, Positive

MATRICES = ("A", "B", "C")
REALS = {2: "<e", 4: "<f", 8: "<d"}  # formats of `struct`, by their bytes


@dataclass(frozen=True, slots=True)
class Shape:
    """C is M x N, A is M x K and B is K x N (before any transposition in memory)."""

    M: Positive
    """Rows of C."""
    N: Positive
    """Columns of C."""
    K: Positive
    """Terms of each sum."""

    def __str__(self) -> str:
        return f"N={self.N}" if self.is_square else f"{self.M}x{self.N}x{self.K}"

    @property
    def is_square(self) -> bool:
        return self.M == self.N == self.K

    @property
    def lengths(self) -> dict[str, int]:
        return {"M": self.M, "N": self.N, "K": self.K}

    @property
    def flops(self) -> int:
        """One multiplication and one addition for each of the M*N*K terms."""
        return 2 * self.M * self.N * self.K

    @property
    def is_odd(self) -> bool:
        """Whether a length is odd."""
        return bool((self.M | self.N | self.K) & 1)


@dataclass(frozen=True, slots=True)
class Operand:
    """One matrix as it lies in memory: `lines` contiguous runs of `length` elements, `stride` elements apart."""

    name: str
    dtype: str
    lines: int
    length: int
    stride: int

    @property
    def elements(self) -> int:
        return self.lines * self.stride

    @property
    def nbytes(self) -> int:
        from numpy import dtype  # a tenth of a second to import, and a worker that compiles needs none of it

        return self.elements * dtype(self.dtype).itemsize


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a launch. `kind` is 'buffer' (named A, B or C), 'null', 'integer', 'real' or 'struct'.

    A struct has `nbytes`, and the offset, the bytes and the value of each of its `fields`.
    """

    kind: str
    name: str
    value: float = 0.0
    fields: tuple[tuple[int, int, Argument], ...] = ()
    nbytes: int = 0

    @property
    def alignment(self) -> int:
        """Bytes of a struct's longest field."""
        return max((size for _, size, _ in self.fields), default=1)

    def packed(self, nbytes: int, addresses: Mapping[str, int]) -> bytes:
        """Return its bytes in a parameter of that size; `addresses` are those of A, B and C."""
        if self.kind == "real":
            return struct.pack(REALS[nbytes], self.value)
        if self.kind == "struct":
            memory = bytearray(nbytes)
            for at, size, field in self.fields:
                memory[at : at + size] = field.packed(size, addresses)
            return bytes(memory[:nbytes])
        number = addresses[self.name] if self.kind == "buffer" else int(self.value)
        return (number & ((1 << 8 * nbytes) - 1)).to_bytes(nbytes, "little")


@dataclass(frozen=True, slots=True)
class FurtherMatrix:
    """Memory besides A, B and C that the lab gives to its kernels, and in which nothing is compared afterwards."""

    name: str
    """Its name among the parameters."""
    shape: tuple[str, ...]
    """Its lengths, as expressions over M, N and K."""
    type: ElementType = "float32"
    """Type of its elements."""
    start: Literal["unset", "zero"] = "unset"
    """What it holds before each launch: nothing that a kernel may use, or zeros."""
