"""Compile a file with NVRTC: `python -I -S nvrtc_program.py LIBRARY FILE EXPRESSION OPTION...`, in the file's folder.

A program by itself because the library reads the files that a submission includes, and must be confined. It
writes compiled.ptx, compiled.cubin, compiled.log and, where there is an expression, compiled.name with the symbol
that the expression has. Exit status 1: the file does not compile; 2: the library refused to work.
"""

import ctypes
import sys

DONE, COMPILATION = 0, 6  # nvrtcResult
NOT_COMPILED, BROKEN = 1, 2


def main(path: str, file: str, expression: str, *options: str) -> int:
    """Return the exit status."""
    library = ctypes.CDLL(path)
    program = ctypes.c_void_p()
    with open(file, "rb") as source:  # noqa: PTH123 - pathlib takes as long to import as the rest
        text = source.read()
    status = library.nvrtcCreateProgram(ctypes.byref(program), text, file.encode(), 0, None, None)
    if status == DONE and expression:
        status = library.nvrtcAddNameExpression(program, expression.encode())
    if status != DONE:
        return BROKEN
    words = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    status = library.nvrtcCompileProgram(program, len(options), words)
    _write("compiled.log", _content(library, program, "ProgramLog").rstrip(b"\0"))
    if status != DONE:
        return NOT_COMPILED if status == COMPILATION else BROKEN
    _write("compiled.ptx", _content(library, program, "PTX").rstrip(b"\0"))
    _write("compiled.cubin", _content(library, program, "CUBIN"))
    if expression:
        name = ctypes.c_char_p()
        library.nvrtcGetLoweredName(program, expression.encode(), ctypes.byref(name))
        _write("compiled.name", name.value or b"")
    return 0


def _content(library: ctypes.CDLL, program: ctypes.c_void_p, what: str) -> bytes:
    size = ctypes.c_size_t()
    getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    getattr(library, f"nvrtcGet{what}")(program, buffer)
    return buffer.raw


def _write(name: str, content: bytes) -> None:
    with open(name, "wb") as file:  # noqa: PTH123 - as above
        file.write(content)


if __name__ == "__main__":
    sys.stdout.flush()
    raise SystemExit(main(*sys.argv[1:]))
