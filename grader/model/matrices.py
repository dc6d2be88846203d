"""The product of a lab: its lengths, how the kernel is called, and how its matrices lie in memory."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """C is M x N, A is M x K and B is K x N (before any transposition in memory)."""

    M: int
    N: int
    K: int

    def __str__(self) -> str:
        return f"N={self.N}" if self.M == self.N == self.K else f"{self.M}x{self.N}x{self.K}"

    @property
    def flops(self) -> int:
        """One multiplication and one addition for each of the M*N*K terms."""
        return 2 * self.M * self.N * self.K


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


@dataclass(frozen=True, slots=True)
class Image:
    """A matrix as a file of raw bytes: guard bytes, the elements, guard bytes."""

    path: str
    before: int
    nbytes: int
    after: int


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a launch. `kind` is 'buffer' (named A, B or C), 'integer' or 'real'."""

    kind: str
    name: str
    value: float = 0.0


@dataclass(frozen=True, slots=True)
class Interface:
    """How the rubric says a kernel is called: its name, its parameters in order, and what they point to.

    `math` is what a kernel may round the float32 elements of A and B to before it multiplies them: full, tf32 or bf16.
    """

    name: str
    parameters: tuple[str, ...]
    type_a: str = "float32"
    type_b: str = "float32"
    type_c: str = "float32"
    layout: str = "row"
    transpose_a: bool = False
    transpose_b: bool = False
    padding: int = 0
    alpha: float = 1.0
    beta: float = 0.0
    math: str = "full"
