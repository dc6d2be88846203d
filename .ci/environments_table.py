"""Write results of .ci/environments into the table of a page: `environments_table.py PAGE RESULTS ROW...`."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TABLE = re.compile(r"(?<=<!-- measured -->\n).*?(?=<!-- end -->)", re.DOTALL)
HEAD = (
    "| row | system | toolkit | host compiler | Python | accepted | found | not compiled by this toolkit | measured |\n"
    "|---|---|---|---|---|---|---|---|---|\n"
)


def main(page: Path, results: Path, rows: Sequence[str]) -> None:
    """Replace the table of the page by one of these rows; a row without a result is left out."""
    files = (results / f"{row.replace('/', '_')}.json" for row in rows)
    read = zip(rows, files, strict=True)
    lines = [line(row, json.loads(file.read_text(encoding="utf-8"))) for row, file in read if file.exists()]
    text = page.read_text(encoding="utf-8")
    page.write_text(TABLE.sub(lambda _: f"{HEAD}{''.join(lines)}", text), encoding="utf-8")


def line(row: str, seen: dict[str, Any]) -> str:
    """Return one row of the table."""
    cells = (
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
    return f"| {' | '.join(map(str, cells))} |\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
