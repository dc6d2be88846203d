"""The page of environments, against what .ci/environments grades."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE_ROW = re.compile(r"^\| `(\S+/\S+/\S+)` \|", re.MULTILINE)


def test_the_page_has_environments_that_are_graded_and_none_that_is_red() -> None:
    script = (ROOT / ".ci/environments").read_text(encoding="utf-8")
    page = (ROOT / "docs/environments.md").read_text(encoding="utf-8")
    graded = re.search(r'^rows="\n(.*?)^"', script, re.MULTILINE | re.DOTALL)
    assert graded
    rows = TABLE_ROW.findall(page)
    assert rows == [row for row in graded[1].split() if row in rows]
    assert rows
    assert "**red**" not in page
