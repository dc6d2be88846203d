from pathlib import Path

import pytest

from grader.contract.messages import Compile
from grader.host import toolkit
from grader.host.compilers import Nvrtc
from grader.host.confinement.mechanism import Confinement
from grader.model import Interface, Launch, Limits, Verdict
from grader.worker.frontend import compiling
from grader.worker.frontend.compiling import compile_ptx
from tests.worker.frontend.desk import KERNEL, LIMITS, compiled, refused

LIBRARY = toolkit.find_nvrtc()
FOUR = ("pointer", "pointer", "pointer", "integer")

pytestmark = pytest.mark.skipif(LIBRARY is None, reason="the wheel nvidia-cuda-nvrtc is not installed")


@pytest.fixture(autouse=True)
def only_nvrtc(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = Nvrtc(LIBRARY or Path(), "13")
    monkeypatch.setattr(compiling, "find_compiler", lambda *_: compiler)


@pytest.mark.parametrize(
    "text",
    [
        KERNEL,
        KERNEL.replace('extern "C"', ""),
        KERNEL.replace("matmul", "other"),
        "#include <cuda_runtime.h>\n#include <cstdio>\n" + KERNEL.replace("int i", 'printf("%d", N); int i'),
        "#define lab_probe 3\n" + KERNEL + "#define T 16\n#define kind 3\n",
        "__constant__ int first[2];\n" + KERNEL,
    ],
)
def test_it_makes_ptx_and_knows_the_parameters(text: str) -> None:
    program = compiled("#include <lab.h>\n" + text + "LAUNCH(.block = {32});\n")
    assert program.build.parameters == FOUR
    assert program.build.launch is not None
    assert program.build.ptx_facts
    assert program.build.ptx_facts.registers > 0
    assert program.ptx.count(".entry") == 1


@pytest.mark.parametrize("text", ["int main() { return 0; }\n" + KERNEL, KERNEL.replace("A[i]", "a[i]")])
def test_a_file_that_nvrtc_refuses_may_be_accepted_by_nvcc(text: str) -> None:
    fault = refused(text)
    assert fault.verdict is Verdict.NOT_SUPPORTED
    assert "NVRTC" in fault.sentence


def test_a_file_outside_is_not_read() -> None:
    fault = refused('#include "/etc/passwd"\n' + KERNEL)
    assert "not a header that a kernel may use" in fault.sentence
    assert "root:" not in fault.detail


@pytest.mark.parametrize("way", ['"{path}"', '"../../../../../../../../../..{path}"'])
def test_a_file_that_is_no_header_is_not_quoted(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "strongest", lambda: Confinement.NONE)
    (tmp_path / "outside.h").write_text("int secret = ;\n")
    fault = refused(f"#include {way.format(path=tmp_path / 'outside.h')}\n{KERNEL}")
    assert "not a header that a kernel may use" in fault.sentence
    assert "secret" not in fault.detail


def test_a_file_outside_whose_code_is_compiled_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "strongest", lambda: Confinement.NONE)
    (tmp_path / "outside.h").write_text("__device__ int more(int i) { return i * i + 1; }\n")
    text = KERNEL.replace("i < N", "more(i) < N")
    assert "not a header" in refused(f'#include "{tmp_path / "outside.h"}"\n{text}').sentence


def test_its_cpu_time_is_limited() -> None:
    twice = "template <int A, int B> struct T : T<A - 1, B>, T<A - 1, B + (1 << A)> {};\n"
    last = "template <int B> struct T<0, B> {};\n__device__ T<22, 0> many;\n"
    assert "CPU time" in refused(twice + last + KERNEL, limits=Limits(compile_seconds=1.0)).sentence


def test_a_launch_needs_no_header_and_no_order() -> None:
    assert compiled(KERNEL + "LAUNCH(.tile = {4, 2}, .block = {8});").build.launch == Launch((8, 1, 1), (4, 2))


def test_a_template_gets_the_instance_of_the_lab(tmp_path: Path) -> None:
    template = (
        "template <int TILE> __global__ void matmul(float *A, float *B, float *C, int N) { *C = *A * *B * TILE; }"
    )
    interface = Interface("matmul", ("A", "B", "C", "N"), template="16")
    program = compile_ptx(template.encode(), Compile("kernel.cu", "", interface, ("-O3",), LIMITS), tmp_path)
    assert (program.build.symbol, program.build.parameters) == (
        "_Z6matmulILi16EEvPfS0_S0_i",
        ("pointer", "pointer", "pointer", "integer"),
    )
