"""Reports written in the background, by a process if they have figures."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import psutil
import pytest

from grader.errors import InfrastructureError
from grader.host.interrupts import INTERRUPTS
from grader.model import Report
from grader.report import background
from grader.report.all_formats import FORMATS, rendered, write_all
from tests.report import pages

WRITES_UNTIL_KILLED = """
import os, time
from grader.report import background
with background.report_saver(print, print, draws=True):
    import multiprocessing
    print(multiprocessing.active_children()[0].pid, flush=True)
    time.sleep(60)
"""


render = partial(rendered, content=pages.kernel())


def into(folder: Path) -> partial[None]:
    return partial(write_all, folder=folder)


def process() -> psutil.Process:
    (child,) = active_children()
    return psutil.Process(child.pid)


@pytest.mark.parametrize("draws", [True, False])
def test_a_folder_that_cannot_be_written_is_a_grader_error(draws: bool, tmp_path: Path):
    with background.report_saver(render, into(tmp_path / "missing"), draws=draws) as saver:
        finish = saver.begin(pages.graded())
        with pytest.raises(InfrastructureError, match="could not be written") as raised:
            finish()
    assert raised.value.hint


@pytest.mark.parametrize("draws", [True, False])
def test_a_report_that_was_drawn_is_written_when_it_is_saved_and_not_before_even_after_interrupts(
    draws: bool, tmp_path: Path
):
    report = pages.graded()
    with background.report_saver(render, into(tmp_path), draws=draws) as saver:
        saver.draw(report)
        for number in INTERRUPTS if draws else ():
            process().send_signal(number)
        assert not list(tmp_path.iterdir())
        saver.begin(report)()
    assert {path.name for path in tmp_path.iterdir()} == set(FORMATS)
    assert "<svg" in (tmp_path / "report.html").read_text()
    assert (tmp_path / "report.json").read_text() == render(report)["report.json"]


def test_the_process_ends_when_the_grader_is_killed():
    with subprocess.Popen([sys.executable, "-c", WRITES_UNTIL_KILLED], stdout=subprocess.PIPE, text=True) as grader:
        child = psutil.Process(int(grader.stdout.readline()))
        grader.kill()
    child.wait(30)


def die_once(flag: Path, written: Path) -> None:
    if not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    written.touch()


def die_or_render(flag: Path, report: Report) -> dict[str, str]:
    die_once(flag, flag)
    return render(report)


def test_a_report_that_a_killed_process_was_to_draw_is_written_all_the_same(tmp_path: Path):
    with background.report_saver(partial(die_or_render, tmp_path / "killed"), into(tmp_path), draws=True) as saver:
        saver.begin(pages.graded())()
    assert (tmp_path / "report.html").exists()


def test_what_a_killed_process_was_to_save_of_a_class_is_saved_all_the_same(tmp_path: Path):
    """The other processes are there, and wait for reports."""
    flag, names = tmp_path / "killed", [tmp_path / str(number) for number in range(4)]
    with background.class_saver(draws=True) as save:
        for finish in [save(partial(time.sleep, 0.2)) for _ in range(background.MOST_AT_ONCE)]:
            finish()
        for finish in [save(partial(die_once, flag, name)) for name in names]:
            finish()
    assert all(name.exists() for name in (flag, *names))
    assert not active_children()


@pytest.mark.parametrize("draws", [True, False])
def test_a_report_of_a_class_that_cannot_be_written_is_a_grader_error(draws: bool, tmp_path: Path):
    texts = render(pages.graded())
    with background.class_saver(draws=draws) as save, pytest.raises(InfrastructureError, match="could not be written"):
        save(partial(write_all, texts, tmp_path / "missing"))()
