"""A compiler reads nothing outside of its box and its toolchain, whatever the source text tries."""

from pathlib import Path

import pytest

from grader.errors import SubmissionError
from grader.host.confinement.mechanism import Confinement
from grader.host.stopped import Stopped
from grader.model import Limits
from grader.model.diagnostics import RefusedInclude
from grader.worker.frontend import compiling
from grader.worker.frontend.diagnostics import Failure, finding
from grader.worker.frontend.running import Compilation
from tests.worker.frontend.desk import KERNEL, needs_confinement, needs_nvcc
from tests.worker.frontend.desk import compiled_anew as compiled

MARK = "mark_4711"
WAYS = {
    "absolute": '#include "{path}"\n',
    "in angle brackets": "#include <{path}>\n",
    "relative": '#include "../../../../../../../../..{path}"\n',
    "by a macro": "#define TEXT(x) #x\n#define PATH(x) TEXT(x)\n#include PATH({path})\n",
    "by a pasted word": "#define FILE_ <{path}>\n#define inc(x) x\n#include inc(FILE_)\n",
    "on the device only": '#ifdef __CUDA_ARCH__\n#include "{path}"\n#endif\n',
    "and fails first": '#error first\n#include "{path}"\n',
    "when included itself": '#if __INCLUDE_LEVEL__\n#include "{path}"\n#else\n#include __FILE__\n#endif\n',
    "embedded": 'const unsigned char data[] = {{\n#embed "{path}"\n}};\n',
    "imported": '#import "{path}"\n',
    "assembled for the host": 'asm(".incbin \\"{path}\\"");\n',
    "assembled for the device": '__device__ void f() {{ asm(".incbin \\"{path}\\";"); }}\n',
    "as a dependency": '#pragma GCC dependency "{path}" read it\n',
    "asked for": '#if __has_include("{path}")\n#error it is there\n#endif\n',
}
MAY_COMPILE = {"assembled for the host", "assembled for the device"}  # nvcc drops the one, and maybe the unused other

pytestmark = [needs_nvcc, needs_confinement]


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    path = tmp_path / "outside.h"
    path.write_text(f"int {MARK} = ;\n")
    return path


@pytest.mark.parametrize("way", WAYS)
def test_a_file_outside_is_never_read(way: str, outside: Path) -> None:
    try:
        program = compiled(WAYS[way].format(path=outside) + KERNEL)
    except SubmissionError as error:
        said = f"{error.fault.sentence} {error.fault.detail}"
    else:
        assert way in MAY_COMPILE
        said = f"{program.ptx} {program.build.log} {program.cubin.decode('latin-1')}"
    assert MARK not in said


def test_an_include_of_a_file_outside_is_named(outside: Path) -> None:
    with pytest.raises(SubmissionError, match="is not a header that a kernel may use") as caught:
        compiled(f'#include "{outside}"\n' + KERNEL)
    assert str(outside) in caught.value.fault.sentence


@pytest.mark.parametrize(("way", "line"), [("absolute", 1), ("relative", 1), ("by a macro", 3), ("and fails first", 1)])
def test_unconfined_the_list_of_includes_is_checked(
    way: str, line: int, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "strongest", lambda: Confinement.NONE)
    with pytest.raises(SubmissionError) as caught:
        compiled(WAYS[way].format(path=outside) + KERNEL)
    assert MARK not in f"{caught.value.fault.sentence} {caught.value.fault.detail}"
    assert caught.value.fault.line == line


def test_a_line_directive_is_refused() -> None:
    with pytest.raises(SubmissionError, match="#line"):
        compiled('# line 1 "/etc/passwd"\n' + KERNEL)


def test_a_file_of_the_same_name_in_the_box_is_not_what_is_compiled(tmp_path: Path) -> None:
    (tmp_path / "kernel.cu").write_text("#error another file\n")
    assert compiled(KERNEL, name=str(tmp_path / "kernel.cu")).build.symbol == "matmul"


def test_a_name_that_a_shell_would_obey_is_only_a_name() -> None:
    assert compiled(KERNEL, name='$(touch x) "; x.cu').build.symbol == "matmul"


def test_the_compiler_does_not_get_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CPATH", "/etc")
    with pytest.raises(SubmissionError):
        compiled("#include <passwd>\n" + KERNEL)


SYSTEM_FILE = Path("/usr/lib/os-release")
PROGRAM = Path("/usr/bin/ldd")  # a script, whose first lines look like wrong directives


@pytest.mark.skipif(not SYSTEM_FILE.is_file(), reason=f"there is no {SYSTEM_FILE}")
@pytest.mark.parametrize(("way", "line"), [("absolute", 1), ("by a macro", 3), ("when included itself", 2)])
def test_a_readable_file_elsewhere_is_not_accepted_as_a_header(way: str, line: int) -> None:
    """The folders of the system's libraries are open to a compiler, and other software lies in them."""
    with pytest.raises(SubmissionError, match="is not a header that a kernel may use") as caught:
        compiled(WAYS[way].format(path=SYSTEM_FILE) + KERNEL)
    assert SYSTEM_FILE.read_text().splitlines()[0] not in caught.value.fault.detail
    assert caught.value.fault.line == line


@pytest.mark.skipif(not PROGRAM.is_file(), reason=f"there is no {PROGRAM}")
@pytest.mark.parametrize("start", ["", "../../../../../../../../../..", "kept/../../../../../../../../../.."])
def test_a_readable_file_that_the_preprocessor_gives_up_on_is_not_quoted(start: str) -> None:
    with pytest.raises(SubmissionError, match="is not a header that a kernel may use") as caught:
        compiled(f'#include "{start}{PROGRAM}"\n' + KERNEL)
    assert "#!" not in caught.value.fault.detail
    assert caught.value.fault.line == 1


@pytest.mark.parametrize("path", ["/proc/self/environ", "/proc/self/maps", "/dev/tty", "/dev/zero", "/usr", "/"])
def test_a_path_that_is_no_plain_file_is_not_read(path: str) -> None:
    with pytest.raises(SubmissionError) as caught:
        compiled(f'#include "{path}"\n' + KERNEL)
    assert "PATH=" not in caught.value.fault.detail


def test_a_file_that_includes_itself_twice_is_stopped_at_its_cpu_time() -> None:
    text = "#if __INCLUDE_LEVEL__ < 150\n#include __FILE__\n#include __FILE__\n#endif\n"
    with pytest.raises(SubmissionError, match="CPU time"):
        compiled(text + KERNEL, limits=Limits(compile_seconds=1.0))


def test_many_expensive_kernels_are_stopped_at_the_cpu_time_of_all_compilers_together() -> None:
    text = "".join(f"__global__ void k{i}(float *a) {{ a[0] = sinf(a[{i}]); }}\n" for i in range(3000))
    with pytest.raises(SubmissionError, match="CPU time"):
        compiled(text, limits=Limits(compile_seconds=1.0))


@pytest.mark.parametrize("reason", ["Permission denied", "No such file or directory"])
def test_a_file_of_the_machine_is_refused_alike_whether_it_is_hidden_or_locked(reason: str) -> None:
    log = f"kernel.cu:4:10: fatal error: /etc/passwd: {reason}\n"
    refused = finding(Failure(Compilation(1, Stopped.NO, 0.1, log)), "kernel.cu", Limits())
    assert refused == RefusedInclude("/etc/passwd", 4)


def test_a_header_that_does_not_exist_is_named_with_its_line() -> None:
    with pytest.raises(SubmissionError, match=r"mine\.h: No such file") as caught:
        compiled('#include "mine.h"\n' + KERNEL)
    assert caught.value.fault.line == 1
