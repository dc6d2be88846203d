"""A simulated processor, which runs one block at a time: its state, its warps, the memory of the block, what it prints.

CUDA C++ Programming Guide, "Formatted Output": an argument takes 4 bytes, or 8 if it is a pointer, a number of 64
bits or floating-point; 8-byte ones begin at a multiple of 8.
"""

from __future__ import annotations

import ctypes
import re
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import LANES, Dim3, Geometry
from grader.ptxsim.engine.native import Loaded
from grader.ptxsim.engine.program import Kernel
from grader.ptxsim.engine.session import Session
from grader.ptxsim.generate import async_copies, layout

WARP = np.dtype(layout.Warp)
# The limits of an H200: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". The system
# reserves 1 KiB of shared memory per block.
THREADS, BLOCKS, SHARED_BYTES, RESERVED = 2048, 32, 228 << 10, 1 << 10
MOST_MEMORY = 1 << 29  # bytes of this machine's memory


class Processor:
    """A processor's state, warps and memory."""

    def __init__(
        self,
        session: Session,
        grid: Dim3,
        buffers: Mapping[str, NDArray[np.generic]],
        parameters: NDArray[np.uint8],
        counters: NDArray[np.int64],
        stop: ctypes.c_int32,
        order: int,
        printed_bytes: int,
        fresh: int,
    ) -> None:
        kernel = session.kernel
        self._session = session
        self._prints = np.zeros(4 * printed_bytes + 4096 if kernel.traits.prints else 16, np.uint8)
        self.status = layout.Status.DONE
        self.state = state = layout.ProcessorState()
        geometry = kernel.geometry
        self.coordinates = geometry.coordinates()
        self.shared = _aligned_bytes(kernel.placed.shared_bytes + 64)
        self.scratch = _aligned_bytes(layout.SCRATCH + 4096)
        self.warps = _aligned_bytes(kernel.code.stride * geometry.warps + 64)
        self._held, self._counters = (buffers, parameters, stop), counters
        self._set_segments(session, buffers)
        state.shared, state.parameters = self.shared.ctypes.data, parameters.ctypes.data
        state.next_block = counters.ctypes.data
        state.first_fault = counters.ctypes.data + 8
        state.stop = ctypes.addressof(stop)
        state.warps = self.warps.ctypes.data
        state.scratch = self.scratch.ctypes.data
        state.parts = ctypes.addressof(session.code.table)
        state.make_part = ctypes.cast(session.code.maker, ctypes.c_void_p).value
        state.printed, state.printed_limit = self._prints.ctypes.data, self._prints.size
        state.trace = session.trace.address if session.trace else None
        state.grid_x, state.grid_y, state.grid_z = grid
        state.order, state.fresh = order, fresh
        self._set_warps(kernel, geometry)

    def take(self, listed: NDArray[np.int64] | None, count: int) -> None:
        """Set the blocks to run: those `listed`, or else the first `count`."""
        self._listed = listed
        self.state.block_numbers = None if listed is None else listed.ctypes.data
        self.state.blocks = count

    def take_one(self, block: int) -> None:
        """Set the only block to run, in turns with the blocks of other processors."""
        self.state.stays = 1
        self._counters[0] = block
        self.take(None, block + 1)

    def _set_segments(self, session: Session, buffers: Mapping[str, NDArray[np.generic]]) -> None:
        state = self.state
        for number, array in enumerate(buffers.values()):
            _segment(state, number + 1, array.ctypes.data, 0, array.nbytes, writable=True)
        for segment, memory in session.variables.items():
            _segment(state, segment, memory.ctypes.data, 256, memory.nbytes - 64, writable=segment == layout.GLOBALS)
        if session.heap is not None:
            _segment(state, layout.HEAP, session.heap.memory.ctypes.data, 0, session.heap.memory.nbytes, writable=True)
            state.heap = session.heap.pointer
        for number, own in enumerate(session.kernel.placed.arrays):
            first = layout.window(layout.SHARED) + own.address
            host = self.shared.ctypes.data + own.place
            state.segments[layout.SEGMENTS + number] = layout.Segment(first, first + own.size, host - first, 1)

    def printed(self, limit: int) -> bytes:
        """Return the text that the kernel has printed on this processor, at most `limit` bytes."""
        return printed(self._prints[: self.state.printed_bytes].tobytes(), limit, self._session.text_at)

    def _set_warps(self, kernel: Kernel, geometry: Geometry) -> None:
        copies_bytes = async_copies.BYTES if kernel.traits.copies else 64
        self.copies = _aligned_bytes(copies_bytes * geometry.warps)
        warps = np.ndarray(geometry.warps, WARP, self.warps, 0, kernel.code.stride)
        number = np.arange(geometry.warps)
        warps["started"] = -1
        if last := geometry.threads % LANES:
            warps["started"][-1] = (1 << last) - 1
        warps["number"] = number
        warps["copies"] = self.copies.ctypes.data + number * copies_bytes
        warps["local"] = self.warps.ctypes.data + number * kernel.code.stride + kernel.code.frame.end
        warps["coordinates"] = self.coordinates.ctypes.data + number * 3 * 4 * LANES


def _aligned_bytes(count: int) -> NDArray[np.uint8]:
    memory = np.zeros(count + 64, np.uint8)
    skip = -memory.ctypes.data % 64
    return memory[skip : skip + count]


def _segment(state: layout.ProcessorState, number: int, host: int, start: int, end: int, *, writable: bool) -> None:
    """Map the bytes from `start` to `end` of a segment to those at `host`."""
    first = layout.window(number)
    state.segments[number] = layout.Segment(first + start, first + end, host - first, int(writable))


def most_resident(kernel: Kernel) -> int:
    """Return the number of blocks that can be resident on the device, and in this machine's memory, at a time."""
    geometry = kernel.geometry
    by_shared = SHARED_BYTES // (kernel.placed.shared_bytes + RESERVED)
    on_device = layout.PLACES["smid"] * min(BLOCKS, THREADS // (32 * geometry.warps), by_shared)
    memory = kernel.placed.shared_bytes + kernel.code.stride * geometry.warps + (1 << 18)
    return min(on_device, MOST_MEMORY // memory)


def run_together(code: Loaded, processors: Sequence[Processor], count: int, stop: ctypes.c_int32, order: str) -> None:
    """Run resident blocks in turns until all `count` have ended, or one has failed. Others replace those that end."""
    waiting = iter(range(len(processors), count))
    left = [(processor, code.run) for processor in processors]
    if order == "reverse":
        left.reverse()
    while left:
        unfinished = []
        for processor, run in left:
            processor.status = layout.Status(run(ctypes.addressof(processor.state)))
            if processor.status is layout.Status.YIELDED:
                unfinished.append((processor, code.resume))
            elif processor.status is not layout.Status.DONE:
                stop.value = 1
                return
            elif (block := next(waiting, None)) is not None:
                processor.take_one(block)
                unfinished.append((processor, code.run))
        left = unfinished


HEAD = 16
WIDEST = 9999  # characters; the largest field width and precision

_DIRECTIVE = re.compile(rb"%([-+ #0]*)(\*|\d{1,4})?(?:\.(\*|\d{1,4}))?(hh|h|ll|l|L|j|z|t)?([diouxXcsfFeEgGaApn%])")

ReadText = Callable[[int], bytes]


def printed(records: bytes, limit: int, text_at: ReadText) -> bytes:
    """Return at most `limit` bytes of the text of printf records. `text_at` reads a string at a simulated address."""
    result = bytearray()
    place = 0
    while place + HEAD <= len(records) and len(result) < limit:
        address, count = struct.unpack_from("<qq", records, place)
        arguments = records[place + HEAD : place + HEAD + count]
        result += _formatted(text_at(address), arguments, text_at)
        place += HEAD + count
    return bytes(result[:limit])


def _formatted(format_: bytes, arguments: bytes, text_at: ReadText) -> bytes:
    words = _Words(arguments)
    return _DIRECTIVE.sub(lambda match: b"".join(_printed_directive(match, words, text_at)), format_)


class _Words:
    """The arguments of a record, taken one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def take(self, size: int, code: str) -> int | float:
        self._place = -(-self._place // size) * size
        piece = self._data[self._place : self._place + size].ljust(size, b"\0")
        self._place += size
        value: int | float = struct.unpack(code, piece)[0]
        return value


def _width(words: _Words) -> bytes:
    """Return an argument that is a width or a precision, as text."""
    return str(max(-WIDEST, min(int(words.take(4, "<i")), WIDEST))).encode()


def _printed_directive(match: re.Match[bytes], words: _Words, text_at: ReadText) -> Iterator[bytes]:
    """Yield the text of a directive, such as %d, with the arguments that it takes."""
    flags, width, precision, length, kind = (part or b"" for part in match.groups())
    if kind == b"%":
        yield b"%"
        return
    sizes = [_width(words) if part == b"*" else part for part in (width, precision)]
    spec = (
        b"%" + flags + sizes[0] + (b"." + sizes[1] if precision and not sizes[1].startswith(b"-") else b"")
    ).decode()
    letter = kind.decode()
    wide = length in {b"ll", b"l", b"j", b"z", b"t"}
    if letter in "di":
        yield (spec + "d").encode() % int(words.take(8 if wide else 4, "<q" if wide else "<i"))
    elif letter in "ouxX":
        shown = "d" if letter == "u" else letter
        yield (spec + shown).encode() % int(words.take(8 if wide else 4, "<Q" if wide else "<I"))
    elif letter == "c":
        yield bytes([int(words.take(4, "<i")) & 0xFF])
    elif letter == "s":
        yield (spec + "s").encode() % text_at(int(words.take(8, "<q")))
    elif letter == "p":
        yield hex(int(words.take(8, "<Q"))).encode()
    elif letter == "n":  # the device stores nothing
        words.take(8, "<q")
    elif letter in "aA":
        yield float(words.take(8, "<d")).hex().encode()
    else:
        yield (spec + letter).encode() % float(words.take(8, "<d"))
