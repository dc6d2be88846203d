"""Lines of a submission of several files, which are one text to the grader, as the student's own files have them."""

from __future__ import annotations

import re
from dataclasses import replace

from grader.contract.files import file_name
from grader.model import CaseResult, Fault, Report, Source

# Not those of the PTX, nor those of a file that the compiler names.
LINES = re.compile(r"\b([Ll]ines?) (\d{1,9}(?:(?:, | and | to )\d{1,9})*)\b(?! of (?:the PTX|[\"/]))")


def where(line: int, source: Source) -> str:
    """Return a line in words, with its file if another one includes that."""
    return in_own_lines(f"line {line}", source)


def in_own_lines(text: str, source: Source) -> str:
    """Return a text that names lines of the whole text with those of the files."""

    def placed(found: re.Match[str]) -> str:
        names, lines = zip(*(source.place(int(line)) for line in re.findall(r"\d+", found[2])), strict=True)
        own = iter(lines)
        numbers = re.sub(r"\d+", lambda _: str(next(own)), found[2])
        return f"{found[1]} {numbers}{'' if names[-1] == source.name else f' of {names[-1]}'}"

    return LINES.sub(placed, text)


def with_own_lines(report: Report) -> Report:
    """Return a report whose texts name lines as the student's files have them; its numbers stay those of the text."""
    source, build = report.source, report.build
    if not source.parts:
        return report
    return replace(
        report,
        build=replace(build, log=_of_log(build.log, source)) if build else None,
        fault=fault_in_own_lines(report.fault, source),
        results=tuple(_of_result(each, source) for each in report.results),
    )


def _of_result(result: CaseResult, source: Source) -> CaseResult:
    fault, tolerated = fault_in_own_lines(result.fault, source), fault_in_own_lines(result.tolerated, source)
    return replace(result, fault=fault, tolerated=tolerated, remark=in_own_lines(result.remark, source))


def fault_in_own_lines(fault: Fault | None, source: Source) -> Fault | None:
    """Return a fault whose texts name lines as the student's files have them; its numbers stay those of the text."""
    if fault is None or not source.parts:
        return fault
    return replace(
        fault,
        sentence=in_own_lines(fault.sentence, source),
        hint=in_own_lines(fault.hint, source),
        cause=in_own_lines(fault.cause, source),
        missing=in_own_lines(fault.missing, source),
        detail=_of_log(fault.detail, source),
    )


def _of_log(log: str, source: Source) -> str:
    """Return what a compiler says of places in the text, or what else is said of an error."""
    in_log = re.compile(rf"\b{re.escape(file_name(source.name))}([:(])(\d{{1,9}})")

    def placed(found: re.Match[str]) -> str:
        name, line = source.place(int(found[2]))
        return f"{name}{found[1]}{line}"

    return in_log.sub(placed, in_own_lines(log, source))
