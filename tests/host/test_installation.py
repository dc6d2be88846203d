"""The command that installs an extra names a place that exists: the package is on no registry."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.host import installation
from grader.host.installation import CHECKOUT


def test_in_a_checkout_it_is_the_checkout():
    assert installation.install("batch") == f"pip install '{CHECKOUT}[batch]'"
    assert (CHECKOUT / "pyproject.toml").is_file()


@pytest.mark.parametrize(
    ("recorded", "source"),
    [
        ('{"url": "file:///home/ada/grader.whl", "archive_info": {}}', " @ file:///home/ada/grader.whl"),
        (
            '{"url": "https://example.org/g.git", "vcs_info": {"vcs": "git", "commit_id": "a1b2"}}',
            " @ git+https://example.org/g.git@a1b2",
        ),
        (None, ""),
        ("nonsense", ""),
    ],
)
def test_elsewhere_it_is_where_pip_took_the_package_from(
    recorded: str | None, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(installation, "CHECKOUT", tmp_path)
    monkeypatch.setattr("importlib.metadata.distribution", lambda _: SimpleNamespace(read_text=lambda _: recorded))
    assert installation.install("cuda") == f"pip install 'matmul-grader[cuda]{source}'"
