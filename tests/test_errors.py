"""What is said about that which the operating system refuses."""

import errno
import os

import pytest

from grader.errors import DISK_HINT, NO_THREAD, refusal, refused


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EDQUOT, "disk is full"),
        (errno.EAGAIN, "ulimit"),
        (errno.EMFILE, "ulimit"),
        (errno.EFBIG, "ulimit -f"),
        (errno.EACCES, "grade doctor"),
        (errno.EROFS, "grade doctor"),
    ],
)
def test_the_system_is_quoted_and_a_full_disk_is_said_of_full_disks_only(number: int, hint: str):
    error = refused(OSError(number, os.strerror(number), "/some/file"))
    assert error.sentence == f"The machine failed: {os.strerror(number)} (/some/file)."
    assert hint in error.hint
    assert (error.hint == DISK_HINT) == (number in {errno.ENOSPC, errno.EDQUOT})


def test_an_error_without_a_file_and_one_without_a_number_are_sentences_too():
    assert refused(OSError(errno.EIO, "Input/output error")).sentence == "The machine failed: Input/output error."
    assert refused(OSError("A is no file"), "It stopped").sentence == "It stopped: A is no file."


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.EMFILE, "Too many open files"), "Too many open files"),
        (MemoryError(), "Cannot allocate memory"),
        (RuntimeError(NO_THREAD), "no thread can be started"),
    ],
)
def test_memory_and_threads_are_refused_as_files_are(error: Exception, said: str):
    failed = refusal(error)
    assert failed.sentence == f"The machine failed: {said}."
    assert "ulimit" in failed.hint


@pytest.mark.parametrize("error", [RuntimeError("dictionary changed size"), KeyError("kernel")])
def test_a_bug_is_no_refusal(error: Exception):
    assert refusal(error) is None
