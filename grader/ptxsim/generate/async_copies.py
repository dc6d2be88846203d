"""cp.async: copies from global to shared memory in the background, and waiting for groups of them.

PTX ISA, "Data Movement and Conversion Instructions: Asynchronous copy". A copy is read when it is started, and written
when a lane waits for it. The device may write as late as that, so this makes a missing wait visible.

Each warp has a list of its copies that are not written yet. The list is a queue with a header: how many entries it has,
the first that is needed, and the group of each lane. An entry has the copy of each lane that made it.
"""

from __future__ import annotations

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate import movers
from grader.ptxsim.generate.addresses import Access, generic_addresses
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import vector
from grader.ptxsim.generate.exits import succeed
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.mbarriers import changed
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import is_number
from grader.ptxsim.generate.traces import Event
from grader.ptxsim.generate.values import Value, bits, integer, mask, spread
from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.records import Address, Instruction, Negated, Operand, Register

FIRST, GROUPS, ENTRIES = 4, 64, 192  # where the header has the first entry in use and the groups; the entries follow
WRITE, TAGS, TO, DATA = 8, 64, 192, 448  # fields of an entry, after the mask of its lanes
STRIDE = 1024
MOST = 128  # copies in the background of one warp; the device has room for about as many bytes
BYTES = ENTRIES + MOST * STRIDE
ALL_GROUPS = 1 << 30
SIZES = (4, 8, 16)  # bytes that a lane copies


def asynchronous(code: Code, instruction: Instruction) -> None:
    """Translate cp.async and the instructions that wait for it."""
    modifiers = instruction.modifiers
    if "mbarrier" in modifiers:
        _arrive(code, instruction)
    elif "commit_group" in modifiers:
        _commit(code)
    elif "wait_group" in modifiers:
        pending = read(code, instruction.operands[0], "u32")
        if not is_number(pending):
            raise code.unsupported()
        _wait(code, pending.bases[0].added)
    elif "wait_all" in modifiers:
        _wait(code, -1)
    else:
        _start(code, instruction)


def _record(code: Code) -> str:
    return code.warp("copies", "ptr")


def _commit(code: Code) -> None:
    emitter, pointer = code.emitter, _record(code)
    old = emitter.load(vector("i32"), pointer, GROUPS, 4)
    acting = emitter.op(f"bitcast i32 {code.active} to <{LANES} x i1>")
    more = emitter.op(f"zext <{LANES} x i1> {acting} to {vector('i32')}")
    emitter.store(vector("i32"), emitter.op(f"add {vector('i32')} {old}, {more}"), pointer, GROUPS, 4)


def _wait(code: Code, pending: int) -> None:
    code.emitter.do(f"call void @copies_wait(ptr {_record(code)}, i32 {code.active}, i32 {pending})")


def _arrive(code: Code, instruction: Instruction) -> None:
    """cp.async.mbarrier.arrive: an arrival when the lane's copies are written; here they are written at once.

    Without .noinc, the phase also waits for one more arrival, so that the two cancel.
    """
    code.emitter.do(f"call void @copies_wait(ptr {_record(code)}, i32 {code.active}, i32 {-ALL_GROUPS})")
    how = "arrive" if "noinc" in instruction.modifiers else "look"
    changed(code, instruction, how, integer("i32", 1))


def sizes(instruction: Instruction) -> tuple[Operand, ...]:
    """Return the operands that say how many bytes are written and, if there may be fewer, how many are read."""
    given = instruction.operands[2:]
    return given[:-1] if "L2::cache_hint" in instruction.modifiers else given  # the policy changes no value


def lengths(code: Code, size: Value, shorter: Operand | None = None) -> str:
    """Return how many bytes each lane reads: a number, or none where a predicate says so. The rest of it is zeros."""
    whole = spread(code.emitter, size)
    if shorter is None:
        return whole
    register = shorter.register if isinstance(shorter, Negated) else shorter
    if not isinstance(register, Register) or code.kernel.function.registers[register.name] != "pred":
        return spread(code.emitter, read(code, shorter, "u32"))
    ignored = bits(code.emitter, mask(code.emitter, read(code, shorter, "pred")))
    return code.emitter.pure(
        f"select <{LANES} x i1> {ignored}, {vector('i32')} zeroinitializer, {vector('i32')} {whole}"
    )


def _start(code: Code, instruction: Instruction) -> None:
    to, source, *_ = instruction.operands
    given = sizes(instruction)
    size = read(code, given[0], "u32") if given else None
    if not isinstance(to, Address) or not isinstance(source, Address) or size is None or not is_number(size):
        raise code.unsupported()
    copied = size.bases[0].added
    if copied not in SIZES:
        raise code.unsupported(Lack.SIZE)
    names = []
    for name, space, address in (("copy_to", "shared", to), ("copy_from", "global", source)):
        names.append(code.in_memory(name, "i64", generic_addresses(code, Access(space, address, "b32", 1))))
    read_bytes = code.in_memory("copy_lengths", "i32", lengths(code, size, *given[1:]))
    succeed(
        code,
        f"@copy_start_{copied}(ptr %m, ptr %w, ptr {_record(code)}, ptr {names[0]}, ptr {names[1]}, ptr {read_bytes}, "
        f"i32 {code.executing_lanes()}, i32 {code.place()})",
    )
    if code.kernel.traced:
        code.emitter.do(
            f"call void @trace_copy(ptr %m, ptr %w, ptr {_record(code)}, ptr {names[0]}, i32 {copied}, "
            f"i32 {code.place()}, i32 {code.executing_lanes()})"
        )


def functions(*, traced: bool = False) -> str:
    """Return the functions that start copies and wait for them; `traced` code appends each to a trace."""
    entry = {"entries": ENTRIES, "first": FIRST, "groups": GROUPS, "stride": STRIDE, "write": WRITE, "tags": TAGS}
    wait = ir_text("copies_wait", **entry, to=TO, data=DATA)
    append = ir_text("copy_entry", **entry, most=MOST, all_groups=ALL_GROUPS) + ir_text("copy_each")
    trace = ""
    if traced:
        numbers = {"copy": int(Event.COPY), "values": int(Event.VALUES)}
        trace = ir_text("trace_copy", **numbers, stride=STRIDE, first_data=ENTRIES + DATA)
    return "".join((wait, append, *map(_of_size, SIZES), trace))


def _of_size(size: int) -> str:
    """Return the functions that start copies of so many bytes, read their sources, and write them."""
    start = ir_text("copy_start", size=size, below_size=size - 1, to=TO, data=DATA)
    read, write = movers.mover(size, 1, "gather", f"copy_in_{size}"), movers.all_lanes(f"copy_out_{size}", size)
    return start + read + write
