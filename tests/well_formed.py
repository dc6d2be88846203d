"""Whether the text of a format is well-formed, and has no more structure than the same text about harmless words."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lxml import etree, html
from markdown_it import MarkdownIt

from grader.text.csv_cells import STARTS_FORMULA
from tests import report as report_tests

JENKINS = etree.XMLSchema(etree.parse(Path(report_tests.__path__[0]) / "junit-10.xsd"))
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\ud800-\udfff\ufffe\uffff]")
NUMBER = re.compile(r"-?\d+(\.\d+)?")


def structure(name: str, text: str) -> set[Any]:
    """Return the elements, keys or columns of a format's text. Raises AssertionError or a parser's error."""
    unfit = FORBIDDEN.search(text.replace("\r\n", "\n"))
    assert not unfit, (name, unfit)
    kind = next((kind for kind in CHECKS if kind in name), None)
    return CHECKS[kind](text) if kind else set()


def _elements(root: Any) -> set[Any]:
    elements = [element for element in root.iter() if isinstance(element.tag, str)]
    scripts = {etree.tostring(element, with_tail=False) for element in elements if element.tag == "script"}
    return {(element.tag, *sorted(element.attrib)) for element in elements} | scripts


def _junit_of_jenkins(text: str) -> set[Any]:
    assert JENKINS.validate(etree.fromstring(text.encode())), JENKINS.error_log
    return _junit(text)


def _junit(text: str) -> set[Any]:
    assert text.isascii()
    assert not re.search(r"\[\[ATTACHMENT\|", text)
    root = etree.fromstring(text.encode())
    names = [case.get("name") for case in root.iter("testcase")]
    assert len(names) == len(set(names))
    return {(element.tag, *sorted(element.attrib)) for element in root.iter()}


def _columns(text: str) -> set[Any]:
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    cells = [cell for row in rows[1:] for cell in row if cell.startswith(STARTS_FORMULA)]
    assert all(NUMBER.fullmatch(cell) for cell in cells), cells
    return {len(row) for row in rows}


def _keys(value: Any) -> set[Any]:
    if isinstance(value, list):
        return set().union(*map(_keys, value))
    if isinstance(value, dict):
        return set(value).union(*map(_keys, value.values()))
    return set()


def _commands(text: str) -> set[Any]:
    """Return the commands outside of the block in which GitHub obeys none, without what they say."""
    before, _, after = text.partition("::MARK::\n")
    assert before.startswith("::stop-commands::MARK\n")
    assert "::MARK::" not in before
    return {re.sub(r"=[^,]*", "", line.removeprefix("::").partition("::")[0]) for line in after.split("\n")}


def _not_a_number(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def _json(text: str) -> set[Any]:
    return _keys(json.loads(text, parse_constant=_not_a_number))


CHECKS: dict[str, Callable[[str], set[Any]]] = {
    "html": lambda text: _elements(html.document_fromstring(text)),
    "junit.xml of CI": _junit,
    "junit.xml": _junit_of_jenkins,
    "csv": _columns,
    "github-summary": lambda text: _elements(html.document_fromstring(f"<body>{MARKDOWN.render(text)}</body>")),
    "github-annotations": _commands,
    "github-outputs": lambda text: {line.partition("=")[0] for line in text.split("\n")},
    "autolab": lambda text: _json(text.rstrip("\n").rpartition("\n")[2]),
    **dict.fromkeys(("report.json", "gitlab", "prairielearn", "gradescope", "classroom50", "sarif"), _json),
}
