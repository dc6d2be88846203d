"""The files that come with the grader, inside an installed package or in a checkout, and how to install an extra."""

import json
from contextlib import suppress
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
INSTALLED = PACKAGE / "data"
CHECKOUT = PACKAGE.parent
NAME = "matmul-grader"


def folder(name: str) -> Path:
    """The folder `reference`, `rubrics` or `student_template`."""
    return INSTALLED / name if (INSTALLED / name).is_dir() else CHECKOUT / name


def install(extra: str) -> str:
    """Return the command that installs an extra from the checkout, the address or the file of this installation."""
    with suppress(OSError):  # a worker may not read it
        if (CHECKOUT / "pyproject.toml").is_file():
            return f"pip install '{CHECKOUT}[{extra}]'"
    source = _source()
    return f"pip install '{NAME}[{extra}]{f' @ {source}' if source else ''}'"


def _source() -> str:
    """Return where pip installed this package from (PEP 610); empty if that was not recorded."""
    from importlib.metadata import PackageNotFoundError, distribution  # takes ten milliseconds to import

    try:
        recorded = json.loads(distribution(NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return ""
    url, vcs = recorded.get("url", ""), recorded.get("vcs_info")
    return f"{vcs['vcs']}+{url}@{vcs['commit_id']}" if vcs else url
