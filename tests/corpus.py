"""Kernels as files, and as changes of files: the submissions with a known verdict, and what tests keep like them.

tests/submissions/README.md says how they look.

python -m tests.corpus NAME     prints the submission, such as wrong/subtracts
"""

import re
import sys
from itertools import dropwhile
from pathlib import Path

SUBMISSIONS = Path(__file__).parent / "submissions"
CHANGES = ".diff"
PARTS = re.compile(r"((?://.*\n)+)--- (\S+)\n((?:[-+ @].*\n)+)")  # first lines, changed file, changes
CHANGE = re.compile(r"((?:[- ].*\n)+)((?:\+.*\n)*)(?:@@\n)?")


def submissions(folder: Path = SUBMISSIONS) -> list[Path]:
    """Every submission, by the file that describes it."""
    return sorted(path for path in folder.rglob("*") if path.suffix in {".cu", CHANGES})


def named(name: str) -> Path:
    """The file that describes a submission, such as wrong/subtracts."""
    return next(path for path in (SUBMISSIONS / f"{name}.cu", SUBMISSIONS / f"{name}{CHANGES}") if path.exists())


def content(path: Path) -> bytes:
    """What a student hands in."""
    return _changed(path).encode() if path.suffix == CHANGES else path.read_bytes()


def handed_in(path: Path, folder: Path) -> Path:
    """The file that a student hands in, which is written to the folder if it is the change of another."""
    if path.suffix != CHANGES:
        return path
    written = folder / f"{path.stem}.cu"
    written.write_bytes(content(path))
    return written


def origins(path: Path) -> list[Path]:
    """The file, the one of which it holds changes, if it does, and so on."""
    return [path, *origins(_file(path, _parts(path)[1]))] if path.suffix == CHANGES else [path]


def _file(path: Path, name: str) -> Path:
    """A submission, or a file that is beside the one which names it."""
    return SUBMISSIONS / name if "/" in name else path.with_name(name)


def _changed(path: Path) -> str:
    """The changed file, with the first lines of the changes instead of its own. Raises ValueError."""
    first, changed, changes = _parts(path)
    lines = content(_file(path, changed)).decode().splitlines(keepends=True)
    text = "\n" + "".join(dropwhile(lambda line: line.startswith("//"), lines))
    done = 0
    for old, new in CHANGE.findall(changes):
        before, kept = _without_signs(old, "- "), _without_signs(old, " ")
        if (at := text.find(f"\n{before}", done)) < 0:
            raise ValueError(f"{path.name} changes lines that {changed} lacks, or not in their order: {before}")
        after = kept + _without_signs(new, "+")
        text = text[: at + 1] + after + text[at + 1 + len(before) :]
        done = at + len(after)
    return first + text[1:]


def _parts(path: Path) -> tuple[str, str, str]:
    read = PARTS.fullmatch(path.read_text(encoding="utf-8"))
    if read is None:
        raise ValueError(f"{path.name} must consist of comments, --- FILE, and lines that begin with -, + or a space")
    return read[1], read[2], read[3]


def _without_signs(lines: str, signs: str) -> str:
    return "".join(line[1:] for line in lines.splitlines(keepends=True) if line[0] in signs)


if __name__ == "__main__":
    sys.stdout.buffer.write(content(named(sys.argv[1])))
