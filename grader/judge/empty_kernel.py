"""An empty kernel with the headers of a submission, to find whether a compile error is the submission's fault. Pure.

If the empty kernel does not compile, the machine or the rubric's flags are at fault. Only headers are included that
every working compiler accepts alone: with another one, such as <bits/stl_algo.h>, a submission could turn its own fault
into a grader error. For the same reason, the kernel with headers has more time than a submission.
"""

import re

from grader.model import Fault, Verdict

INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([\w./]+)[>"]', re.MULTILINE)
KNOWN = re.compile(
    r"""c?(?:assert|ctype|errno|fenv|float|inttypes|limits|locale|math|setjmp|signal|stdarg|stddef|stdint|stdio|stdlib
        |string|time|uchar|wchar|wctype)(?:\.h)?
    |algorithm|any|array|atomic|bitset|charconv|chrono|complex|condition_variable|deque|exception|filesystem|forward_list
    |fstream|functional|future|initializer_list|iomanip|ios|iosfwd|iostream|istream|iterator|list|map|memory|mutex|new
    |memory_resource|numeric|optional|ostream|queue|random|ratio|regex|set|shared_mutex|sstream|stack|stdexcept|streambuf
    |string_view|system_error|thread|tuple|type_traits|typeindex|typeinfo|unordered_(?:map|set)|utility|valarray|variant
    |vector|lab\.h|pthread\.h|sys/time\.h|unistd\.h
    |cooperative_groups(?:/[a-z]\w*)?\.h|cuda_(?:bf16|fp16|fp8|pipeline|runtime)\.h|mma\.h|nv/target
    |cuda/(?:std/)?[a-z]\w*|cub/(?:cub|(?:block|device|grid|iterator|thread|warp)/\w+)\.cuh|thrust/[a-z]\w*\.h""",
    re.VERBOSE,
)


def is_suspect(fault: Fault, content: bytes) -> bool:
    """Whether the machine may be at fault: the error has no line in the file, or its line is an #include."""
    lines = [b"", *content.splitlines()]
    directive = lines[fault.line] if fault.line and fault.line < len(lines) else b""
    return fault.verdict is Verdict.COMPILE_ERROR and (fault.line is None or INCLUDE.match(directive) is not None)


def headers(content: bytes, of_course: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return the headers of C++, CUDA and the course that a file includes, sorted: equal sets share a cache entry."""
    found = {name.decode() for name in INCLUDE.findall(content)}
    return tuple(sorted(name for name in found if KNOWN.fullmatch(name) or name in of_course))


def empty_kernel(included: tuple[str, ...], name: str) -> bytes:
    """Return the source of an empty kernel that includes those of these headers that the machine has."""
    lines = [f"#if __has_include(<{header}>)\n#include <{header}>\n#endif\n" for header in included]
    return f'{"".join(lines)}extern "C" __global__ void {name}() {{}}\n'.encode()
