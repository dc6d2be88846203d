"""Programs that attack the simulator, in a process of their own: `tests/benchmarks/fuzz_ptx.py` has many more."""

import subprocess
import sys
from pathlib import Path

from tests.ptxsim import hostile, object_code

ROOT = Path(__file__).parents[2]
RANDOM, CHANGED = 60, 121  # with those of HOLES, 200
ALLOWED = ("ran", "fault ", "time limit", "no kernel", "UnsupportedError", "MalformedError")


def test_no_program_leaves_its_memory_or_ends_the_process() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", "tests.ptxsim.test_fuzz"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, (done.stdout[-500:], done.stderr[-2000:])


def say(kind: str, number: int) -> None:
    sys.stdout.write(f"{kind} {number}\n")
    sys.stdout.flush()


def main() -> None:
    """Run the programs; the number of the last one printed is that of the program which ended the process."""
    for number, (text, wanted) in enumerate(hostile.HOLES.items()):
        say("hole", number)
        ended = hostile.attempt(text, (32, 1, 1))
        assert ended == wanted, (number, ended)
    for number in range(RANDOM):
        say("random", number)
        assert hostile.attempt(hostile.grammar(number)).startswith(ALLOWED)
    for number in range(CHANGED):
        say("changed", number)
        assert hostile.attempt(hostile.mutated(hostile.grammar(number), number)).startswith(ALLOWED)


if __name__ == "__main__":
    with object_code.kept():
        main()
