import errno
import os
import re
import stat
from pathlib import Path

import pytest

from grader.host import no_links


def test_a_file_is_opened_by_way_of_a_folder_that_may_not_be_listed(tmp_path: Path):
    folder = tmp_path / "closed"
    folder.mkdir()
    (folder / "matmul.cu").write_text("// a kernel\n")
    folder.chmod(stat.S_IXUSR)
    with no_links.opened(folder / "matmul.cu") as descriptor:
        folder.chmod(stat.S_IRWXU)  # to be removed
        assert os.read(descriptor, 100) == b"// a kernel\n"


@pytest.mark.parametrize(("path", "error"), [("link.cu", errno.ELOOP), ("link/matmul.cu", errno.ENOTDIR)])
def test_neither_a_link_nor_anything_behind_one_is_opened(tmp_path: Path, path: str, error: int):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "matmul.cu").write_text("// another student's\n")
    (tmp_path / "link").symlink_to("other")
    (tmp_path / "link.cu").symlink_to("other/matmul.cu")
    with pytest.raises(OSError, match=re.escape(os.strerror(error))), no_links.opened(tmp_path / path):
        pass


def test_a_pipe_is_opened_at_once_and_can_be_told(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.cu")
    with no_links.opened(tmp_path / "pipe.cu") as descriptor:
        assert stat.S_ISFIFO(os.fstat(descriptor).st_mode)
