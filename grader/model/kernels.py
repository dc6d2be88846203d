"""A kernel on its way to the device: its launch, what it uses, what it was compiled to."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.matrices import Shape


@dataclass(frozen=True, slots=True)
class Launch:
    """Threads per block, the tile of C (columns, rows) that a block computes, and how blocks cover C."""

    block: tuple[int, int, int]
    tile: tuple[int, int]
    shared: int = 0
    grid_x: str = "columns"

    @property
    def threads(self) -> int:
        return self.block[0] * self.block[1] * self.block[2]

    def grid(self, shape: Shape) -> tuple[int, int, int]:
        along_columns = -(-shape.N // self.tile[0])
        along_rows = -(-shape.M // self.tile[1])
        return (along_columns, along_rows, 1) if self.grid_x == "columns" else (along_rows, along_columns, 1)


@dataclass(frozen=True, slots=True)
class Resources:
    """What one thread and one block of the compiled kernel use on the device."""

    registers: int
    static_shared: int
    dynamic_shared: int
    local: int
    blocks_per_sm: int
    occupancy: float


@dataclass(frozen=True, slots=True)
class Build:
    """A compiled submission. `artifact` is a file in the box; `parameters` are 'pointer', 'integer' or 'real'."""

    artifact: str
    symbol: str
    parameters: tuple[str, ...]
    launch: Launch | None
    compiler: str
    command: tuple[str, ...]
    log: str = ""
    resources: Resources | None = None
