"""Signals while processes start."""

import signal
import subprocess
import sys

import pytest

from grader.host.interrupts import postponed

BLOCKS = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))"


def test_a_process_that_starts_meanwhile_never_receives_ctrl_c():
    with postponed():
        started = subprocess.run([sys.executable, "-c", BLOCKS], capture_output=True, text=True, check=True)
    assert started.stdout == "True\n"
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.fixture
def interruptible():
    """Let Ctrl-C interrupt this process: a job in the background of a shell ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_waits_for_the_end_of_the_block():
    reached: list[str] = []

    def interrupted() -> None:
        with postponed():
            signal.raise_signal(signal.SIGINT)
            reached.append("the end")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert reached
