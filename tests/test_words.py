"""What people read is in plain English: documents, pages, schemas, and every string of the grader.

The output of `--help` is made of these strings too.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WORDS = re.compile(
    r"\b(mend(s|ed|ing)?|whoever|nought|(of )?ours|(of )?theirs|hand-?ins?|(is|are|was|were|be|been|being)\s+told"
    r"|has\s+to\s+say|is\s+to\s+be\s+had|is\s+through|wants\s+an?|stands?\s+for|came\s+of\s+it|in\s+vain|fell\s+short|hand(s|ed)?\s+in|found\s+out)\b",
    re.IGNORECASE,
)
TEXTS = {".md", ".ipynb", ".html", ".j2", ".css", ".json", ".toml", ".cu"}
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "docs", "student_template", "rubrics", "reference", "grader/include/lab.h"]
ROOMS = sorted(f"grader/{path.name}" for path in (ROOT / "grader").iterdir() if path.is_dir() or path.suffix == ".py")


def files(area: str) -> list[Path]:
    path = ROOT / area
    return [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.suffix in {*TEXTS, ".py"})


def passages(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a file that people read, each with the number of its first line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield 1, text
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def bad_words(path: Path) -> list[str]:
    """Every bad word as file:line: word."""
    return sorted(
        f"{path.relative_to(ROOT)}:{first + text.count(chr(10), 0, match.start())}: {' '.join(match[0].split())}"
        for first, text in passages(path)
        for match in WORDS.finditer(text)
    )


@pytest.mark.parametrize("area", [*DOCUMENTS, *ROOMS])
def test_what_people_read_is_in_plain_english(area: str):
    words = [word for path in files(area) for word in bad_words(path)]
    assert not words, "\n".join(words)


def test_a_word_is_reported_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "page.md").write_text("Fix it.\n\nWhoever reads this is\ntold twice.\n")
    (tmp_path / "code.py").write_text('mend = 1  # whoever\nTEXT = "A fine word."\nWORSE = f"Mend {mend}."\n')
    assert bad_words(tmp_path / "page.md") == ["page.md:3: Whoever", "page.md:3: is told"]
    assert bad_words(tmp_path / "code.py") == ["code.py:3: Mend"]
