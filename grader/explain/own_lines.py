"""The lines of a submission of several files by the file that each is from, in what students read. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from grader.contract.source_name import file_name
from grader.model import CaseResult, Fault, Report, Source

LINES = re.compile(r"\b([Ll]ines?) (\d{1,9}(?:(?:, | and | to )\d{1,9})*)\b(?! of the PTX)")


def with_own_lines(report: Report) -> Report:
    """Return a report whose sentences name lines as the student's files have them."""
    if not report.source.parts:
        return report
    fault = _fault(report.fault, report.source) if report.fault else None
    return replace(report, fault=fault, results=tuple(_result(each, report.source) for each in report.results))


def _result(result: CaseResult, source: Source) -> CaseResult:
    return replace(result, fault=_fault(result.fault, source)) if result.fault else result


def _fault(fault: Fault, source: Source) -> Fault:
    in_log = re.compile(rf"\b{re.escape(file_name(source.name))}([:(])(\d{{1,9}})")

    def placed(found: re.Match[str]) -> str:
        name, line = source.place(int(found[2]))
        return f"{name}{found[1]}{line}"

    sentence, hint, cause = (_words(text, source) for text in (fault.sentence, fault.hint, fault.cause))
    return replace(fault, sentence=sentence, hint=hint, cause=cause, detail=in_log.sub(placed, fault.detail))


def _words(text: str, source: Source) -> str:
    def placed(found: re.Match[str]) -> str:
        names, lines = zip(*(source.place(int(line)) for line in re.findall(r"\d+", found[2])), strict=True)
        own = iter(lines)
        numbers = re.sub(r"\d+", lambda _: str(next(own)), found[2])
        return f"{found[1]} {numbers}{'' if names[-1] == source.name else f' of {names[-1]}'}"

    return LINES.sub(placed, text)
