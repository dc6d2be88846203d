"""Neighbouring values that each lane loads from its own address, read at once."""

import itertools
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.ptxsim.engine.launch import Outcome
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.generate import neighbouring_loads
from grader.ptxsim.generate.layout import Status
from grader.ptxsim.generate.neighbouring_loads import NeighbouringLoads, _read
from grader.ptxsim.syntax.parser import parse

KERNEL = """.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc)
{{
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
.reg .b64 %v<9>;
.reg .pred %p<2>;
ld.param.u64 %rd1, [pa];
ld.param.u64 %rd2, [pb];
ld.param.u64 %rd3, [pc];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd4, %r1, 8;
add.s64 %rd2, %rd2, %rd4;
ld.global.u64 %rd5, [%rd2];
add.s64 %rd6, %rd1, %rd5;
mov.b64 %rd7, %rd6;
mul.wide.u32 %rd4, %r1, 32;
add.s64 %rd3, %rd3, %rd4;
{body}
{stores}
ret;
}}
"""
FLAG = "ld.acquire.gpu.global.u32 %r2, [%rd2];\n"  # what another thread wrote before it is there for later loads only
APART = "bar.warp.sync 0xffffffff;\n"  # between two loads: then each loads for itself


def run(body: str, offsets: NDArray[np.int64], a: NDArray[np.generic]) -> tuple[Outcome, NDArray[np.uint64]]:
    """Run one warp; %rd6 and %rd7 have the address in A of each lane's offset, in bytes, and %v0 to %v3 are stored."""
    stores = "\n".join(f"st.global.u64 [%rd3+{8 * number}], %v{number};" for number in range(4))
    C = np.zeros((32, 4), np.uint64)
    simulator = Simulator(parse(KERNEL.format(body=body, stores=stores), "k.cu"), "k", (32, 1, 1))
    return simulator.launch((1, 1, 1), {"A": a, "B": offsets, "C": C}, ["A", "B", "C"], processors=1), C


def loads(order: tuple[int, ...], size: int = 4, between: str = "", bases: str = "6666", first: int = 0) -> str:
    type_ = f"u{8 * size}"
    return between.join(f"ld.global.{type_} %v{part}, [%rd{bases[part]}+{size * (part + first)}];\n" for part in order)


def random_offsets(elements: int, size: int) -> NDArray[np.int64]:
    return np.random.default_rng(3).integers(0, elements - 4, 32) * size


@pytest.mark.parametrize("order", [*itertools.permutations(range(4))][::5])
@pytest.mark.parametrize("size", [4, 8])
def test_neighbouring_values_arrive_whatever_their_order(order: tuple[int, ...], size: int) -> None:
    a = np.random.default_rng(1).integers(1, 1 << 31, 1000).astype(f"u{size}")
    offsets = random_offsets(a.size, size)
    ran, C = run(loads(order, size), offsets, a)
    assert ran.status is Status.DONE
    assert np.array_equal(C, [a[offset // size :][:4] for offset in offsets])


def test_two_groups_of_neighbours_may_be_under_way_at_once() -> None:
    a = np.arange(1000, dtype=np.uint32)
    ahead = "add.s64 %rd7, %rd6, 64;\n"
    body = ahead + loads((0, 1, 2, 3), bases="6767") + loads((1, 0, 3, 2), bases="6767", first=0)
    ran, C = run(body + loads((0, 1, 2, 3), bases="7676"), random_offsets(900, 4), a)
    assert ran.status is Status.DONE
    assert (C[:, 0] - 16 == C[:, 1] - 1).all()
    assert (C[:, 2] - 2 - 16 == C[:, 1] - 1).all()


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("wrong", ["outside", "misaligned"])
def test_a_fault_is_that_of_the_load_that_has_it(part: int, wrong: str) -> None:
    a = np.arange(100, dtype=np.uint32)
    offsets = random_offsets(a.size, 4)
    offsets[17] = 4 * (a.size - part) if wrong == "outside" else offsets[17] + 2
    (together, _), (alone, _) = (run(loads((0, 1, 2, 3), between=between), offsets, a) for between in ("", APART))
    assert together.status is alone.status is Status.FAULT
    assert together.fault == alone.fault


@pytest.mark.parametrize(
    ("between", "place", "change"),
    [
        ("st.global.u32 [%rd6+8], 7;\n", 0, 7),
        ("red.global.add.u32 [%rd6+8], 7;\n", 2, 7),
        ("add.s64 %rd6, %rd6, 32;\n", 10, 0),
    ],
)
def test_a_write_between_loads_is_seen_and_an_address_that_changes_begins_anew(between, place, change) -> None:
    a, offsets = np.arange(1000, dtype=np.uint32), np.arange(32) * 64
    ran, C = run(loads((0, 1)) + between + loads((2, 3)), offsets, a.copy())
    assert ran.status is Status.DONE
    assert (C[:, 2] == (a[offsets // 4 + place] if place else 0) + change).all()


def test_lanes_that_have_left_read_nothing() -> None:
    a, offsets = np.arange(1000, dtype=np.uint32), np.arange(32) * 64
    offsets[5] = 1 << 30
    ran, C = run("setp.eq.u32 %p1, %r1, 5;\n@%p1 ret;\n" + loads((0, 1, 2, 3)), offsets, a)
    assert ran.status is Status.DONE
    assert (C[6] == a[offsets[6] // 4 :][:4]).all()
    assert not C[5].any()


@pytest.mark.parametrize(
    ("body", "made"),
    [(loads((0, 1, 2, 3), between=between), made) for between, made in (("", 1), (APART, 0), (FLAG, 0))],
)
def test_only_loads_that_may_happen_together_are_read_at_once(body, made, monkeypatch: pytest.MonkeyPatch):
    calls: list[int] = []

    def counted(*given: Any) -> Any:
        calls.append(1)
        return _read(*given)

    monkeypatch.setattr(neighbouring_loads, "_read", counted)
    run(body, random_offsets(1000, 4), np.arange(1000, dtype=np.uint32))
    assert sum(calls) == made


def random_body(random: Random) -> str:
    """Loads of neighbours in any order, and between them stores, atomics, moved addresses and barriers."""
    lines = [f"mov.b64 %v{number}, {number + 1};" for number in range(8)] + ["setp.gt.u32 %p1, %r1, 20;"]
    for _ in range(random.randint(4, 8)):
        base, first = random.choice("67"), random.randint(0, 2)
        for part in random.sample(range(4), 4):
            value, offset = random.randint(0, 7), 4 * random.randint(-2, 5)
            guard, kind = random.choices([("", ""), ("@%p1 ", ""), ("", ".volatile")], weights=[20, 1, 1])[0]
            lines.append(f"{guard}ld{kind}.global.u32 %v{value}, [%rd{base}+{4 * (first + part)}];")
            between = (
                f"add.u64 %v{value}, %v{value}, %v{random.randint(0, 7)};",
                f"st.global.u32 [%rd{base}+{offset}], %v{value};",
                f"red.global.add.u32 [%rd{base}+{offset}], 3;",
                f"add.s64 %rd{base}, %rd{base}, {random.choice([4, -4])};",
                "bar.warp.sync 0xffffffff;",
            )
            lines += random.choices(["", *between], weights=[12, 3, 3, 1, 1, 1])
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(40))
def test_random_programs_do_the_same_with_and_without_neighbouring_loads(seed, monkeypatch: pytest.MonkeyPatch):
    random = Random(seed)  # noqa: S311 - a seed repeats a program
    body, a = random_body(random), np.random.default_rng(seed).integers(1, 1 << 31, 3000).astype(np.uint32)
    offsets = np.random.default_rng(seed).permutation(32) * 320 + 80
    if seed % 3 == 0:  # the last element, or none
        offsets[random.randint(0, 31)] = random.choice([4 * 2998, 4 * 2996, 2, -8])
    memory = a.copy(), a.copy()
    together, C = run(body, offsets, memory[0])
    monkeypatch.setattr(NeighbouringLoads, "begin", lambda *_: False)
    alone, expected = run(body, offsets, memory[1])
    assert (together.status, together.fault) == (alone.status, alone.fault)
    if together.status is Status.DONE:
        assert np.array_equal(C, expected)
        assert np.array_equal(*memory)
