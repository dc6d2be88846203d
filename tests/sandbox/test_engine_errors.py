import pytest

from grader.sandbox.engine_errors import SHOWN, explain

CONNECTING = "Error while fetching server API version: ('Connection aborted.', {})"


@pytest.mark.parametrize(
    ("text", "sentence", "hint"),
    [
        ('could not select device driver "" with capabilities: [[gpu]]', "cannot provide a GPU", "nvidia-ctk"),
        ("failed to inject CDI devices: unresolvable CDI devices nvidia.com/gpu=7", "cannot provide a GPU", "Toolkit"),
        ("nvidia-container-cli: device error: GPU-7: unknown device: unknown", "cannot provide a GPU", "Toolkit"),
        (
            "nvidia-container-cli: initialization error: nvml error: driver not loaded",
            "no access to its GPU",
            "nvidia-smi",
        ),
        ("Failed to initialize NVML: Unknown Error", "no access to its GPU", "cgroupfs"),
        (CONNECTING.format("FileNotFoundError(2, 'No such file or directory')"), "does not answer", "DOCKER_HOST"),
        (CONNECTING.format("ConnectionRefusedError(111, 'Connection refused')"), "does not answer", "systemctl"),
        (CONNECTING.format("PermissionError(13, 'Permission denied')"), "may not use", "group docker"),
        ("UnixHTTPConnectionPool(host='localhost'): Read timed out.", "does not answer", "systemctl"),
        ('invalid mount config for type "bind": bind source path does not exist: /tmp/grade-1', "the box", "TMPDIR"),
        ("No such container: grade-1", "stopped from outside", "again"),
    ],
)
def test_a_refusal_says_what_to_do(text: str, sentence: str, hint: str) -> None:
    fault = explain(text)
    assert sentence in fault.sentence
    assert hint in fault.hint


def test_an_unknown_error_is_quoted_in_part() -> None:
    fault = explain("the moon is full " + "x" * 1000)
    assert fault.sentence.startswith("The container engine reports: the moon is full")
    assert len(fault.sentence) < SHOWN + 50
