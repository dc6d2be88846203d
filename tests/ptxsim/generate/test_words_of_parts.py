"""Words that hold two numbers, and arithmetic with a carry."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.ptxsim.generate.on_lanes import lanes

Words = NDArray[np.uint32]
Longs = NDArray[np.int64]

RANDOM = np.random.default_rng(9)
A, B = (RANDOM.integers(0, 1 << 32, 32).astype(np.uint32) for _ in range(2))
SMALL = RANDOM.integers(0, 40, 32).astype(np.uint32)


def by_parts(kind: str, how: Callable[[Longs, Longs], Longs]) -> Words:
    a, b = (words.view(kind).astype(np.int64) for words in (A, B))
    return how(a, b).astype(kind).view(np.uint32)


PARTS: dict[str, Words] = {
    "add.s16x2 $d, $a, $b;": by_parts("i2", lambda a, b: a + b),
    "max.s16x2 $d, $a, $b;": by_parts("i2", np.maximum),
    "min.u16x2 $d, $a, $b;": by_parts("u2", np.minimum),
}


@pytest.mark.parametrize("text", PARTS)
def test_the_parts_of_a_word_are_computed_apart(text: str) -> None:
    assert np.array_equal(lanes(text, A, B, SMALL, np.uint32), PARTS[text])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("add.cc.u32 %r9, $a, $b; addc.u32 $d, 5, 7;", lambda a, b: (a + b >> 32) + 12),
        ("sub.cc.u32 %r9, $a, $b; subc.u32 $d, 5, 0;", lambda a, b: 5 - (a < b)),
        ("sub.cc.u32 %r9, $a, $b; addc.u32 $d, 5, 0;", lambda a, b: 5 + (a >= b)),
        ("mad.lo.cc.u32 %r9, $a, $b, $a; madc.hi.u32 $d, $a, $b, 3;", lambda a, b: (a * b + a >> 32) + 3),
        ("add.cc.u32 %r9, -1, 1; addc.cc.u32 %r9, $a, -1; addc.u32 $d, 0, 0;", lambda *_: 1),
        ("add.cc.u32 %r9, -1, 1; addc.cc.u32 %r9, -1, 0; addc.u32 $d, 0, 0;", lambda *_: 1),
        ("sub.cc.u32 %r9, 0, 1; subc.cc.u32 %r9, 0, 0; subc.u32 $d, 5, 0;", lambda *_: 4),
    ],
)
def test_a_carry_reaches_the_next_instruction(text: str, wanted: Callable[[int, int], int]) -> None:
    got = lanes(text, A, B, SMALL, np.uint32)
    assert got.tolist() == [wanted(int(a), int(b)) & 0xFFFFFFFF for a, b in zip(A, B, strict=True)]
