"""The symbol table of an ELF object: what a submission defines and what it calls."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from grader.errors import InfrastructureError

FUNCTION, THREAD_LOCAL = "STT_FUNC", "STT_TLS"


@dataclass(frozen=True, slots=True)
class Symbol:
    """One line of the table. An undefined symbol is one that the linker has to find elsewhere."""

    name: str
    kind: str
    local: bool
    visible: bool
    undefined: bool


def read_symbols(path: Path) -> tuple[Symbol, ...]:
    """All named symbols of the object.

    Raises:
        InfrastructureError: the compiler made something else than ELF, as on macOS.

    """
    with path.open("rb") as file:
        try:
            tables = [part for part in ELFFile(file).iter_sections() if isinstance(part, SymbolTableSection)]
        except ELFError as error:
            sentence = "The simulator needs a compiler for Linux on x86-64 or aarch64."
            raise InfrastructureError(sentence, "Run the grader in its container image.") from error
        return tuple(
            Symbol(
                symbol.name,
                symbol["st_info"]["type"],
                symbol["st_info"]["bind"] == "STB_LOCAL",
                symbol["st_other"]["visibility"] == "STV_DEFAULT",
                symbol["st_shndx"] == "SHN_UNDEF",
            )
            for table in tables
            for symbol in table.iter_symbols()
            if symbol.name
        )
