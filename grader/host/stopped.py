"""The limits at which a process is stopped. A module by itself, because some workers need no more of `process`."""

from enum import StrEnum


class Stopped(StrEnum):
    """The limit at which a process was stopped."""

    NO = ""
    TIME = "time"
    PROCESSOR = "processor time"
    MEMORY = "memory"
    OUTPUT = "output"
    DISK = "disk"
