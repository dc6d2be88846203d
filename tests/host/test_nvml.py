"""NVML is initialized and shut down in one place, which turns its errors into sentences."""

import sys
from types import ModuleType

import pytest

from grader.errors import InfrastructureError
from grader.host import nvml


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The calls to a fake binding with two GPUs, each with the index or UUID of the requested GPU."""
    binding, made = ModuleType("pynvml"), list[str]()
    functions = {
        "NVMLError": type("NVMLError", (Exception,), {}),
        "nvmlInit": lambda: made.append("init"),
        "nvmlShutdown": lambda: made.append("shutdown"),
        "nvmlDeviceGetCount": lambda: 2,
        "nvmlDeviceGetHandleByIndex": lambda number: number,
        "nvmlDeviceGetHandleByUUID": lambda name: name,
        "nvmlDeviceGetUUID": lambda handle: f"uuid of {handle}",
    }
    for name, function in functions.items():
        setattr(binding, name, function)
    monkeypatch.setitem(sys.modules, "pynvml", binding)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    return made


def test_a_session_ends_with_its_block(calls: list[str]) -> None:
    with nvml.session():
        assert calls == ["init"]
    assert calls == ["init", "shutdown"]


def test_an_error_of_nvml_is_a_grader_error_and_the_session_ends(calls: list[str]) -> None:
    with pytest.raises(InfrastructureError, match="does not answer: lost") as caught, nvml.session() as library:
        raise library.NVMLError("lost")
    assert "restart the machine" in caught.value.hint  # the driver's library may be of another version
    assert calls == ["init", "shutdown"]


def test_a_missing_binding_is_a_grader_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", None)
    with pytest.raises(InfrastructureError, match="nvidia-ml-py is not installed"), nvml.session():
        pass


@pytest.mark.usefixtures("calls")
@pytest.mark.parametrize(
    ("visible", "first", "every"),
    [("", "uuid of 0", ("0", "1")), ("1,0", "uuid of 1", ("1", "0")), (" GPU-7 ", "uuid of GPU-7", ("GPU-7",))],
)
def test_cuda_visible_devices_names_the_gpus(
    monkeypatch: pytest.MonkeyPatch, visible: str, first: str, every: tuple[str, ...]
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert nvml.gpu_id() == first
    assert nvml.visible_gpus() == every
