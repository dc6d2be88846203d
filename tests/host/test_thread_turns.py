"""Threads of a judge need not wait long for one that computes in Python."""

from __future__ import annotations

import sys

import pytest

from grader.cli import main
from grader.host import thread_turns


@pytest.fixture(autouse=True)
def default():
    """As Python begins, and as other tests expect it."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.005)
    yield
    sys.setswitchinterval(before)


def test_turns_become_short():
    thread_turns.shorten()
    assert sys.getswitchinterval() == pytest.approx(thread_turns.SECONDS)


def test_a_command_that_judges_has_short_turns(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["check", "--help"])
    assert "check" in capsys.readouterr().out
    assert sys.getswitchinterval() == pytest.approx(thread_turns.SECONDS)
