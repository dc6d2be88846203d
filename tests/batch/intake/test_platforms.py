from pathlib import Path

import pytest

from grader.errors import UsageError
from tests.batch.intake.zips import APRIL, KERNEL, entry, students, written

METADATA = """\
---
submission_101:
  :submitters:
  - :name: Ada Lovelace
    :sid: '3001'
    :email: ada@example.edu
  :created_at: 2025-03-01 09:30:00.123456000 Z
  :score: 0.0
  :status: processed
  :history:
  - :id: 7
    :created_at: 2025-02-28 10:00:00.000000000 Z
submission_102:
  :submitters:
  - :name: Grace Hopper
    :email: grace@example.edu
  - :name: Alan Turing
    :sid: '3003'
    :email: alan@example.edu
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: 2025-03-02 11:00:00.000000000 Z
submission_103:
  :submitters:
  - :name: Edsger Dijkstra
    :sid: '3004'
    :email: edsger@example.edu
"""
ROOT = "assignment_9_export"


def gradescope(path: Path, metadata: str = METADATA) -> Path:
    return written(
        path,
        (f"{ROOT}/submission_metadata.yml", metadata.encode()),
        (f"{ROOT}/submission_101/matmul.cu", KERNEL),
        (f"{ROOT}/submission_101/submission_metadata.yml", b"submission_102: {}"),
        (f"{ROOT}/submission_102/src/kernel.cu", KERNEL),
        (f"{ROOT}/submission_103/report.pdf", b"%PDF"),
        (f"{ROOT}/submission_104/matmul.cu", KERNEL),
        (f"__MACOSX/{ROOT}/._submission_metadata.yml", b"\0"),
    )


def test_gradescope_says_whose_each_folder_is(tmp_path: Path):
    ada = students(gradescope(tmp_path / "export.zip"))["3001"]
    assert (ada.name, ada.email, ada.file, ada.content) == ("Ada Lovelace", "ada@example.edu", "matmul.cu", KERNEL)
    assert ada.submitted == "2025-03-01T09:30:00+00:00"


@pytest.mark.parametrize(("own", "other"), [("3001", "ada@example.edu"), ("edsger@example.edu", "edsger@example.edu")])
def test_a_gradescope_student_with_the_id_of_another_gets_another_folder(tmp_path: Path, own: str, other: str):
    metadata = METADATA.replace("'3004'", "''").replace("'3003'", f"'{own}'")
    submissions = students(gradescope(tmp_path / "export.zip", metadata))
    assert {submissions[who].email for who in (other, "alan@example.edu")} == {other, "alan@example.edu"}


def test_every_member_of_a_gradescope_group_has_its_file(tmp_path: Path):
    submissions = students(gradescope(tmp_path / "export.zip"))
    assert [submissions[student].content for student in ("grace@example.edu", "3003")] == [KERNEL, KERNEL]


def test_a_gradescope_folder_without_source_or_without_metadata_is_a_row(tmp_path: Path):
    submissions = students(gradescope(tmp_path / "export.zip"))
    assert submissions["3004"].problem == "There is no .cu file, only report.pdf."
    assert submissions["submission_104"].content == KERNEL
    assert len(submissions) == 5


def test_an_unpacked_export_is_read_as_the_zip_is(tmp_path: Path):
    folder = tmp_path / "unpacked" / "submission_101"
    folder.mkdir(parents=True)
    (folder / "matmul.cu").write_bytes(KERNEL)
    (folder.parent / "submission_metadata.yml").write_text(METADATA)
    assert students(tmp_path / "unpacked")["3001"].content == KERNEL


@pytest.mark.parametrize("metadata", ["a: [", "- 1\n- 2\n", "!!python/object/apply:os.system [id]", "a: &x [*x"])
def test_other_metadata_is_wrong_usage(tmp_path: Path, metadata: str):
    with pytest.raises(UsageError, match=r"submission_metadata\.yml"):
        students(gradescope(tmp_path / "export.zip", metadata))


def test_a_student_cannot_bring_metadata_along(tmp_path: Path):
    mine = b"bert:\n  :submitters:\n  - :name: Anna\n"
    path = written(tmp_path / "class.zip", ("anna/submission_metadata.yml", mine), ("bert/matmul.cu", KERNEL))
    assert students(path)["bert"].content == KERNEL


def test_nested_references_in_the_metadata_are_not_expanded(tmp_path: Path):
    layers = "\n".join(f"l{n}: &l{n} [*l{n - 1}, *l{n - 1}, *l{n - 1}, *l{n - 1}]" for n in range(1, 30))
    bomb = f"l0: &l0 [x]\n{layers}\nsubmission_101:\n  :submitters:\n  - :name: *l29\n    :sid: '1'\n"
    assert students(gradescope(tmp_path / "export.zip", bomb))["1"].name == ""


def test_canvas_names_hold_student_lateness_and_file(tmp_path: Path):
    submissions = students(
        written(
            tmp_path / "submissions.zip",
            ("doejane_340934_208490284_matmul.cu", KERNEL),
            ("turingalan_LATE_340935_208490290_my_kernel-1.cu", KERNEL),
            ("hoppergrace_340936_208490291_report.pdf", b"%PDF"),
            ("LATE_anon_x7Kp2_208490292_matmul.cu", KERNEL),
        )
    )
    jane, alan = submissions["doejane-340934"], submissions["turingalan-340935"]
    assert (jane.name, jane.file, jane.late) == ("doejane", "matmul.cu", "no")
    assert (alan.file, alan.late) == ("my_kernel-1.cu", "yes")
    assert "report.pdf" in submissions["hoppergrace-340936"].problem
    assert submissions["anon_x7Kp2"].late


def test_the_later_canvas_attachment_wins_whatever_its_entry_is_dated(tmp_path: Path):
    path = written(
        tmp_path / "submissions.zip",
        (entry("doejane_1_99_matmul.cu", APRIL), b"// first\n"),
        (entry("doejane_LATE_1_100_matmul-1.cu"), b"// second\n"),
    )
    jane = students(path)["doejane-1"]
    assert (jane.content, jane.late) == (b"// second\n", "yes")


def test_a_name_that_is_a_number_is_no_other_student(tmp_path: Path):
    path = written(tmp_path / "s.zip", ("doejane_77_9_a.cu", b"// jane\n"), ("77_1001_12_a.cu", b"// eve\n"))
    assert {who: submission.content for who, submission in students(path).items()} == {
        "doejane-77": b"// jane\n",
        "77-1001": b"// eve\n",
    }


def test_a_name_with_the_number_of_another_student_replaces_no_submission(tmp_path: Path):
    eve = entry("eve_77_88_1001_12_a.cu", APRIL), b"// eve\n"
    (submission,) = students(written(tmp_path / "s.zip", ("doejane_77_9_a.cu", KERNEL), eve)).values()
    assert submission.content == b""
    assert "have the same id, so neither was read." in submission.problem


def test_a_name_with_the_name_and_number_of_another_student_is_no_number_of_moodle(tmp_path: Path):
    eve = entry("Jane Doe_77_assignsubmission_file_5_assignsubmission_file/a.cu", APRIL), b"// eve\n"
    found = students(written(tmp_path / "s.zip", ("Jane Doe_77_assignsubmission_file/a.cu", KERNEL), eve))
    assert found["Jane-Doe-77"].content == KERNEL


def test_two_students_with_the_same_name_stay_apart(tmp_path: Path):
    path = written(tmp_path / "s.zip", ("doejane_1_9_a.cu", b"// 1\n"), ("doejane_2_8_a.cu", b"// 2\n"))
    assert {student: submission.content for student, submission in students(path).items()} == {
        "doejane-1": b"// 1\n",
        "doejane-2": b"// 2\n",
    }


def test_moodle_folders_hold_name_and_participant(tmp_path: Path):
    submissions = students(
        written(
            tmp_path / "moodle.zip",
            ("Zoë van Dyk_12345_assignsubmission_file_/matmul.cu", KERNEL),
            ("Participant_77_assignsubmission_file/src/matmul.cu", KERNEL),
            ("John Doe_12_assignsubmission_file_kernel.cu", KERNEL),
        )
    )
    assert sorted((submission.name, submission.file) for submission in submissions.values()) == [
        ("John Doe", "kernel.cu"),
        ("Participant", "matmul.cu"),
        ("Zoë van Dyk", "matmul.cu"),
    ]
    assert all(submission.content == KERNEL for submission in submissions.values())
    assert set(submissions) == {"John-Doe-12", "Participant-77", "Zoe-van-Dyk-12345"}


@pytest.mark.parametrize("plugin", ["onlinetext_/onlinetext.html", "onlinetext_onlinetext.html", "comments_/a.html"])
def test_online_text_of_a_moodle_student_makes_no_second_student(plugin: str, tmp_path: Path):
    jane = ("Jane Doe_1_assignsubmission_file_/matmul.cu", KERNEL)
    submissions = students(
        written(tmp_path / "moodle.zip", jane, (f"Jane Doe_1_assignsubmission_{plugin}", b"<p>hello</p>"))
    )
    assert {student: submission.content for student, submission in submissions.items()} == {"Jane-Doe-1": KERNEL}


def test_a_moodle_student_with_online_text_only_has_a_row(tmp_path: Path):
    (jane,) = students(written(tmp_path / "m.zip", ("Jane Doe_1_assignsubmission_onlinetext_/t.html", b"x"))).values()
    assert (jane.student, jane.problem) == ("Jane-Doe-1", "There is no .cu file, only t.html.")


def test_the_latest_attempt_of_a_blackboard_student_counts(tmp_path: Path):
    path = written(
        tmp_path / "gradebook.zip",
        ("Lab 2_ada_attempt_2026-03-09-08-00-00_matmul.cu", b"// first\n"),
        ("Lab 2_ada_attempt_2026-03-10-08-00-00_final_version.cu", b"// second\n"),
        ("Lab 2_ada_attempt_2026-03-10-08-00-00.txt", b"Name: Ada"),
        (entry("Lab 2_k_b_attempt_2026-99-10-08-00-00_matmul.cu", APRIL), KERNEL),
        ("Lab 2_l_b_attempt_2026-03-10-08-00-00_x_attempt_2030-01-01-00-00-00_ada.cu", KERNEL),
        ("Lab 2_cy_attempt_2026-03-10-08-00-00.txt", b"no file"),
    )
    submissions = students(path)
    assert set(submissions) == {"ada", "k_b", "l_b", "cy"}
    ada = submissions["ada"]
    assert (ada.content, ada.file, ada.submitted) == (b"// second\n", "final_version.cu", "2026-03-10T08:00:00")
    assert ada.others == ("Lab 2_ada_attempt_2026-03-09-08-00-00_matmul.cu",)
    assert "There is no .cu file" in submissions["cy"].problem


@pytest.mark.parametrize("between", ["/", " - "])
def test_the_latest_attempt_of_a_brightspace_student_counts(tmp_path: Path, between: str):
    path = written(
        tmp_path / "export.zip",
        (f"7-42 - Ada King - Mar 9, 2026 112 PM{between}matmul.cu", b"// third\n"),
        (f"7-42 - Ada King - Mar 9, 2026 1102 AM{between}matmul.cu", b"// second\n"),
        (entry(f"7-42 - Ada King - Feb 10, 2026 1159 PM{between}a.cu", APRIL), b"// first\n"),
        (f"8-42 - Bob - Kahn - 9 March 2026 1830{between}b.cu", KERNEL),
        ("index.html", b""),
    )
    submissions = students(path)
    assert set(submissions) == {"Ada-King-7", "Bob-Kahn-8"}
    ada = submissions["Ada-King-7"]
    assert (ada.name, ada.content, ada.submitted) == ("Ada King", b"// third\n", "2026-03-09T13:12:00")
    assert submissions["Bob-Kahn-8"].submitted == "2026-03-09T18:30:00"


def test_a_canvas_number_of_thousands_of_digits_is_none_of_canvas(tmp_path: Path):
    path = written(tmp_path / "s.zip", ("doejane_1_9_a.cu", KERNEL), (f"eve_2_{'9' * 5000}_a.cu", KERNEL))
    assert len(students(path)) == 2


def test_the_newest_of_several_files_wins(tmp_path: Path):
    place = "Jane Doe_1_assignsubmission_file_"
    path = written(
        tmp_path / "moodle.zip",
        (entry(f"{place}/matmul.cu"), b"// March\n"),
        (entry(f"{place}/matmul2.cu", APRIL), b"// April\n"),
        (entry(f"{place}/later.txt", (2025, 5, 1, 0, 0, 0)), b"no kernel"),
    )
    (jane,) = students(path).values()
    assert (jane.file, jane.content, jane.submitted) == ("matmul2.cu", b"// April\n", "2025-04-01T09:30:00")


def test_a_student_who_changed_name_between_two_exports_is_one_student(tmp_path: Path):
    old = written(tmp_path / "old.zip", (entry("doejane_1_8_matmul.cu"), b"// old\n"))
    new = written(tmp_path / "new.zip", (entry("roejane_1_9_matmul.cu"), b"// new\n"))
    (jane,) = students(old, new).values()
    assert (jane.content, jane.problem) == (b"// new\n", "")


def test_a_second_export_with_newer_files_counts(tmp_path: Path):
    place = "Jane Doe_1_assignsubmission_file_/matmul.cu"
    old = written(tmp_path / "old.zip", (entry(place), b"// old\n"))
    new = written(tmp_path / "new.zip", (entry(place, APRIL), b"// new\n"))
    (jane,) = students(new, old).values()
    assert jane.content == b"// new\n"


@pytest.mark.parametrize("name", ["submissions/anna/matmul.cu", "anna/matmul.cu", "anna.cu", "class/anna/src/a.cu"])
def test_a_folder_or_a_file_for_each_student_inside_a_folder_or_not(tmp_path: Path, name: str):
    other = name.replace("anna", "bert")
    submissions = students(written(tmp_path / "class.zip", (name, KERNEL), (other, KERNEL)))
    assert set(submissions) == {"anna", "bert"}


def test_names_in_utf8_without_the_flag_are_read_correctly(tmp_path: Path):
    """macOS writes them so."""
    path = written(tmp_path / "mac.zip", ("Zoé_1_assignsubmission_file_/m.cu", KERNEL))
    raw = path.read_bytes().replace(b"\x00\x08\x08\x00", b"\x00\x00\x08\x00")
    path.write_bytes(raw)
    (zoe,) = students(path).values()
    assert zoe.name == "Zoé"
