"""Signals that end a command, sent to a process that only waits."""

import signal
import subprocess
import sys
from collections.abc import Sequence

from tests.desk import PATIENCE, heed_signals

READY = r'sys.stdout.write("ready\n"); sys.stdout.flush()'
WAITS = """
import gc, signal, sys, time
from grader.host import interrupts
interrupts.handle()
try:
    {first}
    time.sleep(60)
except KeyboardInterrupt:
    print("ending", flush=True)
    sys.stdin.readline()
    print("ended")
"""
# The interrupt comes while a callback of garbage collection runs, from which Python passes no exception on.
IN_A_CALLBACK = """
    def interrupt(phase, _):
        gc.callbacks.clear()
        signal.raise_signal(signal.SIGTERM)
    gc.callbacks.append(interrupt)
    gc.collect()
"""


def start(program: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_signals,  # noqa: PLW1509 - the tests start no threads
    )


def output_after(program: str, numbers: Sequence[signal.Signals]) -> tuple[str, str]:
    """Send the signals as soon as the program waits, the later ones as soon as it begins to end."""
    process = start(program)
    assert process.stdout
    lines = []
    for number in numbers:
        lines.append(process.stdout.readline())
        process.send_signal(number)
    stdout, stderr = process.communicate(timeout=PATIENCE)
    return "".join(lines) + stdout, stderr


def test_a_second_signal_does_not_interrupt_the_ending():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        assert output_after(WAITS.format(first=READY), (number, signal.SIGINT)) == ("ready\nending\nended\n", "")


def test_an_interrupt_that_python_loses_in_a_callback_is_repeated():
    assert output_after(WAITS.format(first=IN_A_CALLBACK), ()) == ("ending\nended\n", "")


def test_a_signal_that_the_process_was_started_to_ignore_stays_ignored():
    process = start(f"import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n{WAITS.format(first=READY)}")
    process.stdout.readline()
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    stdout, _ = process.communicate(timeout=PATIENCE)
    assert stdout == "ending\nended\n"
