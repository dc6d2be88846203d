"""Words that hold two or four numbers, masks of bits, and arithmetic with a carry."""

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


def by_parts(kind: str, how: Callable[[Longs, Longs], Longs], *, low: int = -(1 << 40), high: int = 1 << 40) -> Words:
    a, b = (words.view(kind).astype(np.int64) for words in (A, B))
    return np.clip(how(a, b), low, high).astype(kind).view(np.uint32)


PARTS: dict[str, Words] = {
    "add.s16x2 $d, $a, $b;": by_parts("i2", lambda a, b: a + b),
    "max.s16x2 $d, $a, $b;": by_parts("i2", np.maximum),
    "min.u16x2 $d, $a, $b;": by_parts("u2", np.minimum),
    "vadd4.u32.u32.u32 $d, $a, $b, $c;": by_parts("u1", lambda a, b: a + b),
    "vadd4.s32.s32.s32.sat $d, $a, $b, $c;": by_parts("i1", lambda a, b: a + b, low=-128, high=127),
    "vsub2.u32.u32.u32.sat $d, $a, $b, $c;": by_parts("u2", lambda a, b: a - b, low=0, high=65535),
    "vabsdiff4.u32.u32.u32 $d, $a, $b, $c;": by_parts("u1", lambda a, b: abs(a - b)),
    "vavrg2.u32.u32.u32 $d, $a, $b, $c;": by_parts("u2", lambda a, b: (a + b + 1) >> 1),
    "vmax4.s32.s32.s32 $d, $a, $b, $c;": by_parts("i1", np.maximum),
    "vset4.u32.u32.lt $d, $a, $b, $c;": by_parts("u1", lambda a, b: (a < b).astype(np.int64)),
}


@pytest.mark.parametrize("text", PARTS)
def test_the_parts_of_a_word_are_computed_apart(text: str) -> None:
    assert np.array_equal(lanes(text, A, B, SMALL, np.uint32), PARTS[text])


def test_differences_of_bytes_are_added_up() -> None:
    got = lanes("vabsdiff4.u32.u32.u32.add $d, $a, $b, $c;", A, B, SMALL, np.uint32)
    assert np.array_equal(got, abs(A.view("u1").astype(int) - B.view("u1")).reshape(-1, 4).sum(axis=1) + SMALL)


@pytest.mark.parametrize("width", [0, 1, 8, 31, 32, 39])
def test_masks_and_extensions_clamp_their_width(width: int) -> None:
    ones = (1 << min(width, 32)) - 1
    masks = [ones << int(place) & 0xFFFFFFFF if place < 32 else 0 for place in SMALL]
    assert lanes(f"bmsk.clamp.b32 $d, $c, {width};", A, B, SMALL, np.uint32).tolist() == masks
    kept = [int(word) & ones for word in A]
    signs = [word - (1 << width) if 0 < width < 32 and word >> (width - 1) else word for word in kept]
    got = lanes(f"szext.clamp.s32 $d, $a, {width};", A, B, SMALL, np.uint32)
    assert got.tolist() == [word & 0xFFFFFFFF for word in signs]


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
