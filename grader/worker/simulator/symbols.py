"""What an object made of a submission defines and needs: its kernels, its shared arrays, the functions it calls."""

from __future__ import annotations

import re
from pathlib import Path

from grader.host import process
from grader.host.cxx_compiler import environment
from grader.worker.simulator.elf import FUNCTION, THREAD_LOCAL, Symbol, read_symbols
from grader.worker.simulator.runtime_build import RUNTIME_OBJECTS
from grader.worker.simulator.source import line_of, not_supported

# Functions of the C library that device code has as well, and what compilers call on their own.
_MEMORY = "malloc|free|mem(?:cpy|set|move|cmp|chr)|str(?:len|cmp|ncmp|cpy|ncpy|cat|chr)|abs|labs|llabs"
_MATH = (
    "a?(?:sin|cos|tan)h?|atan2|a(?:sin|cos|tan)h|exp|exp2|exp10|expm1|log|log2|log10|log1p|logb|ilogb|pow|sqrt|cbrt|hypot|"
    "floor|ceil|trunc|round|rint|nearbyint|l?lrint|l?lround|fmod|remainder|remquo|fma|fmax|fmin|fdim|fabs|"
    "copysign|nextafter|ldexp|frexp|scalbn|scalbln|modf|erf|erfc|tgamma|lgamma|sincos|j0|j1|jn|y0|y1|yn|nan"
)
_COMPILER = (
    r"_GLOBAL_OFFSET_TABLE_|__dso_handle|__cxa_(?:atexit|guard_\w+|pure_virtual|throw_bad_array_new_length)|"
    r"__gxx_personality_v0|_Unwind_Resume|__stack_chk_\w+|__tls_get_addr|_ZT[VIS]\w*|_ZTH\w+|__(?:div|mul|u?mod)\w+|__popcount\w+|"
    r"_Z(?:nw|na)[mj]\w*|_Z(?:dl|da)Pv\w*|_ZSt7nothrow|_ZNSt8ios_base4Init[CD]1Ev|__clang_call_terminate|_ZSt9terminatev"
)
_ALLOWED = re.compile(rf"(?:{_MEMORY}|(?:__)?(?:{_MATH})[fl]?(?:_finite)?|{_COMPILER})\Z")


def dynamic_shared(symbols: tuple[Symbol, ...]) -> tuple[str, ...]:
    """Return the names of `extern __shared__` arrays: thread-local variables that nobody defines."""
    return tuple(
        sorted(
            {symbol.name for symbol in symbols if symbol.undefined and symbol.kind == THREAD_LOCAL}
            - {"threadIdx", "blockIdx"}
        )
    )


def check_calls(symbols: tuple[Symbol, ...], box: Path, bare: str) -> None:
    """Make sure that the object needs only the runtime, mathematics and memory.

    Raises:
        SubmissionError: it calls something else, or defines `main`.

    """
    ours = {
        symbol.name for name in RUNTIME_OBJECTS for symbol in read_symbols(box / f"{name}.o") if not symbol.undefined
    }
    needed = {symbol.name for symbol in symbols if symbol.undefined and symbol.kind != THREAD_LOCAL}
    foreign = sorted(name for name in needed - ours if not _ALLOWED.match(name))
    if foreign:
        called = demangle(tuple(foreign), box)[0].split("(")[0]
        base = re.split(r"::|<| ", called)[-1]
        place = re.search(rf"\b{re.escape(base)}\s*\(", bare) if base else None
        raise not_supported(f"The kernel calls {called}", line_of(bare, place.start()) if place else None)
    if any(symbol.name == "main" and not symbol.undefined for symbol in symbols):
        place = re.search(r"\bmain\s*\(", bare)
        raise not_supported("The file has a main function", line_of(bare, place.start()) if place else None)


def kernels(symbols: tuple[Symbol, ...], box: Path) -> tuple[str, ...]:
    """Return the kernels as expressions that name them in C++, such as `matmul` or `lab::matmul<16>`."""
    visible = sorted(s.name for s in symbols if s.kind == FUNCTION and s.visible and not s.undefined and not s.local)
    return tuple(_expression(text) for text in demangle(tuple(visible), box))


def demangle(names: tuple[str, ...], box: Path) -> tuple[str, ...]:
    """Return the names as C++ spells them."""
    if not names:
        return ()
    ended = process.run(["c++filt", *names], cwd=box, seconds=20, env=environment(box))
    lines = ended.text.splitlines()
    return tuple(lines) if ended.code == 0 and len(lines) == len(names) else names


def _expression(demangled: str) -> str:
    """`void lab::matmul<16>(float const*, int)` -> `lab::matmul<16>`."""
    depth, end = 0, len(demangled)
    for at, letter in enumerate(demangled):
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if letter == "(" and depth == 0:
            end = at
            break
    return demangled[:end].removeprefix("void ")
