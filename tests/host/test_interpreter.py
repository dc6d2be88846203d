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


def test_turns_become_short():
    interpreter.shorten_turns()
    assert sys.getswitchinterval() == pytest.approx(interpreter.TURN_SECONDS)


def test_a_command_that_judges_has_short_turns(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["check", "--help"])
    assert "check" in capsys.readouterr().out
    assert sys.getswitchinterval() == pytest.approx(interpreter.TURN_SECONDS)


def test_what_was_loaded_before_the_search_began_is_left_out_of_it():
    interpreter.put_off_garbage_collection()
    assert not gc.isenabled()
    interpreter.collect_garbage()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
    gc.unfreeze()


def test_a_search_that_was_not_put_off_leaves_nothing_out():
    interpreter.collect_garbage()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_a_command_searches_when_it_is_loaded():
    ended = subprocess.run([sys.executable, "-c", COMMAND], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "True True"


@pytest.mark.parametrize("before", [True, False])
def test_nothing_is_searched_for_in_between(*, before: bool):
    (gc.enable if before else gc.disable)()
    with interpreter.without_garbage_collection():
        assert not gc.isenabled()
    assert gc.isenabled() is before
    gc.enable()
