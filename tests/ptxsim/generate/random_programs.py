"""Random integer programs of PTX, and what numpy computes for them.

Their registers begin as coordinates, numbers and loaded words, so that lanes have values in common in all the ways that
the analysis of shapes knows.
"""

import operator
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Lanes = NDArray[np.uint64]

THREADS = 64
NUMBERS = (*range(6), 7, 8, 16, 31, 32, 33, 255, 1024, 65535, -1, -2, -4, -32, -1024, 2**31 - 1, -(2**31), -1431655765)
HEAD = """.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 pa, .param .u64 pb)
{{
.reg .pred %p<9>;
.reg .b32 %r<{narrow}>;
.reg .b64 %w<{wide}>;
.reg .b64 %a<9>;
ld.param.u64 %a1, [pa];
ld.param.u64 %a2, [pb];
mov.u32 %r0, %tid.x;
mov.u32 %r1, %tid.y;
mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %laneid;
mad.lo.u32 %r4, %r1, 16, %r0;
mul.wide.u32 %a3, %r4, 4;
add.u64 %a4, %a1, %a3;
ld.global.u32 %r5, [%a4];
ld.global.u32 %r6, [%a1];
mov.u32 %r7, 0;
cvt.u64.u32 %w0, %r4;
cvt.s64.s32 %w1, %r5;
mov.u64 %w2, 5;
"""  # fmt: skip


def signed(values: Lanes, bits: int) -> NDArray[np.int64]:
    """Return lanes as signed numbers of so many bits."""
    shift = np.uint64(64 - bits)
    return (values << shift).view(np.int64) >> np.int64(64 - bits)


def cut(values: Lanes | NDArray[np.int64], bits: int) -> Lanes:
    """Return the lowest bits of lanes."""
    return values.astype(np.uint64) & np.uint64(2**bits - 1)


@dataclass
class Program:
    """A program under construction: its text, and the values of its registers."""

    chance: random.Random
    words: Lanes
    text: list[str] = field(default_factory=list)
    values: dict[str, Lanes] = field(default_factory=dict)

    def start(self) -> None:
        number = np.arange(THREADS, dtype=np.uint64)
        all_ = np.ones(THREADS, np.uint64)
        first = [number % np.uint64(16), number // np.uint64(16), 0 * all_, number % np.uint64(32), number]
        for place, lanes in enumerate([*first, self.words, self.words[0] * all_, 0 * all_]):
            self.values[f"%r{place}"] = lanes
        self.values |= {"%w0": number, "%w1": cut(signed(self.words, 32), 64), "%w2": 5 * all_}

    def pick(self, letter: str) -> str:
        return self.chance.choice([name for name in self.values if name[1] == letter])

    def source(self, letter: str) -> tuple[str, Lanes]:
        if self.chance.random() < 0.35:
            number = self.chance.choice(NUMBERS)
            return str(number), cut(np.full(THREADS, number, np.int64), 64 if letter == "w" else 32)
        name = self.pick(letter)
        return name, self.values[name]

    def new(self, letter: str) -> str:
        return f"%{letter}{sum(name[1] == letter for name in self.values)}"

    def step(self) -> None:
        """Append one instruction."""
        make = self.chance.choice([self.binary] * 5 + [self.shift, self.wide, self.convert, self.choose, self.add_to])
        make()

    def write(self, text: str, letter: str, lanes: Lanes) -> None:
        name = self.new(letter)
        self.text.append(text.replace("$", name) + ";")
        self.values[name] = lanes

    def binary(self) -> None:
        letter = self.chance.choice("rrrw")
        bits = 64 if letter == "w" else 32
        (a, x), (b, y) = self.source(letter), self.source(letter)
        how = self.chance.choice([*_EXACT, "min", "max", "div", "rem"])
        kind = self.chance.choice("us")
        if how in {"div", "rem"}:
            divisor = self.chance.choice([1, 2, 3, 4, 7, 12, 16, 32, 1000])
            b, y = str(divisor), np.full(THREADS, divisor, np.uint64)
            if kind == "s":
                quotient = np.trunc(signed(x, bits).astype(np.longdouble) / divisor).astype(np.int64)
                lanes = cut(quotient if how == "div" else signed(x, bits) - quotient * divisor, bits)
            else:
                lanes = x // y if how == "div" else x % y
        elif how in {"min", "max"}:
            function = np.minimum if how == "min" else np.maximum
            lanes = function(x, y) if kind == "u" else cut(function(signed(x, bits), signed(y, bits)), bits)
        else:
            lanes = cut(_EXACT[how](x, y), bits)
        type_ = f"b{bits}" if how in {"and", "or", "xor"} else f"{kind}{bits}"
        self.write(f"{'mul.lo' if how == 'mul' else how}.{type_} $, {a}, {b}", letter, lanes)

    def shift(self) -> None:
        letter = self.chance.choice("rrw")
        bits, (a, x), amount = 64 if letter == "w" else 32, self.source(letter), self.chance.choice([0, 1, 2, 3, 5, 31])
        how = self.chance.choice(["shl", "shr.u", "shr.s"])
        if how == "shl":
            self.write(f"shl.b{bits} $, {a}, {amount}", letter, cut(x << np.uint64(amount), bits))
        elif how == "shr.u":
            self.write(f"shr.u{bits} $, {a}, {amount}", letter, x >> np.uint64(amount))
        else:
            self.write(f"shr.s{bits} $, {a}, {amount}", letter, cut(signed(x, bits) >> np.int64(amount), bits))

    def wide(self) -> None:
        (a, x), (b, y), kind = self.source("r"), self.source("r"), self.chance.choice("us")
        product = x * y if kind == "u" else (signed(x, 32) * signed(y, 32)).view(np.uint64)
        if self.chance.random() < 0.5:
            self.write(f"mul.wide.{kind}32 $, {a}, {b}", "w", product)
            return
        c, z = self.source("w")
        self.write(f"mad.wide.{kind}32 $, {a}, {b}, {c}", "w", product + z)

    def convert(self) -> None:
        if self.chance.random() < 0.5:
            name = self.pick("w")
            self.write(f"cvt.u32.u64 $, {name}", "r", cut(self.values[name], 32))
            return
        name, kind = self.pick("r"), self.chance.choice("us")
        lanes = self.values[name] if kind == "u" else signed(self.values[name], 32).view(np.uint64)
        self.write(f"cvt.{kind}64.{kind}32 $, {name}", "w", lanes)

    def choose(self) -> None:
        (a, x), (b, y), (c, z), (d, u) = (self.source("r") for _ in range(4))
        kind, how = self.chance.choice("us"), self.chance.choice(["eq", "ne", "lt", "le", "gt", "ge"])
        left, right = (z, u) if kind == "u" else (signed(z, 32), signed(u, 32))
        holds = getattr(operator, how)(left, right)
        self.text.append(f"setp.{how}.{kind}32 %p1, {c}, {d};")
        if self.chance.random() < 0.5:
            self.write(f"selp.b32 $, {a}, {b}, %p1", "r", np.where(holds, x, y))
            return
        name = self.pick("r")
        self.text.append(f"@%p1 add.s32 {name}, {name}, {a};")
        self.values[name] = np.where(holds, cut(self.values[name] + x, 32), self.values[name])

    def add_to(self) -> None:
        """Write to a register that has a value already."""
        name, (b, y) = self.pick("r"), self.source("r")
        self.text.append(f"add.s32 {name}, {name}, {b};")
        self.values[name] = cut(self.values[name] + y, 32)


_EXACT: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}


def program(seed: int, words: NDArray[np.uint32], length: int = 40) -> tuple[str, NDArray[np.uint32]]:
    """Return a program for a block of 16 x 4 threads, and what each thread leaves in its word of B."""
    made = Program(random.Random(seed), words.astype(np.uint64))  # noqa: S311 - the same for the same seed
    made.start()
    with np.errstate(over="ignore"):
        for _ in range(length):
            made.step()
        wanted = np.zeros(THREADS, np.uint64)
        for name, lanes in made.values.items():
            for shift in (0, 32)[: 2 if name[1] == "w" else 1]:
                made.text.append(f"shr.u64 %a6, {name}, {shift}; cvt.u32.u64 %r9998, %a6;" if name[1] == "w" else "")
                made.text.append(f"mad.lo.u32 %r9999, %r9999, 31, {'%r9998' if name[1] == 'w' else name};")
                wanted = cut(wanted * np.uint64(31) + (lanes >> np.uint64(shift)), 32)
    text = [HEAD.format(narrow=10_000, wide=1000), "mov.u32 %r9999, 0;", *made.text]
    text += ["add.u64 %a5, %a2, %a3;", "st.global.u32 [%a5], %r9999;", "ret;", "}"]
    return "\n".join(text), wanted.astype(np.uint32)
