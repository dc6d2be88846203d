"""Signals before a command has begun."""

import signal
import subprocess
import sys

import pytest

LOADING = """
import os, signal, sys
from grader import cli

signal.signal(signal.{signal}, signal.default_int_handler if signal.{signal} == signal.SIGINT else signal.SIG_DFL)

class Terminates:
    def find_spec(self, name, *_):
        if name == "grader.cli.grading":
            os.kill(os.getpid(), signal.{signal})

sys.meta_path.insert(0, Terminates())
cli.main(["run", "x.cu"], prog_name="grade")
"""

RAISING = """
def raising(*_):
    raise KeyboardInterrupt
"""

IN_A_CLASS = """
            class Descriptor:
                def __set_name__(self, *_):
                    os.kill(os.getpid(), signal.{signal})

            class Owner:
                attribute = Descriptor()
"""


EARLY = 130, "Interrupted before anything was done.\n"


def ended(code: str, name: str = "SIGTERM") -> tuple[int, str]:
    line = [sys.executable, "-c", f"{RAISING}{code.replace('{signal}', name)}"]
    process = subprocess.run(line, capture_output=True, text=True, check=False)
    return process.returncode, process.stderr


@pytest.mark.parametrize("module", ["grading", "early_start"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_while_modules_are_loaded_is_an_interrupt_with_a_message(name: str, module: str):
    assert ended(LOADING.replace("grader.cli.grading", f"grader.cli.{module}"), name) == EARLY


def test_an_interrupt_while_a_class_is_defined_is_an_interrupt_too():
    """Python 3.11 raises a RuntimeError in its place."""
    assert ended(LOADING.replace("            os.kill(os.getpid(), signal.{signal})", IN_A_CLASS)) == EARLY


def test_an_interrupt_between_loading_a_command_and_running_it_is_no_failed_submission():
    runs = "from grader.cli import checking\nchecking.check.invoke = raising"
    code = LOADING.replace("sys.meta_path.insert(0, Terminates())", runs)
    assert ended(code.replace('cli.main(["run"', 'cli.main(["check"')) == (130, "Interrupted.\n")


def test_an_interrupt_while_a_remembered_check_is_looked_for_is_one_too():
    assert ended(LOADING.replace("sys.meta_path.insert(0, Terminates())", "cli.remembered.begin = raising")) == EARLY


def test_an_interrupt_before_the_command_handles_any_ends_it_without_a_traceback():
    code = LOADING.replace("from grader import cli", "from grader.__main__ import main")
    code = code.replace("grader.cli.grading", "click").replace('cli.main(["run", "x.cu"], prog_name="grade")', "main()")
    assert ended(code, "SIGINT") == (-signal.SIGINT, "")
