"""An instruction written out: which operands it takes, and the PTX that loads them, executes it and stores the result.

All registers are of bits: PTX lets an instruction read any type from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from grader.ptxsim.generate.translation import InstructionVariant
from grader.ptxsim.syntax.records import WIDTHS

TABLE_OF_LOP3 = 0x96
NAMES = {1: "p", 16: "h", 32: "r", 64: "d"}
_COUNTS = {
    **dict.fromkeys(("neg", "abs", "not", "brev", "mov", "rcp", "sqrt", "rsqrt"), 1),
    **dict.fromkeys(("sin", "cos", "lg2", "ex2", "tanh"), 1),
    **dict.fromkeys(("fma", "mad", "mad24"), 3),
}
_OF_WORDS = frozenset({"prmt", "shf", "dp4a", "fns", "lop3"})


@dataclass(frozen=True)
class Written:
    """An instruction with the types of its result and of its operands."""

    opcode: str
    modifiers: tuple[str, ...]
    to: str
    sources: tuple[str, ...]

    @property
    def name(self) -> str:
        return ".".join((self.opcode, *self.modifiers))

    @property
    def is_of_pairs(self) -> bool:
        return self.to.endswith("x2") or self.sources[0].endswith("x2")

    def of_one(self) -> Written:
        """The same on one number of 16 bits."""
        sources = tuple(kind.removesuffix("x2") for kind in self.sources)
        return replace(self, to=self.to.removesuffix("x2"), sources=sources[:1] if self.opcode == "cvt" else sources)

    def has(self, word: str) -> bool:
        return word in self.modifiers


def spellings(variant: InstructionVariant) -> Iterator[tuple[str, ...]]:
    """Yield the modifiers of all instructions that a line describes, in its order."""
    for words in product(*(("",) * slot.optional + slot.words for slot in variant.slots)):
        yield tuple(word for word in words if word)


def written(opcode: str, modifiers: tuple[str, ...]) -> Written:
    """Return an instruction with the types of its operands."""
    kinds = [word for word in modifiers if word in WIDTHS]
    first, last = kinds[0], kinds[-1]
    condition = ("pred",) if {"and", "or", "xor"} & {*modifiers} else ()
    special: dict[str, tuple[str, tuple[str, ...]]] = {
        **dict.fromkeys(("popc", "clz", "bfind"), ("u32", (last,))),
        **dict.fromkeys(("shl", "shr"), (last, (last, "u32"))),
        "bfe": (last, (last, "u32", "u32")),
        "bfi": (last, (last, last, "u32", "u32")),
        "setp": ("pred", (last, last, *condition)),
        "set": (first, (last, last)),
        "selp": (last, (last, last, "pred")),
        "cvt": (first, (last, last) if first.endswith("x2") else (last,)),
    }
    if opcode in special:
        return Written(opcode, modifiers, *special[opcode])
    if opcode in _OF_WORDS:
        return Written(opcode, modifiers, "b32", ("b32",) * 3)
    to = f"{last[0]}{2 * WIDTHS[last]}" if "wide" in modifiers else last
    return Written(opcode, modifiers, to, (last, last, to)[: _COUNTS.get(opcode, 2)])


def held(kind: str) -> int:
    """Return the width of a register for a type: there is none of 8 bits."""
    return 32 if WIDTHS[kind] == 8 else WIDTHS[kind]


def _names(instruction: Written) -> list[str]:
    return [f"%{NAMES[held(kind)]}{place}" for place, kind in enumerate(instruction.sources)]


def line(instruction: Written) -> str:
    """Return the instruction with its operands."""
    more = [str(TABLE_OF_LOP3)] if instruction.opcode == "lop3" else []
    return f"{instruction.name} {', '.join([f'%{NAMES[held(instruction.to)]}9', *_names(instruction), *more])};"


def _text(instruction: Written, number: int) -> str:
    names = _names(instruction)
    lines = [_load(name, kind, f"%a{name[2:]}") for name, kind in zip(names, instruction.sources, strict=True)]
    width = held(instruction.to)
    target = f"%{NAMES[width]}9"
    to_word = {1: f"selp.b64 %d9, 1, 0, {target};", 64: ""}.get(width, f"cvt.u64.u{width} %d9, {target};")
    return "\n".join([*lines, line(instruction), to_word, f"st.global.b64 [%out+{256 * number}], %d9;"])


def _load(name: str, kind: str, word: str) -> str:
    width = held(kind)
    if width == 1:
        return f"and.b64 %d8, {word}, 1; setp.ne.u64 {name}, %d8, 0;"
    return f"mov.b64 {name}, {word};" if width == 64 else f"cvt.u{width}.u64 {name}, {word};"


HEAD = """.version 9.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 given, .param .u64 results)
{
.reg .pred %p<10>;
.reg .b16 %h<10>;
.reg .b32 %r<11>;
.reg .b64 %d<10>, %a<4>, %in, %out;
ld.param.u64 %in, [given];
ld.param.u64 %out, [results];
mov.u32 %r10, %tid.x;
mad.wide.u32 %in, %r10, 8, %in;
mad.wide.u32 %out, %r10, 8, %out;
ld.global.b64 %a0, [%in];
ld.global.b64 %a1, [%in+256];
ld.global.b64 %a2, [%in+512];
ld.global.b64 %a3, [%in+768];
"""


def kernel(instructions: Sequence[Written]) -> str:
    """Return a kernel that reads four words of 64 bits in each lane, and stores the result of each instruction."""
    return HEAD + "\n".join(_text(one, number) for number, one in enumerate(instructions)) + "\nret;\n}\n"
