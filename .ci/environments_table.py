"""Write results of .ci/environments into the tables of a page: `environments_table.py PAGE RESULTS ROW...`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

README = "/readme"  # the end of the name of a row for the commands of the README
GRADED = (
    "row",
    "system",
    "toolkit",
    "host compiler",
    "Python",
    "accepted",
    "found",
    "not compiled by this toolkit",
    "measured",
)
COMMANDS = "system", "Python", "`make grade`", "`make test-fast`", "measured"


def main(page: Path, results: Path, rows: Sequence[str]) -> None:
    """Replace the tables of the page by those of these rows; a row without a result is left out."""
    files = {row: results / f"{row.replace('/', '_')}.json" for row in rows}
    seen = {row: json.loads(file.read_text(encoding="utf-8")) for row, file in files.items() if file.exists()}
    graded = [of_row(row, found) for row, found in seen.items() if not row.endswith(README)]
    commands = [of_commands(row.removesuffix(README), found) for row, found in seen.items() if row.endswith(README)]
    text = page.read_text(encoding="utf-8")
    for name, head, lines in (("measured", GRADED, graded), ("readme", COMMANDS, commands)):
        table = "".join(f"| {' | '.join(map(str, cells))} |\n" for cells in (head, ["---"] * len(head), *lines))
        before, mark, rest = text.partition(f"<!-- {name} -->\n")
        text = f"{before}{mark}{table}{rest[rest.index('<!-- end -->') :]}"
    page.write_text(text, encoding="utf-8")


def of_commands(system: str, seen: dict[str, Any]) -> Sequence[object]:
    """Return how the commands of the README ended on a system."""
    score = seen["score"] or {"earned": 0, "points": 0}
    points = f"{seen['grade']}, {score['earned']:g} of {score['points']:g}"
    return f"`{system}`", seen["python"], points, seen["tests"], seen["measured"]


def of_row(row: str, seen: dict[str, Any]) -> Sequence[object]:
    """Return what was seen with a system, a toolkit and a host compiler."""
    return (
        f"`{row}`",
        f"{seen['system']}, glibc {seen['glibc']}",
        f"nvcc {seen['nvcc']}",
        seen["host"],
        seen["python"],
        f"**red**: {'; '.join(seen['red'])}" if seen["red"] else seen["honest"],
        seen["wrong"],
        ", ".join(f"`{name}`" for name in seen["cannot"]) or "none",
        seen["measured"],
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
