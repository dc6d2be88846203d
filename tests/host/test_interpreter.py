"""Threads of a judge need not wait long for one that computes in Python."""

import gc
import subprocess
import sys

import pytest

from grader.cli import main
from grader.host import interpreter

COMMAND = """
import atexit, gc, sys
from grader.__main__ import main
atexit.register(lambda: print(gc.isenabled(), gc.get_freeze_count() > 0))
sys.argv = ["grade", "export", "--list"]
main()
"""


@pytest.fixture(autouse=True)
def default():
    """As Python begins, and as other tests expect it."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.005)
    yield
    sys.setswitchinterval(before)


def test_the_switch_interval_becomes_short():
    interpreter.shorten_switch_interval()
    assert sys.getswitchinterval() == pytest.approx(interpreter.SWITCH_SECONDS)


def test_a_command_that_judges_has_a_short_switch_interval(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["check", "--help"])
    assert "check" in capsys.readouterr().out
    assert sys.getswitchinterval() == pytest.approx(interpreter.SWITCH_SECONDS)


def test_what_was_loaded_before_collection_resumes_is_never_searched():
    interpreter.postpone_garbage_collection()
    assert not gc.isenabled()
    interpreter.resume_garbage_collection()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
    gc.unfreeze()


def test_collection_that_was_not_postponed_leaves_nothing_out():
    interpreter.resume_garbage_collection()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_a_command_collects_garbage_when_it_is_loaded():
    ended = subprocess.run([sys.executable, "-c", COMMAND], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "True True"


@pytest.mark.parametrize("before", [True, False])
def test_no_garbage_is_collected_in_between(*, before: bool):
    (gc.enable if before else gc.disable)()
    with interpreter.without_garbage_collection():
        assert not gc.isenabled()
    assert gc.isenabled() is before
    gc.enable()
