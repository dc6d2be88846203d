"""Run a command that may open named folders only: `python -I -S confined.py OPTIONS -- COMMAND`.

    --landlock        confine files with Landlock; without it only the limits below are set
    --read FOLDER     what is below it may be read and executed; may be repeated
    --write FOLDER    what is below it may be read and written; may be repeated
    --cpu SECONDS     processor time that each process may take
    --file BYTES      size of a file that may be written

A program by itself, because both Landlock and limits stay with a process: it confines itself and becomes the command.
It imports nothing but the standard library, so that it starts in about 15 ms. Exit status 126: it could not confine.

Numbers are those of linux/landlock.h, linux/seccomp.h and asm/unistd.h; the texts are landlock(7) and seccomp(2).
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
import sys

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
RULESET_VERSION = 1
RULE_PATH_BENEATH = 1
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38
SECCOMP_MODE_FILTER = 2

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

# AUDIT_ARCH, and the numbers of socket and io_uring_setup (which can open a socket too).
MACHINES = {"x86_64": (0xC000003E, 41, 425), "aarch64": (0xC00000B7, 198, 425)}
X32 = 0x40000000  # system calls of x86-64's second interface have this bit
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | 97  # 97 is EAFNOSUPPORT
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06

NOT_CONFINED = 126

libc = ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """The version of Landlock that the kernel has, 0 where it has none."""
    return max(0, _call(CREATE_RULESET, None, 0, RULESET_VERSION))


def main(words: list[str]) -> None:
    """Set the limits, confine this process, and become the command."""
    at = words.index("--")
    options, command = words[:at], words[at + 1 :]
    folders: dict[str, list[str]] = {"--read": [], "--write": []}
    confined = False
    for option, value in zip(options, [*options[1:], ""], strict=True):
        if option == "--landlock":
            confined = True
        elif option in folders:
            folders[option].append(value)
        elif option == "--cpu":
            _limit(resource.RLIMIT_CPU, int(value), int(value) + 1)  # first SIGXCPU, which says what it is for
        elif option == "--file":
            _limit(resource.RLIMIT_FSIZE, int(value))
    _limit(resource.RLIMIT_CORE, 0)
    if confined:
        _checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
        _refuse_sockets()
        _restrict(folders["--read"], folders["--write"])
    _become(command)


def _become(command: list[str]) -> None:
    """By its path, as what searches for it would itself be out of reach by now."""
    try:
        os.execv(command[0], command)  # noqa: S606 - without a shell is what is wanted
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        os._exit(NOT_CONFINED)


def _limit(what: int, most: int, last: int | None = None) -> None:
    """Set the limit that warns to `most` and the one that kills to `last`; one that is lower already stays."""
    wanted = (most, most if last is None else last)
    now = resource.getrlimit(what)
    lowest = [want if has == resource.RLIM_INFINITY else min(want, has) for want, has in zip(wanted, now, strict=True)]
    resource.setrlimit(what, (min(lowest), lowest[1]))


def _restrict(readable: list[str], writable: list[str]) -> None:
    newest = version()
    handled = HANDLED_FILES[min(newest, max(HANDLED_FILES))]
    fields = [handled]
    fields += [TCP] * (newest >= TCP_SINCE) + [SCOPES] * (newest >= SCOPES_SINCE)
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    ruleset = _checked(_call(CREATE_RULESET, attributes, len(attributes), 0), "landlock_create_ruleset")
    for rights, paths in ((READABLE, readable), (WRITABLE, writable)):
        for path in paths:
            _allow(ruleset, path, rights & handled)
    _allow(ruleset, os.devnull, (READ_FILE | WRITE_FILE | TRUNCATE) & handled)
    _checked(_call(RESTRICT_SELF, ruleset, 0), "landlock_restrict_self")
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """What does not exist needs no permission."""
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    allowed = rights if os.path.isdir(path) else rights & FILES_ONLY  # noqa: PTH112 - pathlib takes as long to import
    rule = struct.pack("=Qi", allowed, handle)
    _checked(_call(ADD_RULE, ruleset, RULE_PATH_BENEATH, rule, 0), "landlock_add_rule")
    os.close(handle)


def _refuse_sockets() -> None:
    """No socket of any kind: Landlock knows TCP only, and that from version 4 on."""
    if os.uname().machine not in MACHINES:
        return
    architecture, *refused = MACHINES[os.uname().machine]
    tests = [(EQUAL, number) for number in refused] + [(AT_LEAST, X32)]
    lines = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, architecture), (RETURN, 0, 0, REFUSE), (LOAD, 0, 0, 0)]
    lines += [(test, len(tests) - at, 0, number) for at, (test, number) in enumerate(tests)]
    lines += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in lines))
    program = struct.pack("@HP", len(lines), ctypes.addressof(code))
    _checked(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0), "seccomp")


def _call(number: int, *arguments: int | bytes | None) -> int:
    words = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    return int(libc.syscall(ctypes.c_long(number), *words))


def _checked(result: int, name: str) -> int:
    if result < 0:
        sys.stderr.write(f"{name}: {os.strerror(ctypes.get_errno())}\n")
        os._exit(NOT_CONFINED)
    return result


if __name__ == "__main__":
    main(sys.argv[1:])
