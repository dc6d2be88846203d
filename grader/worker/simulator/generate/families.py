"""Which module translates which instruction: the complete list. Other instructions are not supported."""

from __future__ import annotations

from collections.abc import Callable

from grader.worker.simulator.generate import (
    atomics,
    bit_fields,
    byte_picks,
    comparisons,
    conversions,
    copies,
    division,
    floats,
    half_conversions,
    halves,
    integers,
    loads,
    local_bounds,
    matrix_rows,
    mbarriers,
    moves,
    shifts,
    shuffles,
    stores,
    system,
    tensor_cores,
    video,
    warps,
)
from grader.worker.simulator.generate.code import Code
from grader.worker.simulator.syntax.errors import UNEXPECTED, MalformedError
from grader.worker.simulator.syntax.records import Instruction
from grader.worker.simulator.syntax.types import WIDTHS, types_of

Translate = Callable[[Code, Instruction], None]

_INTEGER: dict[str, Translate] = {
    "add": integers.add_or_subtract,
    "sub": integers.add_or_subtract,
    "mul": integers.multiply,
    "mad": integers.multiply,
    "div": division.divide,
    "rem": division.divide,
    "min": integers.smaller_or_larger,
    "max": integers.smaller_or_larger,
    "neg": integers.negate,
    "abs": integers.negate,
}
_ANY: dict[str, Translate] = {
    "and": integers.logic,
    "or": integers.logic,
    "xor": integers.logic,
    "not": integers.logic,
    "cnot": integers.logic,
    "shl": shifts.shift,
    "shr": shifts.shift,
    "setp": comparisons.set_predicate,
    "set": comparisons.set_number,
    "selp": comparisons.select,
    "mov": moves.move,
    "createpolicy": moves.cache_policy,
    "cvta": moves.convert_address,
    "isspacep": moves.is_in_space,
    "cvt": conversions.convert,
    "ld": loads.load,
    "ldu": loads.load,
    "st": stores.store,
    "within": local_bounds.within,
    "popc": bit_fields.count,
    "clz": bit_fields.count,
    "brev": bit_fields.count,
    "bfind": bit_fields.find_highest,
    "bfe": bit_fields.extract,
    "bfi": bit_fields.insert,
    "prmt": byte_picks.permute,
    "lop3": bit_fields.logic_of_three,
    "shf": bit_fields.funnel,
    "dp4a": byte_picks.dot_product,
    "dp2a": byte_picks.dot_product,
    "sad": bit_fields.difference,
    "mul24": bit_fields.of_24_bits,
    "mad24": bit_fields.of_24_bits,
    "fns": bit_fields.find_nth,
    "slct": bit_fields.choose_by_sign,
    "shfl": shuffles.shuffle,
    "vote": warps.vote,
    "activemask": warps.active_mask,
    "redux": warps.reduce,
    "match": warps.match,
    "elect": warps.elect,
    "bar": warps.synchronise,
    "barrier": warps.synchronise,
    "atom": atomics.atomic,
    "red": atomics.atomic,
    "cp": copies.asynchronous,
    **dict.fromkeys(video.OPCODES, video.simd),
    "bmsk": video.bit_mask,
    "szext": video.extend,
    "mbarrier": mbarriers.operation,
    "wmma": tensor_cores.matrix,
    "mma": tensor_cores.mma,
    "ldmatrix": matrix_rows.load_matrices,
    "stmatrix": matrix_rows.store_matrices,
    "movmatrix": matrix_rows.transpose,
    "trap": system.trap,
    "brkpt": system.trap,
    "overflow": system.trap,
    "assert": system.assertion,
    "print": system.print_,
    "malloc": system.allocate,
    "free": system.release,
    "membar": warps.nothing,
    "fence": warps.nothing,
    "nanosleep": warps.nothing,
    "prefetch": warps.nothing,
    "prefetchu": warps.nothing,
    "discard": warps.nothing,
    "applypriority": warps.nothing,
    "griddepcontrol": warps.nothing,
    "pmevent": warps.nothing,
    "setmaxnreg": warps.nothing,
}
_REAL = frozenset({"f32", "f64"})
_HALF = frozenset({"f16", "bf16", "f16x2", "bf16x2"})
_PAIRS = frozenset({"u16x2", "s16x2"})
_NARROW = _HALF | {"tf32"}
_FP8 = frozenset({"e4m3x2", "e5m2x2"})
_ROUNDINGS = frozenset({"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"})
_OF_CVT = _ROUNDINGS | {"ftz", "sat", "relu", "satfinite"} | (WIDTHS.keys() - _FP8)  # no .pack, .rs or .scaled


def translate(code: Code, instruction: Instruction) -> None:
    """Write the code of one instruction.

    Raises:
        UnsupportedError: the simulator does not support it.
        MalformedError: its operands are none that the simulator knows.

    """
    code.instruction = instruction
    kinds = types_of(instruction)
    handler = _ANY.get(instruction.opcode)
    if instruction.opcode == "cvt" and not _OF_CVT.issuperset(instruction.modifiers):
        raise code.unsupported()
    if instruction.opcode == "cvt" and _NARROW & set(kinds):
        handler = half_conversions.convert
    elif handler is None and kinds and kinds[-1] in _REAL:
        handler = floats.arithmetic
    elif handler is None and kinds and kinds[-1] in _HALF:
        handler = halves.arithmetic
    elif handler is None and kinds and kinds[-1] in _PAIRS:
        handler = video.pairs if instruction.opcode in {"add", "sub", "min", "max"} else None
    elif handler is None:
        handler = _INTEGER.get(instruction.opcode)
    if handler is None:
        raise code.unsupported()
    try:
        handler(code, instruction)
    except UNEXPECTED as error:
        raise MalformedError(f"the operands of {instruction.name}", instruction.line) from error
