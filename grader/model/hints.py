"""Hints that say by their type what they are about, for what later shows more. In a report, they are plain text."""


class GeneralHint(str):
    """What to try where the cause is not known: what a launch shows that ran again takes its place."""

    __slots__ = ()


class EdgeHint(GeneralHint):
    """Names the last tile. It stays beside elements that are read again, because it says where they are."""

    __slots__ = ()


class UnsetHint(GeneralHint):
    """Names what may be unset. It stays, unless a launch shows that something earlier is read again."""

    __slots__ = ()


class BarrierHint(str):
    """Says that a __syncthreads() is missing between two lines: the source shows where it belongs."""

    __slots__ = ()


def reworded(hint: str, text: str) -> str:
    """Return a hint in other words, which is of the same type."""
    return type(hint)(text)
