"""`grade export similarity` writes one folder for each student, and nothing over another class."""

from pathlib import Path

from tests.desk import Desk


def a_class(desk: Desk) -> Path:
    for student, name in (("anna", "matmul.cu"), ("Cara O'Neil", "a b;rm.cu")):
        (desk.folder / "class" / student).mkdir(parents=True)
        (desk.folder / "class" / student / name).write_text(f"// {student}")
    (desk.folder / "class" / "empty").mkdir()
    return desk.folder / "class"


def test_each_file_lies_in_the_folder_of_its_student_under_a_plain_name(desk: Desk):
    ended = desk.grade("export", "similarity", a_class(desk), "--starter", desk.write("// given", "starter.cu"))
    written = {str(path.relative_to(desk.folder / "similarity")) for path in desk.folder.glob("similarity/*/**/*.cu")}
    starter, cara, anna = sorted(written)
    assert (ended.status, starter, anna) == (0, "starter/starter.cu", "submissions/anna/matmul.cu")
    assert cara.startswith("submissions/Cara-O-Neil")
    assert cara.endswith("/a_b_rm.cu")
    assert "2 files are in similarity." in ended.stdout
    assert "Without a file to compare: empty." in ended.stdout
    assert "-bc starter" in ended.stdout
    assert "-b starter" in ended.stdout


def test_a_folder_with_files_is_left_alone(desk: Desk):
    students = a_class(desk)
    first, second = (desk.grade("export", "similarity", students) for _ in range(2))
    assert (first.status, second.status) == (0, 2)
    assert "is not empty" in second.stderr
    assert "starter" not in first.stdout
