"""Arithmetic with a carry."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.ptxsim.generate.on_lanes import lanes

RANDOM = np.random.default_rng(9)
A, B = (RANDOM.integers(0, 1 << 32, 32).astype(np.uint32) for _ in range(2))
SMALL = RANDOM.integers(0, 40, 32).astype(np.uint32)


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
