"""Every instruction that is translated, and the function that translates it.

The tables list each with the modifiers that its function reads, as the PTX ISA does; any other instruction or modifier
is not supported. A line such as `add|sub [rn|rz] [ftz] f32` has the opcodes, then a slot for each modifier: one of
several words, which may be missing where the slot is in brackets. Assemblers accept modifiers in any order, so a slot
is filled by the first modifier that it has; but every modifier needs a slot, and an instruction has no word twice
unless two slots have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from grader.ptxsim.analysis.updates import SPECULATIVE
from grader.ptxsim.generate import (
    addresses,
    async_copies,
    atomics,
    bit_fields,
    comparisons,
    conversions,
    floats,
    halves,
    integers,
    loads_and_stores,
    mbarriers,
    system,
    tensor_cores,
    tiles,
    warps,
)
from grader.ptxsim.generate.code import Code, Translate
from grader.ptxsim.records.lacks import UNEXPECTED, Lack, MalformedError
from grader.ptxsim.syntax.records import Instruction

ANY = "*"  # a line's only slot, for instructions of our own that keep the modifiers of another one

# Words that many lines have in common

INTEGER = "u16|u32|u64|s16|s32|s64"
ANY_INTEGER = f"u8|s8|{INTEGER}"
BITS = "b16|b32|b64"
ROUNDING = "rn|rz|rm|rp"
TO_INTEGER = "rni|rzi|rmi|rpi"
SHORT = "f16|bf16|f16x2|bf16x2"  # floating-point numbers of 16 bits, and pairs
SCOPE = "[cta|cluster|gpu|sys]"
SHARED = "shared|shared::cta"
# No cache is simulated, so that these words change nothing.
CACHE = (
    "[L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate] "
    "[L2::evict_normal|L2::evict_first|L2::evict_last] [L2::cache_hint] [L2::64B|L2::128B|L2::256B]"
)

# Arithmetic (PTX ISA, "Integer Arithmetic", "Floating-Point" and "Half Precision Floating-Point Instructions").

ARITHMETIC: dict[Translate, str] = {
    integers.add_or_subtract: f"add|sub {INTEGER}",
    integers.multiply: f"""
        mul|mad hi|lo {INTEGER}
        mul|mad wide u16|u32|s16|s32
        """,
    integers.divide: f"div|rem {INTEGER}",
    integers.smaller_or_larger: f"min|max {INTEGER}",
    integers.negate: "neg|abs s16|s32|s64",
    bit_fields.of_24_bits: "mul24|mad24 lo u32|s32",
    bit_fields.dot_product: "dp4a u32|s32 u32|s32",
    floats.arithmetic: f"""
        add|sub|mul [{ROUNDING}] [ftz] [sat] f32
        add|sub|mul [{ROUNDING}] f64
        fma|mad {ROUNDING} [ftz] [sat] f32
        fma|mad {ROUNDING} f64
        div approx|full|{ROUNDING} [ftz] f32
        rcp|sqrt approx|{ROUNDING} [ftz] f32
        div|rcp|sqrt {ROUNDING} f64
        rsqrt|sin|cos|lg2|ex2 approx [ftz] f32
        rcp|rsqrt approx ftz f64
        rsqrt approx f64
        tanh approx f32
        neg|abs [ftz] f32
        neg|abs|min|max f64
        min|max [ftz] [NaN] f32
        copysign f32|f64
        """,
    halves.arithmetic: f"""
        add|sub|mul [rn] [ftz] [sat] f16|f16x2
        add|sub|mul [rn] bf16|bf16x2
        fma rn [ftz] [sat|relu] f16|f16x2
        fma rn [relu] bf16|bf16x2
        neg|abs [ftz] f16|f16x2
        neg|abs bf16|bf16x2
        min|max [ftz] [NaN] f16|f16x2
        min|max [NaN] bf16|bf16x2
        tanh approx {SHORT}
        ex2 approx f16|f16x2
        ex2 approx ftz bf16|bf16x2
        """,
}

# Logic, shifts, parts of words (PTX ISA, "Logic and Shift Instructions" and others).

LOGIC: dict[Translate, str] = {
    integers.logic: f"and|or|xor|not pred|{BITS}",
    integers.shift: f"""
        shl {BITS}
        shr {BITS}|{INTEGER}
        """,
    bit_fields.count: "popc|clz|brev b32|b64",
    bit_fields.find_highest: "bfind [shiftamt] u32|u64|s32|s64",
    bit_fields.extract: "bfe u32|u64|s32|s64",
    bit_fields.insert: "bfi b32|b64",
    bit_fields.logic_of_three: "lop3 b32",
    bit_fields.funnel: "shf l|r clamp|wrap b32",
    bit_fields.find_nth: "fns b32",
    bit_fields.permute: "prmt b32",
}

# Comparisons, moves and conversions (PTX ISA, "Comparison and Selection Instructions", "mov", "cvta", "cvt").

_SIGNED = "eq|ne|lt|le|gt|ge"
_UNSIGNED = f"{_SIGNED}|lo|ls|hi|hs"
_REAL = f"{_SIGNED}|equ|neu|ltu|leu|gtu|geu|num|nan"
_ALL_SPACES = "shared|shared::cta|shared::cluster|local|const|global"


VALUES: dict[Translate, str] = {
    comparisons.set_predicate: f"""
        setp eq|ne [and|or|xor] {BITS}
        setp {_SIGNED} [and|or|xor] s16|s32|s64
        setp {_UNSIGNED} [and|or|xor] u16|u32|u64
        setp {_REAL} [ftz] [and|or|xor] f32
        setp {_REAL} [and|or|xor] f64
        setp {_REAL} [ftz] [and|or|xor] f16
        setp {_REAL} [and|or|xor] bf16
        """,
    comparisons.set_number: f"""
        set {_REAL} [ftz] f16 f16
        set {_REAL} bf16 bf16
        set {_REAL} [ftz] f16x2|u32 f16x2
        set {_REAL} bf16x2|u32 bf16x2
        """,
    comparisons.select: f"selp {BITS}|{INTEGER}|f32|f64",
    conversions.move: f"mov pred|{BITS}|b128|{INTEGER}|f32|f64",
    conversions.convert_address: f"cvta [to] {_ALL_SPACES}|param u32|u64",
    conversions.is_in_space: f"isspacep {_ALL_SPACES}",
    conversions.convert: f"""
        cvt {ANY_INTEGER} {ANY_INTEGER}
        cvt rn [ftz] [sat] f32 {ANY_INTEGER}
        cvt rn [sat] f64 {ANY_INTEGER}
        cvt {TO_INTEGER} [ftz] [sat] {ANY_INTEGER} f32
        cvt {TO_INTEGER} [sat] {ANY_INTEGER} f64
        cvt [ftz] [sat] f64 f32
        cvt rn [ftz] [sat] f32 f64
        cvt [{TO_INTEGER}] [ftz] [sat] f32 f32
        cvt [{TO_INTEGER}] [sat] f64 f64
        cvt {TO_INTEGER} [sat] {ANY_INTEGER} f16
        cvt {TO_INTEGER} {INTEGER} bf16
        cvt [ftz] [sat] f32 f16
        cvt [sat] f64 f16
        cvt [ftz] f32 bf16
        cvt f64 bf16
        """,
    conversions.convert_short: f"""
        cvt rn [ftz] f16|bf16 f32
        cvt rn f16|bf16 f64
        cvt rn f16x2|bf16x2 f32
        cvt rna tf32 f32
        cvt rn f16 {ANY_INTEGER}
        cvt rn bf16 {INTEGER}
        cvt {TO_INTEGER} f16 f16
        cvt {TO_INTEGER} bf16 bf16
        cvt rn f16 bf16
        cvt rn bf16 f16
        """,
}

# Accesses to memory (PTX ISA, "Data Movement and Conversion Instructions", "atom", "red", "Asynchronous copy").

_TYPES = "b8|b16|b32|b64|b128|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"
_SPACES = f"[global|{SHARED}|shared::cluster|local|const|param]"
_WRITTEN = f"[global|{SHARED}|shared::cluster|local|param]"
_ATOMIC = f"[relaxed|acquire|release|acq_rel] {SCOPE} [global|{SHARED}|shared::cluster] [L2::cache_hint]"
_POLICY = "L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged [L2::evict_first|L2::evict_unchanged]"
MEMORY: dict[Translate, str] = {
    # All accesses happen in order, so that no word about the order changes a value.
    loads_and_stores.load: f"""
        ld [{SPECULATIVE}] [weak|volatile] {_SPACES} [ca|cg|cs|lu|cv] {CACHE} [v2|v4] {_TYPES}
        ld [{SPECULATIVE}] [mmio] relaxed|acquire cta|cluster|gpu|sys {_SPACES} {CACHE} [v2|v4] {_TYPES}
        ld [{SPECULATIVE}] global [ca|cg|cs] nc {CACHE} [v2|v4] {_TYPES}
        ldu [global] [v2|v4] {_TYPES}
        """,
    loads_and_stores.store: f"""
        st [weak|volatile] {_WRITTEN} [wb|cg|cs|wt] {CACHE} [v2|v4] {_TYPES}
        st [mmio] relaxed|release cta|cluster|gpu|sys {_WRITTEN} {CACHE} [v2|v4] {_TYPES}
        """,
    atomics.atomic: f"""
        atom|red {_ATOMIC} and|or|xor b32|b64
        atom {_ATOMIC} exch b32|b64|b128
        atom {_ATOMIC} cas b16|b32|b64|b128
        atom|red {_ATOMIC} inc|dec u32
        atom|red {_ATOMIC} min|max u32|u64|s32|s64
        atom|red {_ATOMIC} add [v2|v4] f32
        atom|red {_ATOMIC} add u32|u64|s32|f64
        atom|red {_ATOMIC} add noftz [v2|v4|v8] f16|bf16
        atom|red {_ATOMIC} add noftz [v2|v4] f16x2|bf16x2
        """,
    async_copies.asynchronous: f"""
        cp async ca|cg {SHARED} global [L2::cache_hint] [L2::64B|L2::128B|L2::256B]
        cp async commit_group|wait_group|wait_all
        cp async mbarrier arrive [noinc] [{SHARED}] b64
        """,
    conversions.cache_policy: f"""
        createpolicy fractional {_POLICY} b64
        createpolicy range [global] {_POLICY} b64
        createpolicy cvt L2 b64
        """,
    warps.nothing: """
        prefetch [global|local] L1|L2
        prefetch [global] L2::evict_last|L2::evict_normal
        prefetchu L1
        applypriority [global] L2::evict_normal
        """,
}

# What threads do together, and calls that leave the kernel (PTX ISA, "Parallel Synchronization ... Instructions").

_OBJECT = f"[{SHARED}] b64"


def may_leave(code: Code, instruction: Instruction) -> None:
    """A warp may let others run here, so that `generate/kernel.py` writes the code, which has to save registers."""
    raise ValueError(f"block {code.block}: {instruction.name}")


THREADS: dict[Translate, str] = {
    warps.shuffle: "shfl sync up|down|bfly|idx b32",
    warps.vote: """
        vote sync all|any|uni pred
        vote sync ballot b32
        """,
    warps.active_mask: "activemask b32",
    warps.reduce: """
        redux sync add|min|max u32|s32
        redux sync and|or|xor b32
        """,
    warps.match: "match any|all sync b32|b64",
    warps.elect: "elect sync",
    warps.synchronise: "bar warp sync",
    may_leave: f"""
        bar [cta] sync|arrive
        bar [cta] red popc u32
        bar [cta] red and|or pred
        barrier [cta] sync|arrive [aligned]
        barrier [cta] red popc [aligned] u32
        barrier [cta] red and|or [aligned] pred
        barrier_result {ANY}
        mbarrier test_wait|try_wait [parity] [acquire] {SCOPE} {_OBJECT}
        """,
    mbarriers.operation: f"""
        mbarrier init|inval {_OBJECT}
        mbarrier arrive|arrive_drop [release] {SCOPE} {_OBJECT}
        mbarrier arrive|arrive_drop noComplete [release] [cta] {_OBJECT}
        """,
    # All accesses happen in order, and no other kernel runs.
    warps.nothing: """
        membar cta|gl|sys
        membar proxy alias
        fence [sc|acq_rel|acquire|release] cta|cluster|gpu|sys
        fence proxy alias|async
        fence proxy async global|shared::cta|shared::cluster
        fence mbarrier_init release cluster
        nanosleep u32
        griddepcontrol launch_dependents|wait
        pmevent [mask]
        setmaxnreg inc|dec sync aligned u32
        """,
    system.trap: "trap|brkpt|overflow",
    system.assertion: "assert",
    system.print_: "print",
    system.allocate: "malloc",
    system.release: "free",
}

# Tiles of a warp (PTX ISA, "Warp-level matrix instructions").

_SHAPES = "m16n16k16|m8n32k16|m32n8k16"
_LAYOUTS = "sync aligned row|col row|col"
MATRICES: dict[Translate, str] = {
    tensor_cores.matrix: f"""
        wmma load a|b sync aligned row|col {_SHAPES} [global|{SHARED}] f16|bf16|u8|s8
        wmma load c sync aligned row|col {_SHAPES} [global|{SHARED}] f16|f32|s32
        wmma store d sync aligned row|col {_SHAPES} [global|{SHARED}] f16|f32|s32
        wmma load a|b sync aligned row|col m16n16k8 [global|{SHARED}] tf32
        wmma load c sync aligned row|col m16n16k8 [global|{SHARED}] f32
        wmma store d sync aligned row|col m16n16k8 [global|{SHARED}] f32
        wmma load a|b|c sync aligned row|col m8n8k4 [global|{SHARED}] f64
        wmma store d sync aligned row|col m8n8k4 [global|{SHARED}] f64
        wmma mma {_LAYOUTS} {_SHAPES} f16|f32 f16|f32
        wmma mma {_LAYOUTS} {_SHAPES} f32 bf16 bf16 f32
        wmma mma {_LAYOUTS} {_SHAPES} s32 u8 u8 s32
        wmma mma {_LAYOUTS} {_SHAPES} s32 s8 s8 s32
        wmma mma {_LAYOUTS} m16n16k8 f32 tf32 tf32 f32
        wmma mma {_LAYOUTS} m8n8k4 [rn] f64 f64 f64 f64
        """,
    tensor_cores.mma: """
        mma sync aligned m16n8k8|m16n8k16 row col f16 f16 f16 f16
        mma sync aligned m16n8k8|m16n8k16 row col f32 f16 f16 f32
        mma sync aligned m16n8k8|m16n8k16 row col f32 bf16 bf16 f32
        mma sync aligned m16n8k4|m16n8k8 row col f32 tf32 tf32 f32
        mma sync aligned m8n8k4|m16n8k4|m16n8k8|m16n8k16 row col [rn] f64 f64 f64 f64
        mma sync aligned m8n8k16|m16n8k16|m16n8k32 row col s32 u8|s8 u8|s8 s32
        """,
    tiles.load_matrices: f"ldmatrix sync aligned m8n8 x1|x2|x4 [trans] [{SHARED}] b16",
    tiles.store_matrices: f"stmatrix sync aligned m8n8 x1|x2|x4 [trans] [{SHARED}] b16",
}

# Those that `analysis/` puts in place of others.

OWN: dict[Translate, str] = {addresses.within: f"within {ANY}", bit_fields.add_with_carry: f"carried {ANY}"}


@dataclass(frozen=True, slots=True)
class Slot:
    """The words of which one stands in a place."""

    words: tuple[str, ...]
    optional: bool


@dataclass(frozen=True, slots=True)
class InstructionVariant:
    """A line of a table, for one of its opcodes, and the function that translates it."""

    opcode: str
    slots: tuple[Slot, ...]
    translate: Translate

    def has(self, modifiers: Sequence[str]) -> bool:
        """Whether the modifiers fill the slots."""
        left = list(self.slots)
        if left and left[0].words == (ANY,):
            return True
        for modifier in modifiers:
            slot = next((slot for slot in left if modifier in slot.words), None)
            if slot is None:
                return False
            left.remove(slot)
        return all(slot.optional for slot in left)


def variants(table: Mapping[Translate, str]) -> Iterator[InstructionVariant]:
    """Yield the variants of a table, which has the lines that each function translates."""
    for translate, lines in table.items():
        for line in lines.strip().splitlines():
            opcodes, *words = line.split()
            slots = tuple(Slot(tuple(word.strip("[]").split("|")), word.startswith("[")) for word in words)
            yield from (InstructionVariant(opcode, slots, translate) for opcode in opcodes.split("|"))


def _by_opcode() -> dict[str, tuple[InstructionVariant, ...]]:
    found: dict[str, tuple[InstructionVariant, ...]] = {}
    for table in (ARITHMETIC, LOGIC, VALUES, MEMORY, THREADS, MATRICES, OWN):
        for variant in variants(table):
            found[variant.opcode] = (*found.get(variant.opcode, ()), variant)
    return found


VARIANTS = _by_opcode()


@lru_cache(maxsize=4096)
def _translator(opcode: str, modifiers: tuple[str, ...]) -> Translate | None:
    return next((variant.translate for variant in VARIANTS.get(opcode, ()) if variant.has(modifiers)), None)


def translator(code: Code, instruction: Instruction) -> Translate:
    """Return the function that translates an instruction with all of its modifiers.

    Raises:
        UnsupportedError: there is none.

    """
    code.instruction = instruction
    found = _translator(instruction.opcode, instruction.modifiers)
    if found is None:
        raise code.unsupported()
    return found


def translate(code: Code, instruction: Instruction) -> None:
    """Write the code of one instruction.

    Raises:
        UnsupportedError: the simulator does not support it.
        MalformedError: its operands are none that the simulator knows.

    """
    handler = translator(code, instruction)
    try:
        handler(code, instruction)
    except UNEXPECTED as error:
        raise MalformedError(Lack.OPERANDS, instruction.line, of=instruction.name) from error
