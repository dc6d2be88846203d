"""Object code of programs that tests write. They are translated each time, but LLVM compiles the same IR only once."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from grader.host import cache
from grader.ptxsim.engine import loaded_code, native
from grader.ptxsim.engine.native import Effort, ObjectStore


@contextmanager
def kept() -> Iterator[None]:
    """Let the grader's cache keep it; that of programs that have a box is kept as a submission's is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loaded_code, "compile_ir", _compiled)
        yield


def _compiled(text: str, effort: Effort, store: ObjectStore | None = None) -> bytes:
    if store is not None:
        return native.compile_ir(text, effort, store)
    place = f"{cache.key('IR of a test', text, effort.name, native.identity())}/object"
    made = cache.read(place)
    if made is None:
        made = native.compile_ir(text, effort)
        cache.write(place, made)
    return made
