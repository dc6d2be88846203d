"""A machine that cannot confine workers: the user's own file is graded after a warning, files of others are refused."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.batch.run.job import machine_here
from grader.cli import main
from grader.cli.options import REQUIRE_CONFINEMENT
from grader.errors import InfrastructureError
from grader.host.confinement.mechanism import Confinement
from grader.sandbox import launchers
from tests import lab

SENTENCE = "Nothing on this machine can confine student code"

pytestmark = pytest.mark.usefixtures("simulator")


@pytest.fixture(autouse=True)
def unconfined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launchers, "strongest", lambda: Confinement.NONE)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A file whose grade takes no compiler."""
    path = tmp_path / "class" / "matmul.cu"
    path.parent.mkdir()
    path.write_text("")
    return path


def grade(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.mark.parametrize("command", ["run", "check"])
def test_the_users_own_file_is_graded_after_a_warning(command: str, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own.parent)
    ended = grade(command, own, "--rubric", lab.write_rubric(own.parent))
    assert ended.exit_code == 1
    assert ended.output.count(SENTENCE) == 1
    assert "The file is empty" in ended.output


def test_an_image_or_an_autograder_refuses_and_names_the_option(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own.parent)
    monkeypatch.setenv(REQUIRE_CONFINEMENT, "1")
    ended = grade("run", own, "--rubric", lab.write_rubric(own.parent))
    assert ended.exit_code == 3
    assert SENTENCE in ended.output
    assert "--allow-unconfined" in ended.output
    allowed = grade("run", own, "--rubric", lab.write_rubric(own.parent), "--allow-unconfined")
    assert allowed.exit_code == 1
    assert SENTENCE not in allowed.output


def test_a_class_is_not_graded_and_nothing_is_written(own: Path, tmp_path: Path) -> None:
    rubric = lab.write_rubric(tmp_path)
    ended = grade("batch", own.parent, "--rubric", rubric, "--output", tmp_path / "results")
    assert ended.exit_code == 3
    assert SENTENCE in ended.output
    assert "--allow-unconfined" in ended.output
    assert list(tmp_path.glob("results/**/report.json")) == []


def test_a_worker_of_a_cluster_refuses_by_itself() -> None:
    with pytest.raises(InfrastructureError, match=SENTENCE):
        machine_here(None, "", allow_unconfined=False)
    assert machine_here(None, "", allow_unconfined=True)


def test_a_container_confines_whatever_the_machine_lacks() -> None:
    launchers.require_confinement("matmul-grader:simulator")
