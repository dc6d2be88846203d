"""The instance of a kernel template that a lab launches. Pure."""

from __future__ import annotations

import re

VALUES = re.compile(r"\((?:unsigned |signed |long |short )*(?:int|bool|char|long)\)|(?<=\d)[uUlL]+\b|\s")
NAMESPACE = re.compile(rb"\bnamespace\s{1,99}([A-Za-z_][\w:]{0,99})\s{0,99}\{|[{}]")
BOOLEANS = {"true": "1", "false": "0"}


def is_template(content: bytes, name: str) -> bool:
    """Whether the file has a kernel template of that name."""
    return _template(content, name) is not None


def scope(content: bytes, name: str) -> str:
    """Return the namespaces of the file's kernel template of that name, each with `::` behind it."""
    found, around = _template(content, name), list[bytes | None]()
    for brace in NAMESPACE.finditer(content, 0, found.start() if found else 0):
        if brace[0] != b"}":
            around.append(brace[1])
        elif around:
            around.pop()
    return "".join(f"{each.decode()}::" for each in around if each)


def _template(content: bytes, name: str) -> re.Match[bytes] | None:
    pattern = (
        rf"\btemplate\s{{0,99}}<[^;{{}}]{{0,400}}>[^;{{}}]{{0,300}}__global__[^;{{}}]{{0,300}}?\b{name}\s{{0,99}}\("
    )
    return re.search(pattern.encode(), content)


def with_instance(content: bytes, kernel: str) -> bytes:
    """Return the file with a line behind it that uses the kernel, if there is one, as a launch would."""
    if not kernel:
        return content
    return content + f"\nnamespace __lab_scope {{ void *__lab_instance = (void *)&{kernel}; }}\n".encode()


def same_arguments(name: str, arguments: str) -> bool:
    """Whether a demangled name, `matmul<32, (bool)1>`, has these template arguments: `32, true`."""
    return _plain(name.partition("<")[2].removesuffix(">")) == _plain(arguments)


def _plain(arguments: str) -> list[str]:
    return [BOOLEANS.get(each, each) for each in VALUES.sub("", arguments).split(",")]
