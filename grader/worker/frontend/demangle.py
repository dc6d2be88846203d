"""Names of C++ from mangled symbols, by the function of the C++ library."""

from __future__ import annotations

import ctypes
import functools

from grader.errors import InfrastructureError

LIBRARY = "libstdc++.so.6"
LONGEST = 1 << 16  # bytes; a name that is longer stays as it is


def demangle(symbol: str) -> str:
    """`_Z6matmulPKfi` -> `matmul(float const*, int)`; other text stays as it is."""
    if not symbol.startswith("_Z") or len(symbol) > LONGEST:
        return symbol
    status = ctypes.c_int()
    library = _library()
    text = library.__cxa_demangle(symbol.encode(), None, None, ctypes.byref(status))
    if not text:
        return symbol
    try:
        return ctypes.string_at(text).decode("utf-8", "replace")
    finally:
        ctypes.CDLL(None).free(ctypes.c_void_p(text))


@functools.cache
def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(LIBRARY)
    except OSError as error:
        raise InfrastructureError(f"{LIBRARY}, the C++ library, is not installed", "Install g++.") from error
    library.__cxa_demangle.restype = ctypes.c_void_p
    return library
