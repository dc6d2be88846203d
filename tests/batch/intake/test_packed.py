import gzip
import io
import tarfile
from pathlib import Path

import pytest

from grader.batch.intake.archives import MOST_OPENED
from tests.batch.intake.zips import APRIL, KERNEL, MARCH, entry, packed, students, written

NEWER = b"// newer\n" + KERNEL


def tar(*members: tuple[tarfile.TarInfo | str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name, content in members:
            member = tarfile.TarInfo(name) if isinstance(name, str) else name
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return made.getvalue()


def special(kind: bytes, name: str = "x.cu") -> tuple[tarfile.TarInfo, bytes]:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, "/etc/passwd"
    return member, b""


def handed_in(folder: Path, name: str, content: bytes) -> Path:
    """Make a class of two, one of whom handed in this file."""
    for path, text in ((folder / "class" / name, content), (folder / "class/bob/x.cu", KERNEL)):
        path.parent.mkdir(parents=True)
        path.write_bytes(text)
    return folder / "class"


PACKED = {
    "lab.zip": packed(KERNEL),
    "lab.tar": tar(("lab/src/matmul.cu", KERNEL)),
    "lab.tar.gz": gzip.compress(tar(("./matmul.cu", KERNEL))),
    "LAB.TGZ": gzip.compress(tar(("matmul.cu", KERNEL))),
}


@pytest.mark.parametrize("name", PACKED)
def test_a_students_packed_file_is_opened_in_a_zip_and_in_a_folder(name: str, tmp_path: Path):
    folder = handed_in(tmp_path, f"ada/{name}", PACKED[name])
    for source in (folder, written(tmp_path / "class.zip", (f"ada/{name}", PACKED[name]))):
        ada = students(source)["ada"]
        assert (ada.content, ada.file, ada.problem) == (KERNEL, "matmul.cu", "")


def test_packed_files_without_folders_are_named_after_their_students(tmp_path: Path):
    names = (
        ("ada.zip", PACKED["lab.zip"]),
        ("bob.tar.gz", PACKED["lab.tar.gz"]),
        ("loveeve_12_34_lab.zip", packed(NEWER)),
    )
    found = students(written(tmp_path / "class.zip", *names))
    assert {name: each.content for name, each in found.items()} == {"ada": KERNEL, "bob": KERNEL, "loveeve-12": NEWER}


@pytest.mark.parametrize(("when", "counts"), [(APRIL, NEWER), (MARCH, KERNEL)])
def test_the_newest_attempt_counts_whether_it_is_packed_or_not(when, counts, tmp_path: Path):
    sources = (
        written(tmp_path / "a.zip", (entry("ada/matmul.cu", (2025, 3, 20, 0, 0, 0)), KERNEL)),
        written(tmp_path / "b.zip", (entry("ada/lab.zip", when), packed(NEWER))),
    )
    assert students(*sources)["ada"].content == counts


def zeros() -> bytes:
    return gzip.compress(bytes(20_000_000))


def crowd() -> bytes:
    return tar(*((f"{number}.cu", b"") for number in range(10_001)))


REFUSED = {
    "“ada/lab.zip” cannot be unpacked, so it was not read.": lambda: packed(KERNEL)[:-30],
    "“ada/lab.zip” is empty, so it was not read.": bytes,
    "“ada/lab.tar.gz” cannot be unpacked, so it was not read.": lambda: PACKED["lab.tar.gz"][:-30],
    "“ada/lab.tgz” cannot be unpacked, so it was not read.": lambda: gzip.compress(KERNEL),
    "“ada/lab.tar.gz” unpacks to more than 100 times its size, so it was not read.": zeros,
    "“x.cu” is a link and not a file, so it was not read.": lambda: tar(special(tarfile.SYMTYPE)),
    "“x.cu” is a link and not a file, so it was not read. ": lambda: tar(special(tarfile.LNKTYPE)),
    "“x.cu” is a device or a pipe and not a file, so it was not read.": lambda: tar(special(tarfile.FIFOTYPE)),
    "“../bob/x.cu” leads out of its folder, so it was not read.": lambda: tar(("../bob/x.cu", KERNEL)),
    "“/bob/x.cu” has an absolute path, so it was not read.": lambda: tar(("/bob/x.cu", KERNEL)),
    "“x.cu” is larger than 1 MiB, so it was not read.": lambda: tar(("x.cu", bytes(2 << 20))),
    "There are more than 10000 files, so none was read.": crowd,
    "There is no .cu file, only deep.zip. Of packed files, zip, tar and tar.gz are opened, but none that is in another "
    "one.": lambda: tar(("deep.zip", packed(KERNEL))),
}


@pytest.mark.parametrize("problem", REFUSED)
def test_a_hostile_or_damaged_one_is_named_and_affects_only_its_student(problem: str, tmp_path: Path):
    name = next((name for name in ("lab.zip", "lab.tar.gz", "lab.tgz") if name in problem), "lab.tar")
    found = students(handed_in(tmp_path, f"ada/{name}", REFUSED[problem]()))
    assert {student: (each.content, each.problem) for student, each in found.items()} == {
        "ada": (b"", problem.strip()),
        "bob": (KERNEL, ""),
    }


def test_a_link_in_place_of_a_header_is_named(tmp_path: Path):
    content = tar(("x.cu", b'#include "h.cuh"\n' + KERNEL), special(tarfile.SYMTYPE, "h.cuh"))
    assert b'"h.cuh" is a link and not a file' in students(handed_in(tmp_path, "ada/a.tar", content))["ada"].content


def test_an_endless_chain_of_headers_ends(tmp_path: Path):
    link = tarfile.TarInfo("x")
    link.type = tarfile.GNUTYPE_LONGNAME
    chained = tar(*((link, b"") for _ in range(5000)))
    assert "cannot be unpacked" in students(handed_in(tmp_path, "ada/a.tar", chained))["ada"].problem


def test_of_many_packed_files_the_newest_are_opened(tmp_path: Path):
    many = [(f"ada/{number:02}.zip", packed(b"// %d\n" % number)) for number in range(2 * MOST_OPENED)]
    ada = students(written(tmp_path / "class.zip", *many))["ada"]
    assert (ada.content, len(ada.others)) == (b"// 31\n", 6)
