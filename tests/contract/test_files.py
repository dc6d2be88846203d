from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.contract.files import file_name


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("tiled.cu", "tiled.cu"),
        ("my kernel (2).cu", "my_kernel_2_.cu"),
        ("../../etc/passwd", "passwd.cu"),
        ("-rf.cu", "rf.cu"),
        (".cu", "cu.cu"),
        ("Übung;rm.cu", "_bung_rm.cu"),
        ("", "submission.cu"),
    ],
)
def test_a_name_stays_near_the_students_own(name: str, taken: str) -> None:
    assert file_name(name) == taken


@given(st.text(max_size=200))
def test_any_name_becomes_a_plain_file_name(name: str) -> None:
    taken = file_name(name)
    assert taken == Path(taken).name
    assert taken.isascii()
    assert taken.endswith(".cu")
    assert not taken.startswith(("-", "."))
    assert len(taken) <= 67
