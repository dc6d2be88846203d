"""What a worker is started for, which decides what confines it and what it loads before its first request."""

from __future__ import annotations

from enum import StrEnum


class Purpose(StrEnum):
    """A worker compiles, or it runs kernels, and never both. One that times needs more of the device's libraries."""

    COMPILE = "compile"
    EXECUTE = "execute"
    TIME = "time"
