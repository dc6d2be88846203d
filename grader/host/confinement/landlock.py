"""Confine this process, and all that it starts, to named folders, with Landlock: landlock(7).

Imports the standard library only, so that it loads fast. Numbers are those of linux/landlock.h.
"""

import ctypes
import os
import struct
from collections.abc import Sequence

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
RULESET_VERSION = 1
RULE_PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE, MAKE_DIR, MAKE_REG, MAKE_SYM = 3 << 4, 1 << 7, 1 << 8, 1 << 12
REFER, TRUNCATE = 1 << 13, 1 << 14
READABLE = EXECUTE | READ_FILE | READ_DIR
WRITABLE = READABLE | WRITE_FILE | REMOVE | MAKE_DIR | MAKE_REG | MAKE_SYM | REFER | TRUNCATE
FILES_ONLY = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
# What each version of the interface can confine of files; newer ones are used as the last of these.
HANDLED_FILES = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
# The fields of struct landlock_ruleset_attr as (since version, what to confine): files, bind and connect of TCP,
# abstract sockets and signals to processes outside.
TCP_SINCE, SCOPES_SINCE = 4, 6
TCP, SCOPES = 3, 3

libc = ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """Return the version of Landlock that the kernel has, 0 where it has none."""
    return max(0, _call(CREATE_RULESET, None, 0, RULESET_VERSION))


def restrict(listed: Sequence[str], readable: Sequence[str], writable: Sequence[str]) -> None:
    """Allow the names in the `listed` folders, the `readable` and the `writable` folders and files, and no others.

    Raises OSError.
    """
    newest = version()
    handled = HANDLED_FILES[min(newest, max(HANDLED_FILES))]
    fields = [handled]
    fields += [TCP] * (newest >= TCP_SINCE) + [SCOPES] * (newest >= SCOPES_SINCE)
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    ruleset = checked(_call(CREATE_RULESET, attributes, len(attributes), 0))
    for rights, paths in ((READ_DIR, listed), (READABLE, readable), (WRITABLE, writable)):
        for path in paths:
            _allow(ruleset, path, rights & handled)
    _allow(ruleset, os.devnull, (READ_FILE | WRITE_FILE | TRUNCATE) & handled)
    checked(_call(RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Allow access to a path; skip one that does not exist."""
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    allowed = rights if os.path.isdir(path) else rights & FILES_ONLY
    if allowed:
        rule = struct.pack("=Qi", allowed, handle)
        checked(_call(ADD_RULE, ruleset, RULE_PATH_BENEATH, rule, 0))
    os.close(handle)


def _call(number: int, *arguments: int | bytes | None) -> int:
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    return int(libc.syscall(ctypes.c_long(number), *words))


def checked(result: int, what: str = "Landlock") -> int:
    """Return what a function of the C library has returned. Raises OSError if it failed."""
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")
    return result
