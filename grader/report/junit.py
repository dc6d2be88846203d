"""JUnit XML in the two families that its readers need; docs/report.md lists which reader needs which.

junit-xml builds the elements. It validates nothing, so every text is cleaned before, and what the Jenkins schema
junit-10.xsd forbids is removed afterwards.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count

from junit_xml import TestCase, TestSuite

from grader.errors import UsageError
from grader.model import Report
from grader.report.junit_cases import CaseOutcome, Ended, outcomes
from grader.rubric.outcome import grade, outcome
from grader.rubric.rounding import rounded, shown
from grader.text.clean import clean, one_line, shorten

FAMILIES = ("xunit2", "ci")
LONGEST_NAME, LONGEST_PATH = 200, 1000
LONGEST_MESSAGE = 500
_ATTACHMENT = re.compile(r"\[\[(?=\s*ATTACHMENT)", re.IGNORECASE)  # GitLab and Jenkins link the path behind it
LONGEST_TEXT = 20_000  # GitLab takes 30 MB a file, Jenkins keeps 50 000 characters of a failing suite


@dataclass(frozen=True, slots=True)
class Dialect:
    """Family 'xunit2' keeps to junit-10.xsd; 'ci' adds the file and line of each fault.

    `source` is the path of the submission in its repository; empty for its name.
    """

    family: str = "xunit2"
    source: str = ""

    def of(self, student: str, file: str) -> Dialect:
        """Return the dialect for one student of a class, of whose paths `source` is a template."""
        return replace(self, source=self.source.replace("{student}", student).replace("{file}", file))


STRICT = Dialect()  # what every strict reader takes


def render(report: Report, dialect: Dialect = STRICT) -> str:
    """Return the XML document. Raises UsageError for an unknown family."""
    if dialect.family not in FAMILIES:
        raise UsageError(f"There is no JUnit family {dialect.family}.", f"Use one of {', '.join(FAMILIES)}.")
    return document(report.rubric.title, [suite(report, dialect)])


def document(title: str, suites: Sequence[ET.Element]) -> str:
    """Return the XML document of these suites, with their totals."""
    root = ET.Element("testsuites", {"name": _attribute(title)})
    for total in ("tests", "failures", "errors"):
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in suites)))
    root.set("time", f"{math.fsum(float(suite.get('time', '0')) for suite in suites):.3f}")
    root.extend(suites)
    ET.indent(root)
    text = ET.tostring(root, encoding="us-ascii").decode("ascii")  # some readers guess the encoding from U+FFFD
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def suite(report: Report, dialect: Dialect) -> ET.Element:
    """Return the <testsuite> of one report, for a document of one or of a class."""
    every = outcomes(report)
    names = _unique([_attribute(outcome.name) for outcome in every])
    path = one_line(dialect.source.removeprefix("./"), LONGEST_PATH) or _attribute(report.source.name)
    cases = [_case(report, outcome, name, dialect.family, path) for outcome, name in zip(every, names, strict=True)]
    junit = TestSuite(
        _attribute(report.rubric.title),
        cases,
        hostname="localhost",  # as Ant writes for a host without a name
        timestamp=_timestamp(report.started),
        properties=_properties(report),
    )
    element: ET.Element = junit.build_xml_doc(encoding="utf-8")
    element.attrib.pop("disabled")  # not in junit-10.xsd
    seconds = [each.seconds if math.isfinite(each.seconds) and each.seconds > 0 else 0.0 for each in every]
    for case, spent in zip(element.iter("testcase"), seconds, strict=True):
        case.set("time", f"{spent:.3f}")  # junit-xml drops a zero, and some readers then show NaN
    element.set("time", f"{math.fsum(seconds):.3f}")
    return element


def _case(report: Report, outcome: CaseOutcome, name: str, family: str, source: str) -> TestCase:
    case = TestCase(name, f"{_attribute(report.rubric.interface.name)}.{outcome.group}", stdout=_text(outcome.printed))
    name_of_file, line = report.source.place(outcome.line) if outcome.line else (report.source.name, None)
    source = source if name_of_file == report.source.name else _attribute(name_of_file)
    if family == "ci" and outcome.ended in {Ended.FAILURE, Ended.ERROR}:
        case.file, case.line = source, line or report.source.kernel_line
    message = message_of(outcome.message) or outcome.ended.capitalize()
    place = "" if line is None else f" {source}:{line}"  # some readers search the text for it
    text = _text("\n".join(part for part in (message, outcome.text, place) if part))
    match outcome.ended:  # always with message and text: junit-xml reports a case without them as passed
        case Ended.FAILURE:
            case.add_failure_info(message, text, outcome.type)
        case Ended.ERROR:
            case.add_error_info(message, text, outcome.type)
        case Ended.SKIPPED:
            case.add_skipped_info(message, text)
    return case


def _unique(names: list[str]) -> list[str]:
    """Number repeated names: GitLab and Artemis identify a case by its name alone."""
    unique: list[str] = []
    for name in names:
        candidates = (name if number == 1 else f"{name} #{number}" for number in count(1))
        unique.append(next(candidate for candidate in candidates if candidate not in unique))
    return unique


def _properties(report: Report) -> dict[str, str]:
    machine, score = report.machine, grade(report)
    values = {
        "grader": report.grader_version,
        "state": report.state,
        "seed": str(report.seed),
        "submission": f"{report.source.name} sha256:{report.source.sha256}",
        "rubric": f"{report.rubric.title} sha256:{report.rubric.sha256}",
        "backend": machine.backend,
        "device": machine.device,
        "architecture": machine.architecture,
        "compiler": "" if report.build is None else report.build.compiler,
        **{f"version {name}": version for name, version in machine.versions.items()},
    }
    values |= {"outcome": outcome(report)}
    if score is not None:
        values |= {"points earned": f"{rounded(score.earned):.2f}", "points": shown(score.points)}
        values |= {"points not measured": shown(score.not_measured)}
    return {_attribute(name): _attribute(value) for name, value in values.items() if value}


def _timestamp(started: str) -> str | None:
    """Return the time in UTC without a zone, which Ant's schema lacks; None where it cannot be parsed."""
    try:
        return datetime.fromisoformat(started).astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        return None


def message_of(text: str) -> str:
    """Return the message of a case in one line, which attaches no file."""
    return _ATTACHMENT.sub("[ [", one_line(text, LONGEST_MESSAGE))


def _attribute(text: str) -> str:
    return _ATTACHMENT.sub("[ [", one_line(text, LONGEST_NAME)) or "unnamed"


def _text(text: str) -> str:
    return _ATTACHMENT.sub("[ [", shorten(clean(text), LONGEST_TEXT))
