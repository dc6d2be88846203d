"""Give this process a root directory in which only named paths exist: mount_namespaces(7), user_namespaces(7).

Landlock refuses to open a file, but tells that it exists; a path that is not below the root cannot be asked for.
Imports the standard library only, so that it loads fast. Numbers are those of linux/sched.h and linux/mount.h.
"""

import ctypes
import errno
import os
from collections.abc import Iterable

from grader.host.confinement.landlock import checked, libc

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
BIND, MOVE, RECURSIVE, PRIVATE = 1 << 12, 1 << 13, 1 << 14, 1 << 18
MOST_LINKS = 40  # as many as the kernel follows
PROC = "/proc"

Links = dict[str, str]


def enter(folders: Iterable[str], paths: Iterable[str], box: str) -> None:
    """Leave this process and all that it starts only the empty `folders`, the `paths` and the `box`.

    Does nothing where the system refuses it, as many containers do.
    """
    real, links = _followed([*paths, box, os.devnull])
    attempt = os.fork()  # in a process of its own first, because a namespace cannot be left again
    if not attempt:
        os._exit(_is_refused(folders, real, links, box))
    if not os.waitpid(attempt, 0)[1]:
        unshare()
        _build(folders, real, links, box)


def _is_refused(folders: Iterable[str], real: set[str], links: Links, box: str) -> bool:
    try:
        unshare()
        _build(folders, real, links, box)
    except OSError:
        return True
    return False


def unshare() -> None:
    """Take mounts of its own; an ordinary user needs a user namespace for that."""
    user, group = os.geteuid(), os.getegid()
    if user == 0 and not libc.unshare(CLONE_NEWNS):
        return
    checked(libc.unshare(CLONE_NEWNS | CLONE_NEWUSER), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _build(folders: Iterable[str], real: set[str], links: Links, box: str) -> None:
    """Bind the paths below an empty file system, which hides the box meanwhile, and make it the root."""
    here, root = os.getcwd(), os.path.realpath(box)
    _mount(None, "/", PRIVATE | RECURSIVE)
    outermost = [path for path in sorted(real) if not any(_is_below(path, other) for other in real - {path})]
    sources = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in outermost}
    if root not in sources:
        raise OSError(errno.EINVAL, "the box is in a folder that is needed itself")
    _mount("tmpfs", root, 0, b"tmpfs")
    for path, source in sources.items():
        _make(root + path, is_folder=os.path.isdir(f"/proc/self/fd/{source}"))
        _mount(f"/proc/self/fd/{source}", root + path, BIND if path == root else BIND | RECURSIVE)
        os.close(source)
    for folder in folders:
        os.makedirs(root + folder, exist_ok=True)
    for path, target in links.items():
        if not any(_is_below(path, above) for above in sources):
            os.makedirs(os.path.dirname(root + path), exist_ok=True)
            os.symlink(target, root + path)
    os.chdir(root)
    _mount(".", "/", MOVE)
    os.chroot(".")
    os.chdir(here)


def _followed(paths: Iterable[str]) -> tuple[set[str], Links]:
    """Return where the existing paths are, and the symbolic links on the way there."""
    real, links = set(), {}
    for given in paths:
        path = os.path.abspath(given)
        path = PROC if _is_below(path, PROC) else path  # each process has files of its own there
        for _ in range(MOST_LINKS):
            link = next((above for above in _prefixes(path) if os.path.islink(above)), None)
            if link is None:
                break
            links[link] = os.readlink(link)
            path = os.path.normpath(os.path.join(os.path.dirname(link), links[link]) + path[len(link) :])
        if os.path.exists(path):
            real.add(path)
    return real, links


def _prefixes(path: str) -> Iterable[str]:
    words = path.split("/")[1:]
    return ("/" + "/".join(words[:number]) for number in range(1, len(words) + 1))


def _is_below(path: str, above: str) -> bool:
    return path == above or path.startswith(above.rstrip("/") + "/")


def _make(path: str, *, is_folder: bool) -> None:
    """Make what a path is mounted on."""
    os.makedirs(path if is_folder else os.path.dirname(path), exist_ok=True)
    if not is_folder:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def _mount(source: str | None, target: str, flags: int, kind: bytes | None = None) -> None:
    checked(libc.mount(source and source.encode(), target.encode(), kind, ctypes.c_ulong(flags), None), target)
