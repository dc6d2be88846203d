import re
import stat
from pathlib import Path

import pytest

from grader.batch.present.class_files import write_class
from grader.batch.present.leaderboard import leaderboard, pseudonyms, ranking
from grader.batch.results.class_folder import KEY, leaderboard_key
from grader.errors import InfrastructureError
from tests.batch.present import class_rows
from tests.report import examples

ONE, OTHER = b"1" * 32, b"2" * 32
STUDENTS = [f"student{n}" for n in range(3000)]


def board(key: bytes = ONE) -> str:
    rows = class_rows.rows()
    return leaderboard(rows, pseudonyms([row.submission.student for row in rows], key))


def test_the_fastest_is_first_and_only_correct_answers_have_a_place():
    names = pseudonyms([row.submission.student for row in class_rows.rows()], ONE)
    entries = ranking(class_rows.rows(), names)
    assert [(entry.number, entry.name) for entry in entries] == [
        (1, names["cleo"]),
        (2, names["anna"]),
        (3, names["bert"]),
    ]


def test_a_wrong_answer_has_no_place_however_fast():
    wrong = (*examples.right(), examples.wrong(examples.SMALL, "repeated"))
    row = class_rows.row("anna", examples.report(results=wrong))
    assert ranking([row], {"anna": "Calm Owl 001"}) == []


def test_the_page_begins_with_the_places_and_names_the_gpu():
    page = board()
    heads = re.findall(r'<th scope="col"[^>]*>([^<]+)</th>', page)
    assert heads[:2] == ["Place", "Name"]
    assert 'aria-sort="ascending">Place' in page
    assert "at N=1024, the largest timed size, on NVIDIA H200." in page


def test_equal_speeds_share_a_place():
    rows = [class_rows.row(name, class_rows.fast(speed)) for name, speed in (("a", 9.0), ("b", 9.0), ("c", 8.0))]
    entries = ranking(rows, pseudonyms("abc", ONE))
    assert [entry.number for entry in entries] == [1, 1, 3]


def test_no_text_of_a_student_is_on_the_page():
    page = board()
    for row in class_rows.rows():
        for own in (row.submission.student, row.submission.name, row.submission.email, row.submission.problem):
            assert own == "" or not re.search(rf"\b{re.escape(own)}\b", page, re.IGNORECASE)
    assert "script>alert" not in page


def test_the_page_is_the_same_in_whatever_order_the_students_come():
    """The order among equal speeds would otherwise reveal names."""
    rows = [*class_rows.rows(), class_rows.row("zoe", class_rows.fast(500.0))]
    names = pseudonyms([row.submission.student for row in rows], ONE)
    assert leaderboard(rows, names) == leaderboard(rows[::-1], names)


def test_where_no_speed_was_measured_it_says_so():
    page = leaderboard([class_rows.row("anna", examples.simulated())], pseudonyms(["anna"], ONE))
    assert "Nobody has a place yet" in page
    assert "will list the correct kernels under pseudonyms, the fastest first, by their speed at N=1024" in page


def test_pseudonyms_differ_and_stay_with_any_other_students():
    names = pseudonyms(STUDENTS, ONE)
    assert len(set(names.values())) == len(STUDENTS)
    alone = pseudonyms(["student7"], ONE)["student7"]
    assert names["student7"].startswith(alone)


def test_another_key_gives_other_pseudonyms():
    assert not set(pseudonyms(STUDENTS[:100], ONE).items()) & set(pseudonyms(STUDENTS[:100], OTHER).items())


def test_the_key_is_made_once_and_its_owners_alone(tmp_path: Path):
    first = leaderboard_key(tmp_path)
    assert leaderboard_key(tmp_path) == first
    assert stat.S_IMODE((tmp_path / KEY).stat().st_mode) == 0o600


def test_a_folder_that_cannot_be_written_is_a_grader_error(tmp_path: Path):
    with pytest.raises(InfrastructureError, match="could not be written"):
        leaderboard_key(tmp_path / "none")


def test_all_files_of_a_class_are_written_and_pseudonyms_stay_between_runs(tmp_path: Path):
    write_class(class_rows.rows(), tmp_path)
    first = (tmp_path / "leaderboard.html").read_bytes()
    write_class(class_rows.rows(), tmp_path)
    assert (tmp_path / "leaderboard.html").read_bytes() == first
    assert {path.name for path in tmp_path.iterdir()} == {
        *("gradebook.csv", "junit.xml", "index.html", "leaderboard.html", KEY)
    }
