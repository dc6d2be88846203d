"""Labs by name, from any folder."""

import shutil
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from grader.cli import main
from grader.cli.options import REQUIRE_CONFINEMENT
from grader.rubric import labs, load
from grader.rubric.starter import starter
from tests import lab
from tests.desk import Desk
from tests.test_calls import RUBRIC, SQUARE


def test_every_lab_is_listed_with_its_title_and_its_kernels(desk: Desk):
    shown = desk.grade("lab", "list")
    assert shown.status == 0
    assert [line.split()[0] for line in shown.stdout.splitlines()[::2]] == labs.names()
    assert "Square matrix multiplication, float32 (default)" in shown.stdout
    assert "int32; squares, row by row; matmul(A, B, C, N)" in shown.stdout


def test_a_rubric_is_checked_by_the_name_of_its_lab_too(desk: Desk):
    checked = desk.grade("rubric", "check", "six_versions")
    assert (checked.status, "no mistakes. v1_baseline.cu is correct at N=33" in checked.stdout) == (0, True)


def test_a_rubric_is_checked_with_another_kernel(desk: Desk):
    text = labs.rubric("rectangular").read_text().replace('"M", "N", "K"', '"N", "M", "K"')
    wrong = desk.grade("rubric", "check", desk.write(text, "lab.toml"))
    assert wrong.status == 2
    assert "lab.toml: kernel.parameters: it is correct with" in wrong.words
    unknown = desk.grade("rubric", "check", desk.write(RUBRIC.format(name="mm", call=SQUARE, sizes=[33]), "lab.toml"))
    assert (unknown.status, "It names no naive kernel" in unknown.words) == (0, True)


@pytest.mark.parametrize("name", sorted({*labs.names()} - {labs.DEFAULT}))
def test_a_lab_starts_with_its_own_kernel_and_readme(name: str, tmp_path: Path):
    files = starter(Path(name))
    rubric = load.load(labs.rubric(name))
    assert rubric.interface.name.encode() in files["matmul.cu"]
    assert f"--rubric {name}" in files["README.md"].decode()
    assert all(criterion.title in files["README.md"].decode() for criterion in rubric.criteria)
    assert labs.rubric_at(Path(name)) == labs.rubric(name)
    assert tmp_path.exists()


def test_a_name_is_a_lab_also_beside_a_folder_of_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pitched").mkdir()
    assert labs.rubric_at(Path("pitched")) == labs.rubric("pitched")
    shutil.copy(labs.rubric("square"), tmp_path / "mine")
    assert labs.rubric_at(Path("mine")) == Path("mine")
    assert labs.rubric_at(Path("a/b.toml")) == Path("a/b.toml")


def test_a_rubric_beside_a_file_is_taken_unless_the_file_is_another_persons(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    words = ("check", desk.write(lab.NAIVE), "--backend", "simulator")
    before = desk.grade(*words)
    desk.write("title = 1", "lab.toml")
    own, of_class = desk.grade(*words), desk.grade("batch", ".", "--output", "../results")
    monkeypatch.setenv(REQUIRE_CONFINEMENT, "1")
    others = desk.grade(*words)
    assert [ended.status for ended in (before, own, of_class, others)] == [0, 2, 2, 0], own.words
    assert "lab.toml" not in others.words


def test_init_writes_the_starter_of_a_lab_and_overwrites_nothing(desk: Desk):
    first = desk.grade("init", "mine", "--lab", "pitched")
    assert first.status == 0, first.words
    assert "--rubric pitched" in first.stdout
    assert (desk.folder / "mine" / "matmul.cu").read_bytes() == starter(Path("pitched"))["matmul.cu"]
    again = desk.grade("init", "mine", "--lab", "homework")
    assert again.status == 2
    assert "already contains .github/workflows/grade.yml, .gitlab-ci.yml, README.md" in again.words


def test_a_misspelt_lab_or_command_gets_a_suggestion(desk: Desk):
    lab = desk.grade("check", "x.cu", "--rubric", "pitchd")
    command = desk.grade("chekc", "x.cu")
    assert (lab.status, command.status) == (2, 2)
    assert "There is no lab pitchd. Did you mean pitched" in lab.words
    assert "There is no command chekc. Did you mean check?" in command.words


@pytest.mark.parametrize("words", [["check", "--rubric"], ["init", "--lab"]])
def test_a_shell_completes_the_names_of_labs_and_of_files(words: list[str]):
    offered = ShellComplete(main, {}, "grade", "").get_completions(words, "tensor")
    assert [(item.type, item.value) for item in offered] == [("file", "tensor"), ("plain", "tensor_cores")]
