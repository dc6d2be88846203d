"""`make grade` in a new clone: what it says while it makes .venv."""

import importlib.util
import sys
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def environment() -> ModuleType:
    spec = importlib.util.spec_from_file_location("environment", ROOT / ".ci" / "environment.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["environment"] = module
    spec.loader.exec_module(module)
    return module


def said(environment: ModuleType, *steps: object) -> tuple[int, list[str]]:
    """The exit status and the lines, with a clock that advances by eleven seconds at each reading."""
    lines: list[str] = []
    ticks = count(0, 11)
    status = environment.run(steps, lines.append, lambda: float(next(ticks)))
    return status, lines


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


def test_every_step_says_what_it_is_and_how_long_is_left_at_the_pace_so_far(environment: ModuleType) -> None:
    first = environment.Step("creating .venv", 5, python("pass"))
    second = environment.Step("installing packages", 60, python("print('Collecting a\\nCollecting b')"), 3)
    status, lines = said(environment, first, second)
    assert status == 0
    assert lines == [
        "Setting up .venv, once: 2 steps, about 70 s.",
        "[1/2] creating .venv; about 70 s left",
        "      done in 22 s",
        "[2/2] installing packages; about 9 minutes left",
        "      1 of at most 3 packages fetched",
        "      2 of at most 3 packages fetched",
        "      done in 66 s",
    ]


def test_a_step_that_fails_ends_it_with_its_last_lines_and_what_to_try(environment: ModuleType) -> None:
    broken = environment.Step("breaking", 5, python("print('refused'); raise SystemExit(7)"), 3)
    status, lines = said(environment, broken, environment.Step("never", 5, python("pass")))
    assert status == 7
    assert lines[-2:] == ["refused", f"That failed, and the lines above say why.{environment.NETWORK}"]


def test_an_optional_step_that_fails_says_what_that_means(environment: ModuleType) -> None:
    status, lines = said(environment, environment.Step("breaking", 5, python("raise SystemExit(7)"), 0, "No GPU then."))
    assert (status, lines[-1].strip()) == (0, "No GPU then.")


def test_the_steps_are_those_of_this_machine(environment: ModuleType) -> None:
    words = [step.words for step in environment.steps(["--compiler", "--cuda"], ROOT)]
    assert len(words) == 5
    assert "EULA" in words[3]
    assert [step.packages > 20 for step in environment.steps([], ROOT)] == [False, True, False]


@pytest.mark.parametrize("extra", ["cuda", "cuda12"])
def test_the_libraries_are_those_that_fit_the_gpu_and_its_driver(extra: str, environment: ModuleType) -> None:
    last = environment.steps(["--cuda"], ROOT, extra)[-1]
    assert f"requirements-{extra}.lock" in last.command
    assert last.packages > 20


def test_nothing_is_installed_for_a_gpu_that_no_libraries_fit(environment: ModuleType) -> None:
    assert environment.steps(["--cuda"], ROOT, "") == environment.steps([], ROOT)


@pytest.mark.parametrize(("seconds", "words"), [(5, "10 s"), (70, "70 s"), (90, "2 minutes"), (225, "4 minutes")])
def test_durations_are_rounded_up(environment: ModuleType, seconds: int, words: str) -> None:
    assert environment.duration(seconds) == words


@pytest.mark.parametrize(
    ("glibc", "lock"), [("2.36", ""), ("2.41", ""), ("2.42", "-newest"), ("2.43", "-newest"), ("", "")]
)
def test_a_system_with_newer_headers_gets_a_newer_compiler(environment: ModuleType, glibc: str, lock: str) -> None:
    assert environment.compiler_lock(glibc) == f"requirements-compiler{lock}.lock"
    assert (ROOT / f"requirements-compiler{lock}.lock").exists()
