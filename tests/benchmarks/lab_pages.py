"""The files of the labs' pages, and the commands on these pages."""

import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "labs"
DATA = PAGES / "data"
FIGURES = PAGES / "figures"
ABOUT_A_ROW = {"name", "study", "file", "subject", "report"}  # every other key is a macro and its value

Entry = Mapping[str, Any]


def layout() -> dict[str, Any]:
    return tomllib.loads((PAGES / "tables.toml").read_text(encoding="utf-8"))


def macros(entry: Entry) -> dict[str, str]:
    return {key: str(value) for key, value in entry.items() if key not in ABOUT_A_ROW}


def commands() -> Iterator[list[str]]:
    """Every `grade sweep` command of the pages, as its words."""
    for path in sorted(PAGES.glob("*.md")):
        for block in re.findall(r"```sh\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
            lines = block.replace("\\\n", " ").splitlines()
            yield from (shlex.split(line) for line in lines if line.startswith("grade sweep "))


def command(study: str) -> list[str]:
    """The words of the command that measures a study; `--output` names the study."""
    commands_of_study = [words for words in commands() if Path(_after("--output", words)).name == study]
    if len(commands_of_study) != 1:
        raise SystemExit(f"study {study}: {len(commands_of_study)} commands of the pages make it, not one")
    return commands_of_study[0]


def rubric_path(study: str) -> Path:
    return ROOT / _after("--rubric", command(study))


def _after(option: str, words: list[str]) -> str:
    return words[words.index(option) + 1] if option in words else ""
