"""Workers in this process: a grade with them is the grade that confined workers give, whatever the cache is like."""

import os
import shutil
from pathlib import Path

import pytest

from grader.host import cache
from grader.model import Fault, Machine
from grader.rubric import load
from tests import lab
from tests.launcher import start_here

SUBMISSIONS = {
    "wrong": lab.naive_with("if (row == 5) return;"),
    "race": lab.naive_with("C[0] = row;"),
    "not compiled": lab.naive_with("undefined = 1;"),
}


def cut_off(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes()[: kept.stat().st_size // 2])


def of_older_version(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes()[cache.HASH_BYTES :])


def of_another_program(kept: Path) -> None:
    kept.write_bytes(b"\0" * kept.stat().st_size)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Fault | None]:
    """A cache with what one grade has compiled, and the fault that it found."""
    folder = tmp_path_factory.mktemp("filled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADER_CACHE", str(folder / "cache"))
        return folder / "cache", fault(folder)


@pytest.fixture
def own_cache(filled: tuple[Path, Fault | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRADER_CACHE", str(tmp_path / "cache"))
    return shutil.copytree(filled[0], tmp_path / "cache")


@pytest.fixture
def first(filled: tuple[Path, Fault | None]) -> Fault | None:
    return filled[1]


def fault(folder: Path, text: str = SUBMISSIONS["wrong"]) -> Fault | None:
    return lab.fault_here(text.encode(), load.load(lab.write_rubric(folder)), "mine.cu", start_here)


@pytest.mark.parametrize("text", SUBMISSIONS.values(), ids=SUBMISSIONS)
def test_workers_here_and_confined_workers_give_the_same_fault(text: str, tmp_path: Path, simulator: Machine):
    path = tmp_path / "mine.cu"
    path.write_text(text)
    confined = lab.first_fault(lab.grade(path, lab.write_rubric(tmp_path), simulator))
    here = fault(tmp_path, text)
    assert (here is None) == (confined is None)
    if here and confined:  # a grade here ends before the launch that failed runs again
        assert confined.sentence.startswith(here.sentence)
        assert confined.verdict == here.verdict
        assert here.diagnosis in {"", confined.diagnosis}


@pytest.mark.usefixtures("simulator")
@pytest.mark.parametrize("damage", [cut_off, of_older_version, of_another_program])
def test_a_damaged_cache_changes_no_fault(damage, tmp_path: Path, own_cache: Path, first: Fault | None):
    kept = [path for path in own_cache.rglob("*") if path.is_file() and path.name != cache.LOOKED]
    for path in kept:
        damage(path)
    assert len(kept) > 2
    assert fault(tmp_path) == first
    assert all(cache.read(str(path.relative_to(own_cache))) for path in kept)


@pytest.mark.usefixtures("simulator")
def test_a_cache_that_another_run_empties_meanwhile_changes_no_fault(
    tmp_path: Path, own_cache: Path, first: Fault | None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(cache, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(cache, "MOST_BYTES", 0)
    assert fault(tmp_path) == first
    assert fault(tmp_path) == first
    assert own_cache.exists()


@pytest.mark.usefixtures("simulator")
def test_a_cache_that_cannot_be_written_changes_no_fault(tmp_path: Path, own_cache: Path, first: Fault | None):
    own_cache.rename(tmp_path / "away")
    own_cache.symlink_to(os.devnull)
    assert fault(tmp_path) == first
