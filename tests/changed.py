"""The tests of what differs from the last commit, for `make test-changed`. It prints their paths.

A test belongs to a module that it or a helper in its folder imports, to a module of its name, and to a file that it
mentions. A module that no test imports has those of the folder in `tests/` that mirrors its own. What breaks elsewhere
is found by `make test`.
"""

import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = Path("tests")
SUBMISSIONS = TESTS / "submissions"
ALWAYS = ("tests/test_architecture.py", "tests/test_words.py")
COMMANDS = (("git", "diff", "--name-only", "HEAD"), ("git", "ls-files", "--others", "--exclude-standard"))


def changed() -> list[Path]:
    """The files that differ from the last commit, or are new."""
    texts = [subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout for words in COMMANDS]
    return [Path(line) for text in texts for line in text.splitlines()]


def touched_by(paths: Iterable[Path]) -> list[str]:
    """The tests of some files, and a few of everything."""
    return sorted({*ALWAYS, *(test for path in paths for test in _touched_by(path))})


def _touched_by(path: Path) -> list[str]:
    match path:
        case Path(suffix=".cu" | ".diff") if path.is_relative_to(SUBMISSIONS):
            return _of_submission(ROOT / path)
        case Path(name="conftest.py"):
            return [str(path.parent)]
        case Path(suffix=".py") if path.name.startswith("test_"):
            return [str(path)] if (ROOT / path).exists() else []
        case Path(suffix=".py"):
            by_name = (str(test) for test in _texts() if test.name == f"test_{path.stem}.py")
            return [*by_name, *(_naming(_import_of(path)) or [str(_mirror(path))])]
        case _:
            return _naming(re.compile(rf"\b{re.escape(path.stem)}\b"))


def _of_submission(path: Path) -> list[str]:
    """The tests of a submission, and of those that hold changes of it."""
    from tests.corpus import origins, submissions
    from tests.test_corpus import name

    test = "tests/test_corpus.py::test_a_submission_gets_its_verdict_on_the_simulator"
    return [f"{test}[{name(each)}]" for each in submissions() if path in origins(each)]


def _mirror(module: Path) -> Path:
    """The folder that holds the tests of a module's folder, or of the nearest above it that has any."""
    folders = [TESTS.joinpath(*folder.parts[1:]) for folder in module.parents]
    return next(folder for folder in folders if (ROOT / folder).is_dir())


def _naming(pattern: re.Pattern[str]) -> list[str]:
    """The tests in which the pattern occurs, or in a helper that they import."""
    naming = [path for path, text in _texts().items() if pattern.search(text)]
    helpers = [path for path in naming if not path.name.startswith("test_") and path.parent != TESTS]
    by_helper = [test for helper in helpers for test in _naming(_import_of(helper))]
    return [*(str(path) for path in naming if path.name.startswith("test_")), *by_helper]


def _import_of(path: Path) -> re.Pattern[str]:
    folder, module = ".".join(path.parent.parts), path.stem
    return re.compile(
        rf"from {re.escape(folder)}(\.{module} import|\.{module}\.| import (\([^)]*|[^\n(]*)\b{module}\b)"
    )


@cache
def _texts() -> dict[Path, str]:
    return {path.relative_to(ROOT): path.read_text() for path in (ROOT / TESTS).rglob("*.py")}


if __name__ == "__main__":
    sys.stdout.write("\n".join(touched_by(changed())) + "\n")
