"""Write results of .ci/environments into the table of a page: `environments_table.py PAGE RESULTS ROW...`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HEAD = (
    "row",
    "system",
    "toolkit",
    "host compiler",
    "Python",
    "`make grade`",
    "`make test-fast`",
    "accepted",
    "found",
    "not compiled by this toolkit",
    "measured",
)
MARK = "<!-- measured -->\n"


def main(page: Path, results: Path, rows: Sequence[str]) -> None:
    """Replace the table of the page by that of these rows; a row without a result is left out."""
    files = {row: results / f"{row.replace('/', '_')}.json" for row in rows}
    seen = {row: json.loads(file.read_text(encoding="utf-8")) for row, file in files.items() if file.exists()}
    lines = HEAD, ["---"] * len(HEAD), *(of_row(row, found) for row, found in seen.items())
    table = "".join(f"| {' | '.join(map(str, cells))} |\n" for cells in lines)
    before, mark, rest = page.read_text(encoding="utf-8").partition(MARK)
    page.write_text(f"{before}{mark}{table}{rest[rest.index('<!-- end -->') :]}", encoding="utf-8")


def of_row(row: str, seen: dict[str, Any]) -> Sequence[object]:
    """Return what was seen with a system, a toolkit and a host compiler."""
    return (
        f"`{row}`",
        f"{seen['system']}, glibc {seen['glibc']}",
        f"nvcc {seen['nvcc']}",
        seen["host"],
        seen["python"],
        seen.get("grade", "not yet"),  # of a row that was measured before these were a part of it
        seen.get("tests", "not yet"),
        f"**red**: {'; '.join(seen['red'])}" if seen["red"] else seen["honest"],
        seen["wrong"],
        ", ".join(f"`{name}`" for name in seen["cannot"]) or "none",
        seen["measured"],
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
