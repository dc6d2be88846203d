"""Logic, shifts, parts of words (PTX ISA, "Logic and Shift Instructions", "SIMD Video Instructions" and others)."""

from __future__ import annotations

from grader.ptxsim.generate import bit_fields, byte_picks, integers, shifts, video
from grader.ptxsim.generate.table_words import BITS, INTEGER
from grader.ptxsim.generate.variants import Translate

_PARTS = "vadd{0}|vsub{0}|vavrg{0}|vabsdiff{0}|vmin{0}|vmax{0} u32|s32 u32|s32 u32|s32"
_SET = "vset{0} u32|s32 u32|s32 eq|ne|lt|le|gt|ge"
TABLE: dict[Translate, str] = {
    integers.logic: f"""
        and|or|xor|not pred|{BITS}
        cnot {BITS}
        """,
    shifts.shift: f"""
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
    byte_picks.permute: "prmt b32 [f4e|b4e|rc8|ecl|ecr|rc16]",
    video.bit_mask: "bmsk clamp|wrap b32",
    video.extend: "szext clamp|wrap u32|s32",
    video.simd: "\n".join(
        f"{line.format(count)} [{how}]" for count in (2, 4) for line, how in ((_PARTS, "sat|add"), (_SET, "add"))
    ),
}
