"""Instructions give the results that numpy computes."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.ptxsim.generate.on_lanes import lanes

Words = NDArray[np.uint32]
RANDOM = np.random.default_rng(3)
A = np.concatenate(
    [np.array([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 7], np.uint32), RANDOM.integers(0, 1 << 32, 26, np.uint32)]
)
B = np.concatenate([np.array([0, 3, 2, 0xFFFFFFFF, 31, 32], np.uint32), RANDOM.integers(1, 1 << 32, 26, np.uint32)])
C = RANDOM.integers(0, 40, 32).astype(np.uint32)
X = np.concatenate([np.array([0, -0.0, 1, -1.5, 3e38, 1e-40], np.float32), RANDOM.normal(size=26).astype(np.float32)])
Y = np.concatenate([np.array([1, 2, -3, 0.5, 3e38, 2], np.float32), RANDOM.normal(size=26).astype(np.float32)])
S = np.int32


def signed(words: Words) -> NDArray[np.int64]:
    return words.view(np.int32).astype(np.int64)


def wide(words: Words) -> NDArray[np.uint64]:
    return words.astype(np.uint64)


def shifted(a: Words, c: Words) -> Words:
    return np.where(c < 32, a << np.minimum(c, 31), 0).astype(np.uint32)


INTEGER: dict[str, Callable[[Words, Words, Words], NDArray[np.generic]]] = {
    "add.s32 $d, $a, $b;": lambda a, b, _: a + b,
    "sub.s32 $d, $a, $b;": lambda a, b, _: a - b,
    "mul.lo.s32 $d, $a, $b;": lambda a, b, _: a * b,
    "mul.hi.u32 $d, $a, $b;": lambda a, b, _: wide(a) * wide(b) >> np.uint64(32),
    "mul.hi.s32 $d, $a, $b;": lambda a, b, _: signed(a) * signed(b) >> 32,
    "mad.lo.s32 $d, $a, $b, $c;": lambda a, b, c: a * b + c,
    "mad.hi.sat.s32 $d, $a, $a, 2147483600;": lambda a, _, __: np.minimum(
        (signed(a) * signed(a) >> 32) + 2147483600, 2147483647
    ),
    "mad24.hi.sat.s32 $d, 8388607, 8388607, $a;": lambda a, _, __: np.minimum(
        (8388607**2 >> 16) + signed(a), 2147483647
    ),
    "min.s32 $d, $a, $b;": lambda a, b, _: np.minimum(signed(a), signed(b)),
    "max.u32 $d, $a, $b;": lambda a, b, _: np.maximum(a, b),
    "abs.s32 $d, $a;": lambda a, _, __: abs(signed(a)),
    "shl.b32 $d, $a, $c;": lambda a, _, c: shifted(a, c),
    "shr.u32 $d, $a, $c;": lambda a, _, c: np.where(c < 32, a >> np.minimum(c, 31), 0),
    "shr.s32 $d, $a, $c;": lambda a, _, c: signed(a) >> np.minimum(c, 31),
    "popc.b32 $d, $a;": lambda a, _, __: np.array([int(x).bit_count() for x in a]),
    "clz.b32 $d, $a;": lambda a, _, __: np.array([32 - int(x).bit_length() for x in a]),
    "brev.b32 $d, $a;": lambda a, _, __: np.array([int(f"{int(x):032b}"[::-1], 2) for x in a]),
    "bfind.u32 $d, $a;": lambda a, _, __: np.array([int(x).bit_length() - 1 for x in a]),
    "bfe.u32 $d, $a, 4, 8;": lambda a, _, __: a >> 4 & 255,
    "bfe.s32 $d, $a, 4, 8;": lambda a, _, __: (a << 20).view(S) >> 24,
    "bfi.b32 $d, $a, $b, 8, 12;": lambda a, b, _: (b & 0xFFF000FF) | (a & 0xFFF) << 8,
    "prmt.b32 $d, $a, $b, 0x5410;": lambda a, b, _: (a & 0xFFFF) | b << 16,
    "prmt.b32 $d, $a, $b, 0x3210;": lambda a, _, __: a,
    "lop3.b32 $d, $a, $b, $c, 0x96;": lambda a, b, c: a ^ b ^ c,
    "shf.l.wrap.b32 $d, $a, $b, 8;": lambda a, b, _: b << 8 | a >> 24,
    "dp4a.u32.u32 $d, $a, $b, $c;": lambda a, b, c: (
        (a.view(np.uint8).astype(np.uint32) * b.view(np.uint8)).reshape(-1, 4).sum(1) + c
    ),
    "rem.u32 $d, $a, 10;": lambda a, _, __: a % 10,
    "div.s32 $d, $a, 7;": lambda a, _, __: np.trunc(signed(a) / 7).astype(np.int64),
    "and.b32 $d, $a, $b;": lambda a, b, _: a & b,
    "not.b32 $d, $a;": lambda a, _, __: ~a,
    "setp.lt.u32 %p1, $a, $b; selp.b32 $d, $a, $b, %p1;": lambda a, b, _: np.minimum(a, b),
}


@pytest.mark.parametrize("text", INTEGER)
def test_integers_are_those_of_numpy(text: str) -> None:
    with np.errstate(over="ignore"):
        expected = INTEGER[text](A, B, C).astype(np.int64).astype(np.uint32)
    assert np.array_equal(lanes(text, A, B, C, np.uint32), expected)


@pytest.mark.parametrize("sign", ["u", "s"])
def test_division_truncates_and_by_zero_gives_all_ones(sign: str) -> None:
    a, b = (signed(x) if sign == "s" else wide(x).astype(np.int64) for x in (A, B))
    quotient = [
        -1 if not y else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) for x, y in zip(a, b, strict=True)
    ]
    expected = np.array(quotient, np.int64).astype(np.uint32)
    assert np.array_equal(lanes(f"div.{sign}32 $d, $a, $b;", A, B, C, np.uint32), expected)
    remainder = np.where(b == 0, -1, a - np.array(quotient) * b).astype(np.int64).astype(np.uint32)
    assert np.array_equal(lanes(f"rem.{sign}32 $d, $a, $b;", A, B, C, np.uint32), remainder)


@pytest.mark.parametrize(("name", "law"), [("min.f32", np.minimum), ("max.f32", np.maximum)])
def test_the_smaller_and_the_larger_number_are_those_of_numpy(name: str, law: np.ufunc) -> None:
    text = f"mov.b32 %f1, $a; mov.b32 %f2, $b; {name} %f3, %f1, %f2; mov.b32 $d, %f3;"
    got = lanes(text, X.view(np.uint32), Y.view(np.uint32), C, np.uint32)
    assert np.array_equal(got.view(np.float32), law(X, Y))


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("cvt.rzi.s32.f32 $d, %f1;", lambda x: np.trunc(np.clip(x.astype(np.float64), -(2**31), 2**31 - 1))),
        ("cvt.rni.s32.f32 $d, %f1;", lambda x: np.rint(np.clip(x.astype(np.float64), -(2**31), 2**31 - 1))),
        ("cvt.rmi.f32.f32 %f2, %f1; mov.b32 $d, %f2;", lambda x: np.floor(x).view(np.uint32)),
        ("sqrt.rn.f32 %f2, %f1; mov.b32 $d, %f2;", None),
    ],
)
def test_conversions_round_as_they_say(text, law):
    x = abs(X) if law is None else X
    expected = np.sqrt(x).view(np.uint32) if law is None else law(x).astype(np.int64).astype(np.uint32)
    assert np.array_equal(lanes(f"mov.b32 %f1, $a; {text}", x.view(np.uint32), B, C, np.uint32), expected)


HALVES = RANDOM.integers(0, 1 << 16, (3, 32), np.uint16).view(np.float16)
HALVES[~np.isfinite(HALVES)] = 1


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("add.f16 $d, $a, $b;", lambda a, b, _: a + b),
        ("mul.f16 $d, $a, $b;", lambda a, b, _: a * b),
        ("fma.rn.f16 $d, $a, $b, $c;", lambda a, b, c: a.astype(np.longdouble) * b + c),
    ],
)
def test_halves_are_rounded_once(text: str, law: Callable[..., NDArray[np.generic]]) -> None:
    with np.errstate(over="ignore"):
        expected = law(*HALVES).astype(np.float16)
    a, b, c = (half.view(np.uint16) for half in HALVES)
    got = lanes(text, a, b, c, np.uint16).view(np.float16)
    assert np.array_equal(got, expected)


def test_every_lane_reads_the_lane_that_a_shuffle_names() -> None:
    lane = np.arange(32, dtype=np.uint32)
    for text, source in (
        ("shfl.sync.bfly.b32 $d, $a, 5, 31, -1;", lane ^ 5),
        ("shfl.sync.up.b32 $d, $a, 3, 0, -1;", np.where(lane < 3, lane, lane - 3)),
        ("shfl.sync.down.b32 $d, $a, 4, 6175, -1;", np.where(lane % 8 < 4, lane + 4, lane)),
        ("shfl.sync.idx.b32 $d, $a, $c, 31, -1;", C % 32),
    ):
        assert np.array_equal(lanes(text, A, B, C, np.uint32), A[source])


def test_a_shuffle_from_a_lane_that_does_not_take_part_is_unset() -> None:
    found = lanes("shfl.sync.bfly.b32 $d, $a, 16, 31, 65535;", A, B, C, np.uint32)
    assert set(found[:16]) == {0xFFFFFFFF}
    assert np.array_equal(
        lanes("shfl.sync.bfly.b32 $d, $a, 8, 31, 65535;", A, B, C, np.uint32)[:16], A[np.arange(16) ^ 8]
    )


def test_votes_and_reductions_are_of_all_lanes() -> None:
    odd = sum(1 << lane for lane in range(32) if A[lane] & 1)
    text = "and.b32 %r5, $a, 1; setp.eq.u32 %p1, %r5, 1; vote.sync.ballot.b32 $d, %p1, -1;"
    assert set(lanes(text, A, B, C, np.uint32)) == {odd}
    assert set(lanes("redux.sync.max.u32 $d, $a, -1;", A, B, C, np.uint32)) == {A.max()}
    same = [sum(1 << j for j in range(32) if C[j] == C[i]) for i in range(32)]
    assert np.array_equal(lanes("match.any.sync.b32 $d, $c, -1;", A, B, C, np.uint32), np.array(same, np.uint32))


def test_atomics_of_a_warp_happen_one_after_the_other() -> None:
    text = "st.shared.u32 [tile], 0; bar.warp.sync -1; atom.shared.add.u32 %r5, [tile], $c; ld.shared.u32 $d, [tile];"
    assert set(lanes(text, A, B, C, np.uint32)) == {C.sum()}


def test_local_memory_is_each_lanes_own() -> None:
    text = (
        ".local .align 16 .b8 own[256]; mov.u64 %rd7, own; and.b32 %r5, $c, 31; mul.wide.u32 %rd8, %r5, 4; "
        "add.s64 %rd9, %rd7, %rd8; st.local.u32 [%rd9], $a; ld.local.u32 $d, [%rd9];"
    )
    assert np.array_equal(lanes(text, A, B, C, np.uint32), A)
