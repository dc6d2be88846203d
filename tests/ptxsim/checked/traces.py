"""Traces written by hand: what the lanes of warps do, one event after the other."""

from collections.abc import Mapping, Sequence

import numpy as np

from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.layout import FIRST_SHARED, SHARED, window
from grader.ptxsim.generate.traces import (
    ARRIVES_ONLY,
    EVENT,
    EXPECTED_BITS,
    SOURCE_BITS,
    VALUE_BYTES,
    Event,
    How,
)

WORDS = window(SHARED) + FIRST_SHARED  # where the first array of shared memory begins
MATRIX_C = window(3)
EXCHANGES = How.ACQUIRES | How.PUBLISHES | How.DEVICE


def reads(words: Mapping[int, int], *, warp: int = 0, block: int = 0, size: int = 4, start: int = WORDS) -> Events:
    """One load: lane -> index of what it reads, in elements of `size` bytes."""
    return _access(Event.READ, words, warp, block, size, start)


def atomics(
    words: Mapping[int, int], *, warp: int = 0, block: int = 0, start: int = WORDS, how: How = EXCHANGES
) -> Events:
    return _access(Event.ATOMIC, words, warp, block, 4, start, how=how)


def fence(*, warp: int = 0, block: int = 0, lanes: int = 32, how: How = How.DEVICE) -> Events:
    return _event(Event.FENCE, range(lanes), warp, block, how=how)


def on_object(how: How, count: int = 0, *, warp: int = 0, block: int = 0, lanes: int = 32) -> Events:
    """An operation of the first lanes on one mbarrier; each arrives `count` times, or initialises it with `count`."""
    event = _access(Event.OBJECT, dict.fromkeys(range(lanes), 100), warp, block, 8, WORDS, how=how)
    return np.concatenate([event, _event(Event.VALUES, range(lanes), warp, block, words=count)])


def writes(
    words: Mapping[int, tuple[int, int]], *, warp: int = 0, block: int = 0, size: int = 4, start: int = WORDS
) -> Events:
    """One store: lane -> index and value."""
    places = _access(Event.WRITE, {lane: index for lane, (index, _) in words.items()}, warp, block, size, start)
    values = _event(Event.VALUES, list(words), warp, block)
    for lane, (_, value) in words.items():
        values["words"][0, lane] = value
    return np.concatenate([places, values])


def barrier(*warps: int, block: int = 0, mask: int = 0xFFFFFFFF) -> Events:
    """Arrivals of warps at a barrier of the block."""
    return np.concatenate([_event(Event.BARRIER, range(32), warp, block, mask=mask) for warp in warps])


def lost(*warps: int, block: int = 0) -> Events:
    """Warps of which nothing more is recorded."""
    return np.concatenate([_event(Event.LOST, range(32), warp, block) for warp in warps])


def arrival(number: int, expected: int, *, warp: int, waits: bool = True, lanes: int = 32) -> Events:
    """Arrival of a warp at a barrier for so many threads."""
    words = number << EXPECTED_BITS | expected << 1 | (0 if waits else ARRIVES_ONLY)
    return _event(Event.BARRIER, range(lanes), warp, 0, words=words)


def warp_barrier(*, warp: int = 0, block: int = 0, lanes: int = 32, mask: int = 0xFFFFFFFF) -> Events:
    return _event(Event.WARP, range(lanes), warp, block, words=mask)


def shuffle(sources: Mapping[int, int], *, warp: int = 0, mask: int = 0xFFFFFFFF) -> Events:
    """One shuffle: lane -> the lane that it reads. Without `sources` of all lanes, only these take part."""
    event = _event(Event.WARP, list(sources), warp, 0)
    for lane, source in sources.items():
        event["words"][0, lane] = mask | source + 1 << SOURCE_BITS
    return event


def copies(words: Mapping[int, int], *, warp: int = 0, block: int = 0, size: int = 4) -> Events:
    """One asynchronous copy of each lane: lane -> index of what it writes. The values are not known."""
    return _access(Event.COPY, words, warp, block, size, WORDS)


def copied(words: Mapping[int, tuple[int, Sequence[int]]], *, warp: int = 0, block: int = 0) -> Events:
    """One asynchronous copy of each lane: lane -> index of the first word that it writes, and the words."""
    size = 4 * max(len(values) for _, values in words.values())
    event = _access(Event.COPY, {lane: index for lane, (index, _) in words.items()}, warp, block, 4, WORDS)
    event["size"] = size
    parts = [_event(Event.VALUES, list(words), warp, block) for _ in range(0, size, VALUE_BYTES)]
    for lane, (_, values) in words.items():
        for number, value in enumerate(values):
            parts[number // 2]["words"][0, lane] |= value << 32 * (number % 2)
    return np.concatenate([event, *parts])


def copied_from(
    words: Mapping[int, int], *, value: int = 7, warp: int = 0, block: int = 0, start: int = MATRIX_C
) -> Events:
    """One asynchronous copy of each lane of one word, to a place of its own: lane -> index of what it reads."""
    source = reads(words, warp=warp, block=block, start=start)
    source["how"] = How.SOURCE
    target = {lane: (32 * warp + lane, [value]) for lane in words}
    return np.concatenate([source, copied(target, warp=warp, block=block)])


def commit(*, warp: int = 0, block: int = 0) -> Events:
    return _event(Event.COMMIT, range(32), warp, block)


def wait(pending: int, *, lanes: int = 32, warp: int = 0, block: int = 0) -> Events:
    """The first lanes wait for all but the last groups of their copies."""
    return _event(Event.WAIT, range(lanes), warp, block, size=pending)


def trace(*parts: Events) -> Events:
    return np.concatenate(parts)


def _access(
    kind: Event, words: Mapping[int, int], warp: int, block: int, size: int, start: int, **fields: int
) -> Events:
    event = _event(kind, list(words), warp, block, size=size, **fields)
    for lane, index in words.items():
        event["words"][0, lane] = start + index * size
    return event


def _event(kind: Event, lanes: list[int] | range, warp: int, block: int, **fields: int) -> Events:
    event = np.zeros(1, EVENT)
    given = {"kind": kind, "warp": warp, "block": block, "mask": sum(1 << lane for lane in lanes), **fields}
    for name, value in given.items():
        event[name] = value
    return event
