import re
from pathlib import Path

import pytest

from grader.worker.found import NotCompiledError
from grader.worker.frontend.includes import Included, in_messages, in_preprocessed, refuse_foreign, search_path
from tests.worker.frontend.desk import KERNEL, compiled, needs_confinement, needs_nvcc

SYSTEM = "usr/include"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """The root of a machine whose headers are partly links to other places, as on Debian 13; one goes in a circle."""
    for name in ("kernel/uapi/asm/types.h", "compiler/stddef.h", "private/notes.h", f"{SYSTEM}/math.h"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / SYSTEM / "asm").symlink_to("../../kernel/uapi/asm")
    (tmp_path / SYSTEM / "limits.h").symlink_to(tmp_path / "compiler/stddef.h")
    (tmp_path / SYSTEM / "circle").symlink_to(".")
    (tmp_path / SYSTEM / "round.h").symlink_to("round.h")
    return tmp_path


def include(name: str, machine: Path) -> None:
    refuse_foreign([Included(str(machine / name), 3)], machine, [SYSTEM])


@pytest.mark.parametrize(
    "name",
    [
        "kernel/uapi/asm/types.h",
        *(f"{SYSTEM}/{name}" for name in ("asm/types.h", "limits.h", "circle/circle/math.h", "round.h", "none.h")),
    ],
)
def test_a_header_is_where_the_search_path_leads_by_either_of_its_names(name: str, machine: Path) -> None:
    include(name, machine)


@pytest.mark.parametrize(
    "name",
    ["private/notes.h", f"{SYSTEM}/asm/../../../private/notes.h", "compiler/stddef.h", "usr/x.h"],
)
def test_what_the_search_path_does_not_lead_to_is_none(name: str, machine: Path) -> None:
    with pytest.raises(NotCompiledError, match=re.escape(str((machine / name).resolve()))) as caught:
        include(name, machine)
    assert caught.value.finding.line == 3


def test_a_compiler_tells_where_it_looks_for_headers() -> None:
    output = (
        'ignoring nonexistent directory "/usr/local/include"\n#include "..." search starts here:\n /quoted/\n'
        "#include <...> search starts here:\n /toolkit/bin/../include\n /usr/include\nEnd of search list.\n /usr/lib\n"
    )
    assert search_path(output) == ("/quoted", "/toolkit/bin/../include", "/usr/include")
    assert search_path("clang: error: unknown argument\n") == ()


def test_a_preprocessed_text_tells_which_line_asked_for_a_file() -> None:
    """With -g, it names the compiler's folder too, with "//"."""
    text = (
        b'# 0 "kernel.cu"\n# 1 "/tmp/box//"\n# 1 "<built-in>" 1\n# 1 "<command-line>" 2\n# 1 "kernel.cu"\nint a;\n'
        b'# 1 "/usr/include/math.h" 1 3 4\n# 27 "/usr/include/math.h" 3 4\n# 1 "/usr/include/bits/x.h" 1 3 4\n'
        b'# 28 "/usr/include/math.h" 2 3 4\n# 5 "kernel.cu" 2\n# 1 "kernel.cu" 1\n'
        b'# 1 "/etc/motd" 1\n# 3 "kernel.cu" 2\n'
    )
    assert in_preprocessed(text, "kernel.cu") == [
        Included("kernel.cu"),
        Included("/usr/include/math.h", 4),
        Included("/usr/include/bits/x.h"),
        Included("/etc/motd", 2),
    ]


def test_a_message_tells_which_line_asked_for_a_file() -> None:
    log = (
        "kernel.cu:2:1: warning: wrong\nIn file included from kernel.cu:3:\n/usr/bin/ldd:1:3: error: invalid\n"
        "In file included from /usr/include/a.h:9,\n                 from kernel.cu:4:\n/opt/b.h:1:1: error: wrong\n"
    )
    assert in_messages(log, "kernel.cu") == [
        Included("/usr/bin/ldd", 3),
        Included("/usr/include/a.h"),
        Included("/opt/b.h"),
    ]


@needs_nvcc
@needs_confinement
@pytest.mark.parametrize("flag", ["-g", "-G", "-Xcompiler=-ggdb3"])
def test_a_kernel_compiles_with_flags_for_a_debugger(flag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NVCC_APPEND_FLAGS", flag)
    assert compiled("#include <string>\n" + KERNEL).build.symbol == "matmul"
