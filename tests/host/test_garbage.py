from __future__ import annotations

import gc
import subprocess
import sys

from grader.host import garbage

COMMAND = """
import atexit, gc, sys
from grader.__main__ import main
atexit.register(lambda: print(gc.isenabled(), gc.get_freeze_count() > 0))
sys.argv = ["grade", "export", "--list"]
main()
"""


def test_what_was_loaded_before_the_search_began_is_left_out_of_it():
    garbage.put_off()
    assert not gc.isenabled()
    garbage.begin()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
    gc.unfreeze()


def test_a_search_that_was_not_put_off_leaves_nothing_out():
    garbage.begin()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_a_command_searches_when_it_is_loaded():
    ended = subprocess.run([sys.executable, "-c", COMMAND], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "True True"
