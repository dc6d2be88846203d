"""The text of each format for each kind of report. `python -m tests.export.golden_files` writes the golden files.

JSON that is indented by two is folded there, so that one format is one screen.
"""

import json
from collections.abc import Callable
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path

from grader.errors import InfrastructureError
from grader.export import classroom50, github_actions, gradescope
from grader.export.formats import FORMATS, Format
from grader.model import Report
from tests.export.grades import EVERY
from tests.folded_json import folded

HERE = Path(__file__).parent / "golden"
IDENTITY = {
    "classroom": "parallel-computing",
    "assignment": "matmul",
    "submission": "submit/2025-03-01T08-00-00Z-a1b2c3d",
    "commit": "https://github.com/lab/ada/commit/a1b2c3d",
    "release": "https://github.com/lab/ada/releases/tag/submit",
    "review": "https://github.com/lab/ada/compare/0...a1b2c3d",
    "datetime": "2025-03-01T08:00:00Z",
    "owner": "ada",
}


def rendered(form: Format, report: Report) -> str:
    return form.render(report, "labs/matmul.cu")


RENDER: dict[str, Callable[[Report], str]] = {
    **{format_.name: partial(rendered, format_) for format_ in FORMATS},
    "github-annotations": lambda report: github_actions.log(report, "labs/matmul.cu", "MARK"),
    "gradescope": gradescope.render,
    "classroom50": lambda report: classroom50.render(report, IDENTITY),
}


def document(name: str) -> str:
    """The format's text for every report, one after the other: whole, or as changes of another if that is shorter."""
    texts: dict[str, str] = {}
    said = ""
    for kind, make in EVERY.items():
        text = _said(RENDER[name], make())
        ways = [f"=== {kind} ===\n{text}", *(_as_changes(kind, text, *other) for other in texts.items())]
        said += min(ways, key=lambda way: way.count("\n"))
        texts[kind] = text
    return said


def path(name: str) -> Path:
    return HERE / f"{name}.txt"


def _as_changes(kind: str, text: str, other: str, others_text: str) -> str:
    """The lines that the other text lacks, each behind the numbers of the lines there in whose place it is."""
    lines, others = text.split("\n"), others_text.split("\n")
    said = [f"=== {kind}, as {other} except ==="]
    for tag, first, end, begin, stop in SequenceMatcher(None, others, lines, autojunk=False).get_opcodes():
        place = f"{first + 1}" if end - first == 1 else f"{first + 1}-{end}"
        if tag != "equal":
            said += [f"{place}| {line}" for line in lines[begin:stop]] or [f"{place}|"]
    return "\n".join(said) + "\n"


def _said(render: Callable[[Report], str], report: Report) -> str:
    try:
        text = render(report)
    except InfrastructureError as error:
        return f"refused: {error.sentence}\n"
    try:
        values = json.loads(text)
    except ValueError:
        return text
    return f"{folded(values)}\n" if json.dumps(values, indent=2) + "\n" == text else text


if __name__ == "__main__":
    for name in RENDER:
        path(name).write_text(document(name), encoding="utf-8")
