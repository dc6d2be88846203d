"""All variants of tables, executed on operands of their types and compared with the reference."""

import math
import random
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np

from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.generate.code import Translate
from grader.ptxsim.generate.layout import Status
from grader.ptxsim.generate.translation import variants
from grader.ptxsim.syntax.parser import parse
from grader.ptxsim.syntax.records import REALS, WIDTHS
from tests.ptxsim.generate.exact import ALL
from tests.ptxsim.generate.reference_integers import integer
from tests.ptxsim.generate.reference_reals import APPROXIMATED, bits_of, computed, real
from tests.ptxsim.generate.written import Written, held, kernel, spellings, written

TOGETHER = 100  # instructions of one kernel
_LOOSE = {"f16": 2.0**-8, "bf16": 2.0**-7, "f32": 2.0**-8, "f64": 2.0**-8}  # other tests have the bounds of each
_NO_VALUES = frozenset({"cvta", "isspacep"})
Rows = list[list[int]]
Run = Callable[[Sequence[Written], Rows], Rows]  # gives what each lane stores for each instruction


def instructions(table: Mapping[Translate, str]) -> list[Written]:
    """Return all instructions that the lines of a table describe, once each."""
    found = {
        (variant.opcode, modifiers): None
        for variant in variants(table)
        for modifiers in spellings(variant)
        if variant.opcode not in _NO_VALUES and "b128" not in modifiers
    }
    return [written(*key) for key in found]


def on_simulator(listed: Sequence[Written], rows: Rows) -> Rows:
    """Return what each lane stores for each instruction."""
    results = np.zeros((len(listed), 32), np.uint64)
    buffers = {"given": np.array(rows, np.uint64).reshape(-1), "results": results.reshape(-1)}
    simulator = Simulator(parse(kernel(listed)), "k", (32, 1, 1))
    ran = simulator.launch((1, 1, 1), buffers, ["given", "results"], processors=1, seconds=60)
    assert ran.status is Status.DONE, ran.fault
    return [[int(word) for word in row] for row in results]


def wrong(all_of_them: Sequence[Written], seed: int, run: Run = on_simulator) -> Iterator[str]:
    """Yield the instructions that give a value that is not the reference's, with the operands of one lane."""
    for kinds, alike in groupby(sorted(all_of_them, key=lambda one: one.sources), lambda one: one.sources):
        listed = list(alike)
        for first in range(0, len(listed), TOGETHER):
            rows = operands(kinds, random.Random(seed + first))  # noqa: S311 - no secrets
            together = listed[first : first + TOGETHER]
            yield from _wrong(together, rows, run(together, rows))


def _wrong(listed: Sequence[Written], rows: Rows, results: Rows) -> Iterator[str]:
    for instruction, row_of_results in zip(listed, results, strict=True):
        for lane, result in enumerate(row_of_results):
            words = [row[lane] for row in rows[: len(instruction.sources)]]
            wanted = expected(instruction, words)
            got = result & (1 << held(instruction.to)) - 1
            if wanted is not None and not _same(instruction, got, wanted):
                yield f"{instruction.name} {[hex(word) for word in words]}: {got:#x}, not {wanted:#x}"
                break


def expected(instruction: Written, words: Sequence[int]) -> int | None:
    """The bits of the result; None where it is not specified."""
    kinds = {kind.removesuffix("x2") for kind in (instruction.to, *instruction.sources)}
    if instruction.is_of_pairs and kinds & REALS:
        # A conversion of two floats has the second one in the lower half.
        halves = [[words[1]], [words[0]]] if instruction.opcode == "cvt" else [words, [word >> 16 for word in words]]
        low, high = (expected(instruction.of_one(), half) for half in halves)
        return None if low is None or high is None else (low & 0xFFFF) | (high & 0xFFFF) << 16
    width = held(instruction.to) if instruction.opcode == "cvt" else WIDTHS[instruction.to]
    value = integer(instruction, words) if _is_of_integers(instruction) else computed(instruction, words)
    if isinstance(value, float):
        return bits_of(value, instruction.to)
    return None if value is None else value & (1 << width) - 1


def _is_of_integers(instruction: Written) -> bool:
    return instruction.sources[0] not in REALS and (instruction.opcode != "cvt" or instruction.to not in REALS)


def _same(instruction: Written, got: int, wanted: int) -> bool:
    kind = instruction.to
    if got == wanted or kind.removesuffix("x2") not in REALS:
        return got == wanted
    if kind.endswith("x2"):
        return all(_same(instruction.of_one(), got >> at & 0xFFFF, wanted >> at & 0xFFFF) for at in (0, 16))
    a, b = real(got, kind), real(wanted, kind)
    if math.isnan(b) or not {"approx", "full"} & {*instruction.modifiers}:
        return math.isnan(a) and math.isnan(b)
    largest, least = 2.0 ** (WIDTHS[kind] * 3 - 1) if kind == "f16" else 1e38, 2.0 ** ALL[kind][1]
    absolute = 2.0**-20 if instruction.opcode in APPROXIMATED else 0.0
    allowed = abs(b) * _LOOSE[kind] + absolute + 2 * least
    return abs(a - b) <= allowed or (abs(a) > largest and abs(b) > largest and a * b > 0)


def operands(kinds: Sequence[str], chance: random.Random) -> Rows:
    """Return four words for each lane. Those of some lanes are alike, cancel, or lead between two other numbers."""
    singles = [kind.removesuffix("x2") for kind in kinds]
    if singles[0] != kinds[0] and singles[0] in ALL:
        halves = zip(operands(singles, chance), operands(singles, chance), strict=True)
        return [[low & 0xFFFF | (high & 0xFFFF) << 16 for low, high in zip(*rows, strict=True)] for rows in halves]
    rows = [[_word(kind, chance) for _ in range(32)] for kind in (*kinds, "u32", "u32", "u32", "u32")[:4]]
    for lane in range(6):
        rows[1][lane] = rows[0][lane]
    for lane in range(12, 32):
        rows[0][lane] = _between(kinds[0], (8, 11, 24, 53)[lane % 4], chance)
    if kinds[0] in ALL and len(kinds) > 1:
        for lane in range(6, 12):
            _cancel(kinds[0], rows, lane)
        for lane in range(12, 18):
            _lie_between(kinds[0], rows, lane, chance)
    return rows


def _cancel(kind: str, rows: Rows, lane: int) -> None:
    """Let the lane's first two words add up to zero, and its first two multiplied, and the third."""
    rows[1][lane] = rows[2][lane] = rows[0][lane] ^ 1 << WIDTHS[kind] - 1
    if lane % 2:
        rows[1][lane] = bits_of(1.0, kind)


def _lie_between(kind: str, rows: Rows, lane: int, chance: random.Random) -> None:
    """Let the product of a lane's first two words be in the middle between two numbers, or nearly with the third."""
    one, half = bits_of(1.0, kind), ALL[kind][0] - 1
    rows[0][lane] = one + (chance.choice((1, 3, 5)) << half // 2)
    rows[1][lane] = one + (chance.choice((1, 3, 5)) << half - 1 - half // 2)
    rows[2][lane] = bits_of(2.0 ** max(-100, ALL[kind][1]), kind) | chance.getrandbits(1) << WIDTHS[kind] - 1


def _between(kind: str, digits: int, chance: random.Random) -> int:
    """Return a number in the middle between two of so many digits, or beside it where the middle is rounded away."""
    word = _ordinary(kind, chance) if kind in ALL else chance.getrandbits(WIDTHS[kind])
    left_out = (ALL[kind][0] if kind in ALL else word.bit_length()) - digits
    if left_out < 2:
        return word
    beside = -1 if word >> left_out & 1 else 1
    return (word >> left_out << left_out | 1 << left_out - 1) + chance.choice((0, beside))


def _word(kind: str, chance: random.Random) -> int:
    width = WIDTHS[kind]
    if kind in ALL:
        return chance.choice(
            (chance.getrandbits(width), _ordinary(kind, chance), _ordinary(kind, chance), _edge(kind, chance))
        )
    edges = (0, 1, (1 << width) - 1, 1 << width - 1, (1 << width - 1) - 1)
    return chance.choice((chance.getrandbits(64), chance.randint(0, 70), chance.choice(edges)))


def _ordinary(kind: str, chance: random.Random) -> int:
    value = chance.choice(
        (chance.gauss(0, 1), chance.gauss(0, 100), float(chance.randint(-9, 9)), chance.randint(-9, 9) + 0.5)
    )
    return bits_of(struct.unpack("<f", struct.pack("<f", value))[0] if kind != "f64" else value, kind)


def _edge(kind: str, chance: random.Random) -> int:
    """The bits of a zero, an infinity, a NaN, or the numbers beside the largest and the smallest normal one."""
    fraction = ALL[kind][0] - 1
    infinity, normal = (1 << WIDTHS[kind] - 1) - (1 << fraction), 1 << fraction
    size = chance.choice((0, 1, normal - 1, normal, infinity - 1, infinity, infinity + normal // 2))
    return size | chance.getrandbits(1) << WIDTHS[kind] - 1
