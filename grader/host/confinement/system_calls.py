"""Refuse system calls that neither a compiler nor a kernel needs, with seccomp(2) and a filter from here.

The filter refuses the calls that reach outside of a process, instead of allowing a list of harmless ones: a list of
what Python, NumPy and LLVM need would break with their next release. Imports the standard library only, so that it
loads fast.
"""

import ctypes
import os
import struct

from grader.host.confinement.landlock import checked, libc

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38
SECCOMP_MODE_FILTER = 2
ALLOW, REFUSE = 0x7FFF0000, 0x00050000  # the error's number is in the lower half
EPERM, ENOSYS, EAFNOSUPPORT = 1, 38, 97
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data
CLONE_THREAD = 0x00010000
X32 = 0x40000000  # system calls of x86-64's second interface have this bit

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# Numbers of asm/unistd.h, for x86-64 and for 64-bit Arm; 0 where an architecture lacks the call.
SOCKETS = {"x86_64": (41, 53), "aarch64": (198, 199)}  # socket, socketpair
ALWAYS = {
    "io_uring_setup": (425, 425),  # it opens files and sockets by itself
    "io_uring_enter": (426, 426),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_by_handle_at": (304, 265),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
    "reboot": (169, 142),
    "shmget": (29, 194),  # what it makes outlives the process, as that of the next three does
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
}
# What only compilers need: to start processes and end them, and to change the mode of files, which Landlock allows.
ALONE = {
    "fork": (57, 0),
    "vfork": (58, 0),
    "kill": (62, 129),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
    "chmod": (90, 0),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, 0),
    "fchown": (93, 55),
    "lchown": (94, 0),
    "fchownat": (260, 54),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
}
CLONE, CLONE3 = {"x86_64": 56, "aarch64": 220}, 435

Line = tuple[int, int, int, int]  # of a filter: operation, lines to skip if true and if false, operand


def refuse(*, alone: bool) -> None:
    """Refuse this process and all that it starts the calls of ALWAYS, and if `alone` those of ALONE. Raises OSError.

    A process that is alone starts threads and no processes. On other architectures nothing is refused.
    """
    checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    machine = os.uname().machine
    if machine not in AUDIT_ARCH:
        return
    lines = filter_of(machine, alone=alone)
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in lines))
    program = struct.pack("@HP", len(lines), ctypes.addressof(code))
    checked(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0), "seccomp")


def filter_of(machine: str, *, alone: bool) -> list[Line]:
    """Return the lines of the filter: a test and an answer for each call, so that no jump is long."""
    column = list(AUDIT_ARCH).index(machine)
    names = {**ALWAYS, **ALONE} if alone else ALWAYS
    lines = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, AUDIT_ARCH[machine]),
        _answer(EPERM),
        (LOAD, 0, 0, NUMBER),
        *_unless(AT_LEAST, X32, EPERM),
    ]
    for number in SOCKETS[machine]:
        lines += _unless(EQUAL, number, EAFNOSUPPORT)
    for numbers in names.values():
        if numbers[column]:
            lines += _unless(EQUAL, numbers[column], EPERM)
    if alone:
        lines += _unless(EQUAL, CLONE3, ENOSYS)  # its flags cannot be seen; the C library then uses clone
        lines += [(EQUAL, 0, 3, CLONE[machine]), (LOAD, 0, 0, FIRST_ARGUMENT), (ANY_BIT, 1, 0, CLONE_THREAD)]
        lines += [_answer(EPERM)]
    return [*lines, (RETURN, 0, 0, ALLOW)]


def _unless(test: int, operand: int, error: int) -> list[Line]:
    """Return two lines that end the call with an error if the test is true."""
    return [(test, 0, 1, operand), _answer(error)]


def _answer(error: int) -> Line:
    return (RETURN, 0, 0, REFUSE | error)
