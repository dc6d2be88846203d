"""The instructions of a kernel in SASS, by class, from the JSON that `nvdisasm --emit-json` writes. Pure.

The opcodes are those of the table "Instruction Set Reference" in NVIDIA's CUDA Binary Utilities.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence

from grader.model import SassMix
from grader.worker.frontend.sass_loops import SassInstruction, loops

ACCESSES = {
    "LD", "ST", "LDG", "STG", "LDS", "STS", "LDSM", "STSM", "LDL", "STL", "LDGSTS", "ATOM", "ATOMG", "ATOMS", "RED",
}  # fmt: skip
WIDTH = re.compile(r"\.(64|128|256)\b")
CLASSES = {
    "FFMA": {"FFMA", "FFMA32I", "FMUL", "FMUL32I", "FADD", "FADD32I", "FFMA2", "FMUL2", "FADD2"},
    "HMMA": {"HMMA", "IMMA", "DMMA", "BMMA", "QMMA", "OMMA", "HGMMA", "IGMMA", "QGMMA", "BGMMA", "UTCHMMA", "UTCIMMA"},
    "float16": {"HFMA2", "HADD2", "HMUL2", "HMNMX2", "HSET2", "HSETP2"},
    "double": {"DFMA", "DADD", "DMUL", "DSETP"},
    "integer": {
        "IMAD", "IADD", "IADD3", "ISETP", "LEA", "LOP3", "SHF", "SHL", "SHR", "IABS", "IMNMX", "IDP", "I2I", "IMUL",
        "VIADD", "VIADDMNMX", "VIMNMX", "UIMAD", "UIADD3", "UISETP", "ULEA", "ULOP3", "USHF", "LOP", "BFE",
        "PRMT", "UPRMT",
    },
    "branch": {"BRA", "BRX", "JMP", "JMX", "CALL", "RET", "BREAK", "BSSY", "BSYNC", "WARPSYNC"},
    "BAR": {"BAR"},
}  # fmt: skip
CLASS_OF = {opcode: name for name, opcodes in CLASSES.items() for opcode in opcodes}
NOTHING = {"NOP"}  # padding
CONSTANT = "-RZ,RZ,"  # HFMA2 with this product loads a constant


def sass_mix(text: str, symbol: str) -> SassMix | None:
    """Return the instructions of the kernel `symbol`; None where the text lacks it or is no such JSON."""
    try:
        _, functions = json.loads(text)
        kernel = next(function for function in functions if function["function-name"] == symbol)
        code = [
            SassInstruction(line.get("predicate", ""), line["opcode"], line.get("operands", ""))
            for line in kernel["sass-instructions"]
        ]
    except (ValueError, TypeError, KeyError, StopIteration, RecursionError):
        return None
    return SassMix(_counted(code), _counted(max(loops(code), key=_arithmetic, default=[])))


def _counted(code: Sequence[SassInstruction]) -> dict[str, int]:
    return dict(sorted(Counter(_class(line) for line in code if line.opcode not in NOTHING).items()))


def _class(line: SassInstruction) -> str:
    if line.base not in ACCESSES:
        return "other" if CONSTANT in line.operands else CLASS_OF.get(line.base, "other")
    width = WIDTH.search(line.opcode)
    return f"{line.base}.{width[1]}" if width else line.base


def _arithmetic(code: Sequence[SassInstruction]) -> int:
    return sum(_class(line) in {"FFMA", "HMMA", "float16", "double"} for line in code)
