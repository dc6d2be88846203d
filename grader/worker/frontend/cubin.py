"""What a compiler states of a kernel: in the image its parameters and its launch, in the log its registers."""

import ctypes
import functools
import math
import re
import struct
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Symbol, SymbolTableSection

from grader.errors import InfrastructureError
from grader.model import Demands, Launch

LIBRARY = "libstdc++.so.6"
LONGEST = 1 << 16  # bytes; a name that is longer stays as it is
PARAMETER_BANK = ".nv.constant0."  # only kernels have a bank of parameters, named after them
LAUNCH = struct.Struct("<3I2III")  # __LabLaunch of lab.h
LAUNCH_SYMBOL = "_ZN11__lab_scope12__lab_launchE"  # __lab_scope::__lab_launch, which LAUNCH(...) of lab.h defines
# A kernel's attributes: format, number, and either two bytes or a length and that many bytes (see `cuobjdump -elf`).
INFORMATION = ".nv.info."
INTERNAL = "$__internal_"  # the compiler's own functions, such as that for a division
PTX = ".nv_debug_ptx_txt"  # with -lineinfo, the image holds its PTX, with a zero byte for the end of a line
GRID_WORKSPACE = b"%envreg2"  # what cooperative groups synchronise a grid through; a cooperative launch provides it
ATTRIBUTE = struct.Struct("<BBH")
SIZED = 4  # EIFMT_SVAL
MOST_THREADS, BLOCK = 0x05, 0x10  # EIATTR_MAX_THREADS and EIATTR_REQNTID, of __launch_bounds__ and __block_size__
EXTENTS = struct.Struct("<3I")
PARAMETER = 0x17  # EIATTR_KPARAM_INFO: index, ordinal, offset, and a word with the size in its upper 14 bits
PARAMETER_INFORMATION = struct.Struct("<IHHI")
SIZE_SHIFT = 18
ENTRY = re.compile(r"^ptxas info\s*: Compiling entry function '([^']+)'", re.MULTILINE)
STACK = re.compile(r"\b(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
REGISTERS = re.compile(r"Used (\d+) registers")
SHARED = re.compile(r"\b(\d+) bytes smem")  # not in a name that is full of digits
COMMENTS = re.compile(r"^(?:ptxas info\s*:.*|(?:ptxas +\.)? +\d+ bytes stack frame, .*)\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Usage:
    """Registers and bytes of stack of a thread, bytes that it spills, and bytes of static shared memory of a block."""

    registers: int
    stack: int
    spill_stores: int
    spill_loads: int
    static_shared: int


NOTHING = Usage(0, 0, 0, 0, 0)


def kernels(path: Path) -> tuple[str, ...]:
    """Symbols of the functions that can be launched."""
    with path.open("rb") as file:
        names = [section.name for section in ELFFile(file).iter_sections()]
    return tuple(sorted(name.removeprefix(PARAMETER_BANK) for name in names if name.startswith(PARAMETER_BANK)))


def kernels_if_whole(path: Path) -> tuple[str, ...] | None:
    """Symbols of the functions that can be launched; None for a file that is damaged."""
    try:
        return kernels(path)
    except ELFError:
        return None


def calls_functions(path: Path, symbol: str) -> bool:
    """Whether a kernel calls device functions that were not inlined; those that call themselves never are."""
    with path.open("rb") as file:
        names = [each.name for each in _symbols(ELFFile(file))]
    return any(name.startswith(f"${symbol}$") and INTERNAL not in name for name in names)


def syncs_grid(path: Path, symbol: str) -> bool:
    """Whether a kernel, or a function that kernels call, waits for all blocks of the grid as grid.sync() does."""
    with path.open("rb") as file:
        section = ELFFile(file).get_section_by_name(PTX)
        functions, *kernels_ = section.data().split(b".entry ") if section else (b"",)
    own = [kernel for kernel in kernels_ if kernel.startswith(symbol.encode() + b"(")]
    return any(GRID_WORKSPACE in text for text in (functions, *own))


def launch(path: Path) -> Launch | None:
    """What LAUNCH(...) of lab.h placed in the image. A missing entry of `block` is 1, a missing tile is the block.

    Raises ValueError, with the name of the field, for a 0 before another number: so it is not missing.
    """
    data = _constant(path, LAUNCH_SYMBOL)
    if data is None:
        return None
    *words, shared, grid_x = LAUNCH.unpack(data)
    for name, numbers in (("block", words[:3]), ("tile", words[3:])):
        if any(numbers[numbers.index(0) :] if 0 in numbers else ()):
            raise ValueError(name)
    block = tuple(max(1, word) for word in words[:3])
    tile = tuple(word or side for word, side in zip(words[3:], block, strict=False))
    return Launch((block[0], block[1], block[2]), (tile[0], tile[1]), shared, "rows" if grid_x else "columns")


def parameter_bytes(path: Path, symbol: str) -> tuple[int, ...]:
    """The sizes of a kernel's parameters, in order."""
    words = [PARAMETER_INFORMATION.unpack(data) for data in _attributes(path, symbol).get(PARAMETER, [])]
    return tuple(word >> SIZE_SHIFT for _, _, _, word in sorted(words, key=itemgetter(1)))  # by ordinal


def demands(path: Path, symbol: str, static_shared: int) -> Demands:
    """What a kernel with these bytes of static shared memory demands of every launch."""
    attributes = _attributes(path, symbol)
    most, block = (
        next((EXTENTS.unpack(data) for data in attributes.get(number, [])), None) for number in (MOST_THREADS, BLOCK)
    )
    return Demands(static_shared, math.prod(most) if most else 0, block)


def _attributes(path: Path, symbol: str) -> dict[int, list[bytes]]:
    """The contents of a kernel's attributes by their number."""
    with path.open("rb") as file:
        section = ELFFile(file).get_section_by_name(f"{INFORMATION}{symbol}")
        data = section.data() if section else b""
    found: dict[int, list[bytes]] = {}
    at = 0
    while at + ATTRIBUTE.size <= len(data):
        form, number, length = ATTRIBUTE.unpack_from(data, at)
        at += ATTRIBUTE.size
        if form == SIZED:
            found.setdefault(number, []).append(data[at : at + length])
            at += length
    return found


def variables(path: Path, name: str) -> tuple[str, ...]:
    """The symbols of the variables that the file calls so, in whatever namespace; those of the linker are no others."""
    with path.open("rb") as file:
        found = [s.name for s in _symbols(ELFFile(file)) if s["st_info"]["type"] == "STT_OBJECT"]
    return tuple(symbol for symbol in found if demangle(symbol).rpartition("::")[2] == name)


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


def demangle(symbol: str) -> str:
    """`_Z6matmulPKfi` -> `matmul(float const*, int)`; other text stays as it is."""
    if not symbol.startswith("_Z") or len(symbol) > LONGEST:
        return symbol
    status = ctypes.c_int()
    library = _library()
    text = library.__cxa_demangle(symbol.encode(), None, None, ctypes.byref(status))
    if not text:
        return symbol
    try:
        return ctypes.string_at(text).decode("utf-8", "replace")
    finally:
        ctypes.CDLL(None).free(ctypes.c_void_p(text))


@functools.cache
def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(LIBRARY)
    except OSError as error:
        raise InfrastructureError(f"{LIBRARY}, the C++ library, is not installed", "Install g++.") from error
    library.__cxa_demangle.restype = ctypes.c_void_p
    return library


def usages(log: str) -> dict[str, Usage]:
    """What each kernel uses, by its symbol."""
    _, *parts = ENTRY.split(log)
    return {symbol: _usage(symbol, text) for symbol, text in zip(parts[::2], parts[1::2], strict=True)}


def without_information(log: str) -> str:
    """The log with warnings only."""
    return COMMENTS.sub("", log)


def _usage(symbol: str, text: str) -> Usage:
    """Functions that the kernel calls have a stack of their own, printed beside the kernel's."""
    _, _, own = text.partition(f"Function properties for {symbol}\n")
    stack = STACK.search(own)
    registers, shared = REGISTERS.search(text), SHARED.search(text)
    frame, stores, loads = (int(word) for word in stack.groups()) if stack else (0, 0, 0)
    return Usage(int(registers[1]) if registers else 0, frame, stores, loads, int(shared[1]) if shared else 0)
