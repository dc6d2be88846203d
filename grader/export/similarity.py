"""The files of a class in the folders that JPlag and copydetect read, which compare the files with each other.

    submissions/STUDENT/FILE.cu    one file for each student
    starter/FILE.cu                what everybody was given, which both leave out of the comparison

Nothing is compared here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from grader.contract.files import file_name

SUBMISSIONS, STARTER = "submissions", "starter"
JPLAG = "java -jar jplag.jar -l cpp -p cu{base} -r similarity submissions"  # JPlag 6, "Usage"
COPYDETECT = "copydetect -t submissions -e cu{base} -O similarity.html"  # copydetect 0.5, "Usage"


def layout(files: Iterable[tuple[str, str, bytes]], starter: tuple[str, bytes] | None) -> Mapping[PurePosixPath, bytes]:
    """Return the files to write, from student, file name and content of each submission."""
    laid_out = {PurePosixPath(SUBMISSIONS, student, file_name(name)): content for student, name, content in files}
    if starter:
        laid_out[PurePosixPath(STARTER, file_name(starter[0]))] = starter[1]
    return laid_out


def commands(*, starter: bool) -> tuple[str, str]:
    """Return how to compare the files with each of the programs, in their folder."""
    return (
        JPLAG.format(base=f" -bc {STARTER}" if starter else ""),
        COPYDETECT.format(base=f" -b {STARTER}" if starter else ""),
    )
