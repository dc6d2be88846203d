"""Lanes that read or write at known distances from one pointer: broadcasts, vectors and strided accesses."""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.generate.emitter import BITS, Emitter, constants, vector

REGISTER = 32  # bytes of a vector that every machine in question handles well


def load(emitter: Emitter, pointer: str, places: Sequence[int], element: str, count: int) -> list[str]:
    """Return `count` vectors of as many lanes as there are places: each lane's values begin at its place."""
    size = BITS[element] // 8
    length = len(places)
    if all(place == places[0] for place in places):
        values = [emitter.load(element, pointer, places[0] + size * part) for part in range(count)]
        return [emitter.broadcast(element, value, length) for value in values]
    if _is_sequence(places, size * count):
        return _strided(emitter, pointer, places[0], element, length, count)
    if length > 2:
        half = length // 2
        lower = load(emitter, pointer, places[:half], element, count)
        upper = load(emitter, pointer, places[half:], element, count)
        return [concatenated(emitter, a, b, element, half) for a, b in zip(lower, upper, strict=True)]
    return [_one_by_one(emitter, pointer, [place + size * part for place in places], element) for part in range(count)]


def _is_sequence(places: Sequence[int], stride: int) -> bool:
    return all(place == places[0] + number * stride for number, place in enumerate(places))


def _strided(emitter: Emitter, pointer: str, place: int, element: str, length: int, count: int) -> list[str]:
    """Read `count` contiguous values for each lane in one piece, and separate them in registers."""
    if count == 1:
        return [emitter.load(vector(element, length), pointer, place)]
    chunk = max(1, REGISTER * 8 // BITS[element])
    if length > chunk:
        half = length // 2
        size = BITS[element] // 8
        lower = _strided(emitter, pointer, place, element, half, count)
        upper = _strided(emitter, pointer, place + half * count * size, element, half, count)
        return [concatenated(emitter, a, b, element, half) for a, b in zip(lower, upper, strict=True)]
    type_ = vector(element, length * count)
    whole = emitter.load(type_, pointer, place)
    return [
        emitter.op(
            f"shufflevector {type_} {whole}, {type_} poison, <{length} x i32> "
            + constants("i32", [lane * count + part for lane in range(length)])
        )
        for part in range(count)
    ]


def _one_by_one(emitter: Emitter, pointer: str, places: Sequence[int], element: str) -> str:
    type_ = vector(element, len(places))
    name = "poison"
    for lane, place in enumerate(places):
        single = emitter.load(element, pointer, place)
        name = emitter.op(f"insertelement {type_} {name}, {element} {single}, i32 {lane}")
    return name


def concatenated(emitter: Emitter, lower: str, upper: str, element: str, half: int) -> str:
    """Return two vectors of equal length as one."""
    type_ = vector(element, half)
    chosen = constants("i32", range(2 * half))
    return emitter.op(f"shufflevector {type_} {lower}, {type_} {upper}, <{2 * half} x i32> {chosen}")


def part_of(emitter: Emitter, name: str, element: str, length: int, first: int, count: int) -> str:
    """Return some of a vector's lanes."""
    if count == length:
        return name
    chosen = constants("i32", range(first, first + count))
    type_ = vector(element, length)
    return emitter.pure(f"shufflevector {type_} {name}, {type_} poison, <{count} x i32> {chosen}")


def store(emitter: Emitter, pointer: str, places: Sequence[int], element: str, vectors: Sequence[str]) -> None:
    """Write each lane's values from its place on, lanes in order; `vectors` have a lane for each place."""
    size, count, length = BITS[element] // 8, len(vectors), len(places)
    if _is_sequence(places, size * count):
        for first in range(0, length, chunk := max(1, REGISTER // size)):
            parts = [part_of(emitter, name, element, length, first, min(chunk, length)) for name in vectors]
            _store_strided(emitter, pointer, places[first], element, parts, min(chunk, length))
        return
    half = length // 2
    for first in (0, half):
        parts = [part_of(emitter, name, element, length, first, half) for name in vectors]
        store(emitter, pointer, places[first : first + half], element, parts)


def _store_strided(emitter: Emitter, pointer: str, place: int, element: str, parts: Sequence[str], length: int) -> None:
    whole, held = parts[0], length
    if len(parts) > 1:
        joined = list(parts)
        while len(joined) > 1:
            joined = [concatenated(emitter, joined[i], joined[i + 1], element, held) for i in range(0, len(joined), 2)]
            held *= 2
        order = [part * length + lane for lane in range(length) for part in range(len(parts))]
        type_ = vector(element, held)
        whole = emitter.op(
            f"shufflevector {type_} {joined[0]}, {type_} poison, <{held} x i32> {constants('i32', order)}"
        )
    emitter.store(vector(element, held), whole, pointer, place)
