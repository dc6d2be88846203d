"""SARIF 2.1.0 (OASIS): mistakes with their lines, for GitHub code scanning and editors.

A submission that cannot be graded here, and a grader error, are notifications of the tool and not results: neither is a
mistake in the code.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from grader.export import feedback, points
from grader.export.json_text import Json, document
from grader.model import Fault, Report, Verdict
from grader.text.clean import shorten

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION = "2.1.0"
LONGEST_MESSAGE, MOST_RESULTS = 2000, 1000

# What happened and what to try, by verdict. GitHub's code scanning requires both.
RULES = {
    Verdict.WRONG_ANSWER: (
        "Elements of C differ from the product of A and B.",
        "Check the indices, the edges of the matrix and the barriers, at the smallest size that fails.",
    ),
    Verdict.OUT_OF_BOUNDS: (
        "A thread accesses memory outside an array.",
        "Compare row, column and k with the size of the matrix before every access.",
    ),
    Verdict.CRASHED: ("The kernel crashed.", "Check pointers, indices and assertions."),
    Verdict.DATA_RACE: (
        "Two threads access the same memory, at least one of them writes, and nothing orders them.",
        "Put a __syncthreads() between the two accesses, or give each element to one thread.",
    ),
    Verdict.UNSET_MEMORY: ("A thread reads memory that was never set.", "Set it before it is read."),
    Verdict.WARP_MASK: (
        "A thread executes a warp operation whose mask does not contain it, or reads from a thread that takes no part.",
        "Let all 32 threads execute the operation, and pass the mask of all of them.",
    ),
    Verdict.BARRIER: (
        "Some threads of a block do not reach a barrier.",
        "Let all threads of the block reach every __syncthreads(): no return and no condition before it.",
    ),
    Verdict.TIMEOUT: ("The kernel did not end within the time limit.", "Check the condition of every loop."),
    Verdict.MEMORY: ("The kernel needs more memory than the limit.", "Allocate less."),
    Verdict.OUTPUT: ("The kernel prints more than the limit.", "Remove calls of printf."),
    Verdict.LAUNCH_FAILED: ("The device refuses the launch.", "Reduce threads per block, registers or shared memory."),
    Verdict.COMPILE_ERROR: ("The file does not compile.", "Fix the first error of the compiler; it may cause others."),
    Verdict.BAD_FILE: ("The file is not a source file.", "Submit the .cu file itself."),
    Verdict.NO_KERNEL: ("The file has no kernel with the lab's name.", 'Declare it as extern "C" __global__ void.'),
    Verdict.WRONG_SIGNATURE: ("The kernel's parameters are not the lab's.", "Keep the parameters of the template."),
    Verdict.IMPOSSIBLE_RATE: (
        "The kernel is faster than the device can be, so it does not compute the product.",
        "Compute every element of C in every launch.",
    ),
}


def render(report: Report, path: str) -> str:
    """Return the log with one run. `path` is relative to the root of the repository."""
    why = points.why_no_grade(report)
    invocation: Json = {"executionSuccessful": not why}
    if why:
        invocation["toolExecutionNotifications"] = [{"level": "error", "message": {"text": why}}]
    mistakes = feedback.every_mistake(report)[:MOST_RESULTS]
    run = {
        "tool": {"driver": _driver(report, mistakes)},
        "invocations": [invocation],
        "results": [_result(report, mistake, path) for mistake in mistakes],
    }
    return document({"$schema": SCHEMA, "version": VERSION, "runs": [run]})


def _driver(report: Report, mistakes: Sequence[Fault]) -> Json:
    rules = [_rule(verdict) for verdict in dict.fromkeys(mistake.verdict for mistake in mistakes)]
    return {"name": "matmul-grader", "version": report.grader_version, "rules": rules}


def _rule(verdict: Verdict) -> Json:
    happened, advice = RULES[verdict]
    return {
        "id": verdict,
        "shortDescription": {"text": verdict.words.capitalize()},
        "fullDescription": {"text": happened},
        "help": {"text": advice},
    }


def _result(report: Report, mistake: Fault, path: str) -> Json:
    line = feedback.line_to_show(report, mistake)
    others = {access.line: access.does for access in mistake.accesses if access.line and access.line != line}
    result: Json = {
        "ruleId": mistake.verdict,
        "level": "error",
        "message": {"text": shorten(feedback.advice(mistake, mistake.sentence), LONGEST_MESSAGE)},
        "locations": [_location(path, line)],
    }
    if others:
        result["relatedLocations"] = [_location(path, at) | {"message": {"text": does}} for at, does in others.items()]
    return result


def _location(path: str, line: int) -> Json:
    place = {"artifactLocation": {"uri": quote(path.removeprefix("./"))}, "region": {"startLine": line}}
    return {"physicalLocation": place}
