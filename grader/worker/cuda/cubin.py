"""What a cubin records: its kernels, their parameters, and their LAUNCH."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Symbol, SymbolTableSection

from grader.model import Launch

PARAMETER_BANK = ".nv.constant0."  # only kernels have a bank of parameters, named after them
KINDS = {"p": "pointer", "i": "integer", "r": "real"}
LAUNCH = struct.Struct("<3I2III")  # LabLaunch of lab.h


@dataclass(frozen=True, slots=True)
class Parameter:
    """'pointer', 'integer', 'real' or 'other', and its size in bytes."""

    kind: str
    nbytes: int


def kernels(path: Path) -> tuple[str, ...]:
    """Symbols of the kernels."""
    with path.open("rb") as file:
        names = [section.name for section in ELFFile(file).iter_sections()]
    return tuple(sorted(name.removeprefix(PARAMETER_BANK) for name in names if name.startswith(PARAMETER_BANK)))


def launch(path: Path) -> Launch | None:
    """The record of LAUNCH(...) in lab.h. A missing entry of `block` is 1, a missing tile is the block."""
    data = _constant(path, "lab_launch")
    if data is None:
        return None
    *words, shared, grid_x = LAUNCH.unpack(data)
    block = tuple(max(1, word) for word in words[:3])
    tile = tuple(word or side for word, side in zip(words[3:], block, strict=False))
    return Launch((block[0], block[1], block[2]), (tile[0], tile[1]), shared, "rows" if grid_x else "columns")


def signature(path: Path) -> tuple[Parameter, ...] | None:
    """The record of lab_signature.h: the kernel's parameters in order."""
    data = _constant(path, "lab_signature")
    if data is None:
        return None
    pairs = [(chr(data[i]), data[i + 1]) for i in range(0, len(data) - 2, 2)]
    return tuple(Parameter(KINDS.get(kind, "other"), nbytes) for kind, nbytes in pairs)


def _constant(path: Path, name: str) -> bytes | None:
    with path.open("rb") as file:
        elf = ELFFile(file)
        for symbol in _symbols(elf):
            if symbol.name == name:
                start, size = symbol["st_value"], symbol["st_size"]
                return bytes(elf.get_section(symbol["st_shndx"]).data()[start : start + size])
    return None


def _symbols(elf: ELFFile) -> list[Symbol]:
    return [s for table in elf.iter_sections() if isinstance(table, SymbolTableSection) for s in table.iter_symbols()]
