"""The picture in the README: what `grade run` shows for a report.

python tests/benchmarks/picture.py grade-report/report.json docs/grade.svg
"""

import io
import re
import sys
from pathlib import Path

from rich.console import Console

from grader.cli import terminal
from grader.report import json_document

WIDTH = 100
WEB_FONTS = re.compile(r"@font-face \{.*?\}", re.DOTALL)  # a picture in a README fetches nothing


def picture(report: Path) -> str:
    console = Console(record=True, width=WIDTH, force_terminal=True, file=io.StringIO(), highlight=False)
    shown = json_document.REPORT.read(report)
    console.print(terminal.machine_line(shown.machine))
    console.print(terminal.summary(shown))
    return WEB_FONTS.sub("", console.export_svg(title=f"grade run {shown.source.name}"))


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(picture(Path(sys.argv[1])), encoding="utf-8")
