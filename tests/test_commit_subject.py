"""The check of commit subjects, as git's hook runs it."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci" / "commit_subject.py"


def check(message: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "message").write_text(message)
    return subprocess.run([sys.executable, SCRIPT, folder / "message"], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "subject",
    [
        "Add a criterion for achieved bandwidth",
        "Process one size at a time",
        "Speed up the simulator",
        "Move " + "x" * 67,
    ],
)
def test_an_imperative_subject_passes(subject: str, tmp_path: Path):
    assert check(f"{subject}\n\nWhy it is needed.\nMore of it.\n", tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("subject", "reason"),
    [
        ("Add " + "x" * 69, "73 characters"),
        ("add a criterion", "capital letter"),
        ("Add a criterion.", "full stop"),
        ("", "capital letter"),
        ("Labs: every figure is drawn from data", "prefix"),
        ("A worker gets its next submission", "not with 'a'"),
        ("Added a criterion", "not with 'added'"),
        ("Workers of a class have processors of their own", "not with 'workers'"),
    ],
)
def test_another_subject_is_refused_with_the_reason(subject: str, reason: str, tmp_path: Path):
    ended = check(subject, tmp_path)
    assert ended.returncode == 1
    assert reason in ended.stderr
