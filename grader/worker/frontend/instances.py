"""The instance of a kernel template that a lab launches. Pure."""

from __future__ import annotations

import re

VALUES = re.compile(r"\((?:unsigned |signed |long |short )*(?:int|bool|char|long)\)|(?<=\d)[uUlL]+\b|\s")
BOOLEANS = {"true": "1", "false": "0"}


def is_template(content: bytes, name: str) -> bool:
    """Whether the file has a kernel template of that name."""
    pattern = (
        rf"\btemplate\s{{0,99}}<[^;{{}}]{{0,400}}>[^;{{}}]{{0,300}}__global__[^;{{}}]{{0,300}}?\b{name}\s{{0,99}}\("
    )
    return re.search(pattern.encode(), content) is not None


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
