"""Run a command that may do little: `python -I -S confined.py OPTIONS -- COMMAND`.

    --calls           refuse system calls that no compiler and no kernel needs
    --alone           refuse the start of processes too
    --hide            take other files out of sight, where the system allows it; needs --write
    --landlock        confine files with Landlock, to these:
    --list FOLDER     names below it may be read; may be repeated
    --read PATH       what is below it may be read and executed; may be repeated
    --write PATH      what is below it may be read and written; may be repeated
    --cpu SECONDS     CPU time that each process may take
    --data BYTES      memory that each process may allocate
    --file BYTES      size of a file that may be written

A program by itself, because confinement and limits stay with a process: it confines itself and becomes the command.
It imports nothing but the standard library, so that it starts in about 15 ms. Exit status 126: it could not confine.
"""

import ctypes
import os
import resource
import struct
import sys

NOT_CONFINED = 126
PR_CAPBSET_DROP = 24
CAPABILITY_VERSION = 0x20080522
LAST_CAPABILITY = 63  # more than there are: those that do not exist are refused
KEPT_CAPABILITIES = {1, 2}  # to read files of other users, such as those of an installation; Landlock says which

SIZES = {"--data": resource.RLIMIT_DATA, "--file": resource.RLIMIT_FSIZE}


def confine(words: list[str]) -> list[str]:
    """Set the limits and confine this process, as the words say; return the command, which comes last."""
    at = words.index("--")
    options, command = words[:at], words[at + 1 :]
    paths: dict[str, list[str]] = {"--list": [], "--read": [], "--write": []}
    for option, value in zip(options, [*options[1:], ""], strict=True):
        if option in paths:
            paths[option].append(value)
        elif option == "--cpu":
            _limit(resource.RLIMIT_CPU, int(value), int(value) + 1)  # first SIGXCPU, which names the limit
        elif option in SIZES:
            _limit(SIZES[option], int(value))
    _limit(resource.RLIMIT_CORE, 0)
    try:
        _confine(options, paths["--list"], [*paths["--read"], command[0]], paths["--write"])
    except OSError as error:
        _fail(command, error)
    return command


def become(command: list[str]) -> None:
    """Execute the command in place of this program."""
    try:
        os.execv(command[0], command)  # noqa: S606 - without a shell is what is wanted
    except OSError as error:
        _fail(command, error)


def _fail(command: list[str], error: OSError) -> None:
    sys.stderr.write(f"{command[0]}: {error.strerror or error}\n")
    os._exit(NOT_CONFINED)


def _confine(options: list[str], listed: list[str], readable: list[str], writable: list[str]) -> None:
    from grader.host.confinement import landlock, own_root, system_calls  # `__main__` below makes them importable

    if "--hide" in options:
        own_root.enter(listed, [*readable, *writable], writable[0])
    if "--calls" in options:
        _drop_capabilities()
        system_calls.refuse(alone="--alone" in options)
    if "--landlock" in options:
        landlock.restrict(listed, readable, writable)


def _drop_capabilities() -> None:
    """Leave root, and who has a namespace, the rights of an ordinary user: to this process and all that it becomes."""
    libc = ctypes.CDLL(None, use_errno=True)
    for number in range(LAST_CAPABILITY + 1):
        if number not in KEPT_CAPABILITIES:
            libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)
    header, sets = struct.pack("Ii", CAPABILITY_VERSION, 0), ctypes.create_string_buffer(struct.calcsize("6I"))
    kept = 0 if os.geteuid() else sum(1 << number for number in KEPT_CAPABILITIES)
    failed = libc.capget(header, sets)
    effective, permitted, *_ = struct.unpack("6I", sets)
    if failed or libc.capset(header, struct.pack("6I", effective & kept, permitted & kept, 0, 0, 0, 0)):
        raise OSError(ctypes.get_errno(), "capset")


def _limit(what: int, most: int, last: int | None = None) -> None:
    """Set the limit that warns to `most` and the one that kills to `last`; one that is lower already stays."""
    wanted = (most, most if last is None else last)
    now = resource.getrlimit(what)
    lowest = [want if has == resource.RLIM_INFINITY else min(want, has) for want, has in zip(wanted, now, strict=True)]
    resource.setrlimit(what, (min(lowest), lowest[1]))


if __name__ == "__main__":
    sys.path.append(__file__.rpartition("/grader/host/")[0])  # `-I` keeps the grader off the path
    become(confine(sys.argv[1:]))
