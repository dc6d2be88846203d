"""Loads, stores and atomics with each of their words: which bytes they read and write, and what they compute."""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
import pytest

from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.generate.layout import Status
from grader.ptxsim.generate.translation import VARIANTS, InstructionVariant
from grader.ptxsim.syntax.parser import parse
from grader.ptxsim.syntax.records import WIDTHS
from tests.ptxsim.generate.reference_integers import number
from tests.ptxsim.generate.reference_reals import bits_of, real, to_type_of_sum
from tests.ptxsim.generate.written import NAMES, held

BYTES = 16  # of a lane, for each instruction
RESULTS = 8  # words of a lane, for each instruction
NEAR_ONE = 0x3F803C003F803C00  # in every type of floating-point numbers
SPACES = {"shared": "%sh", "shared::cta": "%sh", "shared::cluster": "%sh", "local": "%lo"}
HEAD = """.version 9.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 given, .param .u64 results)
{
.reg .b16 %h<20>; .reg .b32 %r<20>, %t; .reg .b64 %d<20>, %data, %in, %out, %sh, %lo, %x, %y, %policy;
.shared .align 16 .b8 tile[512];
.local .align 16 .b8 own[16];
ld.param.u64 %data, [data];
ld.param.u64 %in, [given];
ld.param.u64 %out, [results];
mov.u32 %t, %tid.x;
mad.wide.u32 %data, %t, 16, %data;
mad.wide.u32 %in, %t, 8, %in;
mad.wide.u32 %out, %t, 64, %out;
mov.u64 %sh, tile;
mad.wide.u32 %sh, %t, 16, %sh;
mov.u64 %lo, own;
mov.u64 %policy, 0;
"""
Instruction = tuple[str, tuple[str, ...]]


def instructions(opcode: str) -> list[Instruction]:
    """All variants, each with at most one of the words that may be missing."""
    found = {(opcode, words): None for variant in VARIANTS[opcode] for words in spellings(variant)}
    return [
        key for key in found if not {"const", "param", "speculative", "b128"} & {*key[1]} and bytes_of(key[1]) <= BYTES
    ]


def spellings(variant: InstructionVariant) -> Iterator[tuple[str, ...]]:
    choices = [place for place, slot in enumerate(variant.slots) if slot.optional]
    for chosen in (None, *choices):
        parts = [("",) if s.optional and place != chosen else s.words for place, s in enumerate(variant.slots)]
        yield from (tuple(filter(None, words)) for words in product(*parts))


def count_of(words: Sequence[str]) -> int:
    return next((int(word[1:]) for word in words if word in {"v2", "v4", "v8"}), 1)


def bytes_of(words: Sequence[str]) -> int:
    return count_of(words) * WIDTHS[words[-1]] // 8


def registers(words: Sequence[str], first: int) -> list[str]:
    return [f"%{NAMES[held(words[-1])]}{first + place}" for place in range(count_of(words))]


def text(instruction: Instruction) -> str:
    """The PTX of an instruction on bytes that may first be copied to another space, and back."""
    opcode, words = instruction
    space = next((word for word in words if word in SPACES), "")
    address = SPACES.get(space, "%data")
    olds, news, others = (registers(words, first) for first in (0, 8, 16))
    width = held(words[-1])
    if count_of(words) > 1:
        others = []
    given = [f"ld.global.b{width} {name}, [%in+{256 * number_}];" for number_, name in enumerate((*news, *others))]
    operands = {
        "ld": [listed(olds), f"[{address}]"],
        "st": [f"[{address}]", listed(news)],
        "atom": [listed(olds), f"[{address}]", listed(news), *(others if "cas" in words else [])],
        "red": [f"[{address}]", listed(news)],
    }[opcode] + ["%policy"] * ("L2::cache_hint" in words)
    back = [f"st.global.b{width} [%out+{8 * number_}], {name};" for number_, name in enumerate(olds)]
    there = ["ld.global.v2.b64 {%x, %y}, [%data];", f"st.{space}.v2.b64 [{address}], {{%x, %y}};"]
    again = [f"ld.{space}.v2.b64 {{%x, %y}}, [{address}];", "st.global.v2.b64 [%data], {%x, %y};"]
    lines = [f"{'.'.join((opcode, *words))} {', '.join(operands)};", *(back if opcode in {"ld", "atom"} else [])]
    moved = [f"add.u64 %data, %data, {32 * BYTES};", f"add.u64 %out, %out, {32 * 8 * RESULTS};"]
    return "\n".join([*given, *(there if space else []), *lines, *(again if space else []), *moved])


def listed(names: Sequence[str]) -> str:
    return f"{{{', '.join(names)}}}" if len(names) > 1 else names[0]


Operation = Callable[[int, int, int, str], int]
OPERATIONS: dict[str, Operation] = {
    "and": lambda a, b, _, __: a & b,
    "or": lambda a, b, _, __: a | b,
    "xor": lambda a, b, _, __: a ^ b,
    "exch": lambda _, b, __, ___: b,
    "cas": lambda a, b, c, _: c if a == b else a,
    "inc": lambda a, b, _, __: 0 if a >= b else a + 1,
    "dec": lambda a, b, _, __: b if not a or a > b else a - 1,
    "min": lambda a, b, _, kind: min(a, b, key=lambda bits: number(bits, kind)),
    "max": lambda a, b, _, kind: max(a, b, key=lambda bits: number(bits, kind)),
    "add": lambda a, b, _, kind: total(a, b, kind),
}


def total(a: int, b: int, kind: str) -> int:
    if kind.endswith("x2"):
        single = kind.removesuffix("x2")
        return total(a & 0xFFFF, b & 0xFFFF, single) | total(a >> 16, b >> 16, single) << 16
    if "f" not in kind:
        return a + b
    value = to_type_of_sum(real(a, kind), real(b, kind), kind)
    return 0x7FFF if math.isnan(value) and WIDTHS[kind] == 16 else bits_of(value, kind)


def after(instruction: Instruction, memory: bytes, given: Sequence[int]) -> tuple[list[int], bytes]:
    """The registers and the bytes after an instruction."""
    opcode, words = instruction
    kind, count, size = words[-1], count_of(words), WIDTHS[words[-1]] // 8
    old = [int.from_bytes(memory[size * part : size * part + size], "little") for part in range(count)]
    values = [word & (1 << 8 * size) - 1 for word in given]
    if opcode == "ld":
        return [number(word, kind) & (1 << held(kind)) - 1 if kind[0] == "s" else word for word in old], memory
    how: Operation = next((OPERATIONS[w] for w in words if w in OPERATIONS), OPERATIONS["exch"])
    new = [how(a, b, values[1], kind) & (1 << 8 * size) - 1 for a, b in zip(old, values, strict=False)]
    written = b"".join(value.to_bytes(size, "little") for value in new)
    return old if opcode == "atom" else [], written + memory[len(written) :]


@pytest.mark.parametrize("opcode", ["ld", "st", "atom", "red"])
def test_every_access_reads_writes_and_computes_what_its_words_say(opcode: str) -> None:
    chance = random.Random(7)  # noqa: S311 - the same values every time
    tried = instructions(opcode)[:: 3 if opcode in {"ld", "st"} else 1]
    words = [[chance.choice((chance.getrandbits(64), NEAR_ONE + lane)) for lane in range(32)] for _ in range(9)]
    data = np.frombuffer(b"".join(w.to_bytes(8, "little") for _ in tried for row in words[:2] for w in row), np.uint64)
    before, results = data.tobytes(), np.zeros((len(tried), 32, RESULTS), np.uint64)
    buffers = {"data": data.copy(), "given": np.array(words, np.uint64).reshape(-1), "results": results.reshape(-1)}
    body = "\n".join(map(text, tried))
    simulator = Simulator(parse(f"{HEAD}{body}\nret;\n}}\n"), "k", (32, 1, 1))
    ran = simulator.launch((1, 1, 1), buffers, [*buffers], processors=1, seconds=60)
    assert ran.status is Status.DONE, ran.fault
    left = buffers["data"].tobytes()
    wrong = []
    for place, instruction in enumerate(tried):
        for lane in range(32):
            at = BYTES * (32 * place + lane)
            registers_, memory = after(instruction, before[at : at + BYTES], [row[lane] for row in words])
            got = results[place, lane, : len(registers_)].tolist(), left[at : at + BYTES]
            if got != (registers_, memory):
                wrong.append((".".join((opcode, *instruction[1])), lane, got, (registers_, memory)))
                break
    assert not wrong, wrong[:20]
