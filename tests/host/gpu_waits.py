"""Whether a command would wait for a GPU."""

from contextlib import suppress

from grader.host.gpu_lock import GpuLock


def refuse() -> None:
    raise BlockingIOError


def may_check(gpu: GpuLock) -> bool:
    """Whether a grade that begins now checks at once."""
    with suppress(BlockingIOError):
        gpu.until_shared(refuse)
        return True
    return False
