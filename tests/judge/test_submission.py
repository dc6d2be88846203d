import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.judge import submission
from grader.judge.submission import with_constants
from grader.model import Source, Verdict


def refused(path: Path) -> UsageError:
    with pytest.raises(UsageError) as caught:
        submission.read(path)
    return caught.value


def test_a_file_is_read_and_described(tmp_path: Path) -> None:
    path = tmp_path / "tiled.cu"
    path.write_bytes(b"// text\n")
    content = submission.read(path)
    assert content == b"// text\n"
    assert submission.describe(path, content, "matmul") == Source("tiled.cu", hashlib.sha256(content).hexdigest(), 8)
    assert submission.fault(content) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("// matmul(\n__global__ void matmul(int N);\n", 2),
        ('extern "C" __global__ void\n__launch_bounds__(256)\nmatmul (const float *A)\n', 3),
        ("__global__ void other(int N) {}\nvoid matmul(int N);\n", None),
        ("", None),
    ],
)
def test_the_line_of_the_kernel_is_the_one_with_its_name(text: str, line: int | None) -> None:
    assert submission.describe(Path("x.cu"), text.encode(), "matmul").kernel_line == line


def test_no_more_than_needed_of_a_large_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.cu"
    path.write_bytes(b"x" * (3 << 20))
    content = submission.read(path)
    assert len(content) == submission.MOST_BYTES + 1
    assert submission.fault(content).sentence == "The file is larger than 1 MiB."
    assert submission.fault(content[:-1]) is None


def test_a_missing_file_names_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "tiled.cu").touch()
    assert refused(tmp_path / "tilde.cu").hint == "Did you mean tiled.cu?"
    assert refused(tmp_path / "no" / "folder.cu").hint == "Check the spelling of its path."


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (Path.mkdir, "is a folder"),
        (lambda path: path.symlink_to("/etc/hostname"), "symbolic link"),
        (lambda path: os.mknod(path, stat.S_IFSOCK | 0o600), "not a regular file"),
        (os.mkfifo, "not a regular file"),
    ],
    ids=["folder", "link", "socket", "pipe"],
)
def test_what_is_no_file_is_refused_and_not_waited_for(make: Callable[[Path], None], said: str, tmp_path: Path) -> None:
    make(tmp_path / "mine.cu")
    assert said in refused(tmp_path / "mine.cu").sentence


def test_a_device_is_refused() -> None:
    assert "not a regular file" in refused(Path("/dev/zero")).sentence


def test_a_file_behind_a_link_to_a_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "mine.cu").write_bytes(b"// text\n")
    (tmp_path / "link").symlink_to("lab")
    assert submission.read(tmp_path / "link" / "mine.cu") == b"// text\n"


def test_a_file_without_permission_says_so(tmp_path: Path) -> None:
    (tmp_path / "secret.cu").touch(mode=0)
    with as_another_user():
        assert "cannot be read" in refused(tmp_path / "secret.cu").sentence


@contextmanager
def as_another_user() -> Iterator[None]:
    """Run the test as another user, because root may read every file."""
    was = os.geteuid()
    if was == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        if was == 0:
            os.seteuid(0)


@pytest.mark.parametrize(
    ("content", "says", "line"),
    [
        (b"", "empty", None),
        (b" \n\t\n", "empty", None),
        (b"int\0main", "NUL", 1),
        ("int x;".encode("utf-16-le"), "NUL", 1),
        (b"\x7fELF\xff", "not text", 1),
        (b"int\n\x02\xe9", "Line 2 is not text", 2),
    ],
)
def test_bytes_that_are_no_source_text_are_a_bad_file(content: bytes, says: str, line: int | None) -> None:
    refusal = submission.fault(content)
    assert (refusal.verdict, refusal.line) == (Verdict.BAD_FILE, line)
    assert says in refusal.sentence
    assert refusal.hint


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252"])
def test_comments_may_be_in_any_encoding_of_editors(encoding: str) -> None:
    assert submission.fault("a\r\n\tb // größer\n".encode(encoding)) is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"#define N 4096", b"#define N 64"),
        (b"  #  define N\t(1 << 12)  // large", b"  #  define N\t64// large"),
        (b"const int N = 1 << 12, M = 8;", b"const int N = 64, M = 8;"),
        (b"static constexpr unsigned N=4096;", b"static constexpr unsigned N=64;"),
        (b"#define N 8192 / 2 /* half */", b"#define N 64/* half */"),
        (b"#define NN 4096", b"#define NN 4096"),
        (b"#define N(x) x", b"#define N(x) x"),
        (b"#ifndef N", b"#ifndef N"),
        (b"int N = 4096;", b"int N = 4096;"),
    ],
)
def test_a_constant_gets_the_value_of_the_lab(line: bytes, expected: bytes):
    assert with_constants(b"\n" + line + b"\nint x;\n", ["N = 64"]) == b"\n" + expected + b"\nint x;\n"


def test_several_constants_are_set():
    assert with_constants(b"#define A 1\n#define B 2\n", ["A=3", "B = 4"]) == b"#define A 3\n#define B 4\n"
