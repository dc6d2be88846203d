"""The exports for GitHub: commands parsed as by its runner, Markdown rendered, points summed as by Classroom."""

import base64
import html
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from grader.export import github_actions, github_classroom
from grader.model import Report, Shape, Verdict
from tests.export import grades
from tests.report import examples

texts = st.text(st.characters(exclude_categories=["Cs"]))
markdown = MarkdownIt("commonmark", {"html": True}).enable("table")


def read(line: str) -> tuple[str, dict[str, str], str]:
    """The command of a line as actions/runner takes it apart (ActionCommand.cs)."""
    head, _, message = line.removeprefix("::").partition("::")
    name, _, listed = head.partition(" ")
    pairs = (pair.partition("=") for pair in listed.split(",") if pair)
    properties = {key: unescaped(value, {"%3A": ":", "%2C": ","}) for key, _, value in pairs}
    return name, properties, unescaped(message, {})


def unescaped(text: str, more: dict[str, str]) -> str:
    known = {"%0D": "\r", "%0A": "\n", "%25": "%"} | more
    return re.sub("|".join(known), lambda match: known[match[0]], text)


@given(texts, texts, texts)
def test_a_command_says_what_it_was_given_on_one_line(message: str, file: str, title: str):
    line = github_actions.command("error", message, file=file, line=3, title=title)
    assert not {"\r", "\n"} & set(line)
    name, properties, said = read(line)
    assert (name, said) == ("error", message)
    assert properties == {"file": file, "line": "3", "title": title}


def test_errors_stay_within_what_github_shows_of_one_step():
    commands = github_actions.annotated(grades.huge(), "matmul.cu").splitlines()
    assert [read(line)[0] for line in commands].count("error") == 10
    assert all(len(line) < 7000 for line in commands)


def test_the_notice_says_how_many_mistakes_are_in_the_summary_alone():
    *_, notice = github_actions.annotated(grades.many_mistakes(14), "matmul.cu").splitlines()
    assert read(notice)[2].endswith("Mistakes that are only in the summary of the job: 4.")
    *_, notice = github_actions.annotated(grades.many_mistakes(10), "matmul.cu").splitlines()
    assert "summary" not in notice


def test_without_a_grade_the_reason_is_one_of_the_ten_errors():
    rubric = grades.only_speed_on_simulator().rubric
    report = examples.simulated(rubric=rubric, results=grades.many_mistakes(14).results)
    *errors, notice = map(read, github_actions.annotated(report, "matmul.cu").splitlines())
    assert [name for name, *_ in errors] == ["error"] * 10
    assert errors[0][1] == {"title": "No grade on this machine"}
    assert notice == ("notice", {"title": "Mistakes"}, "Mistakes that are only in the summary of the job: 5.")


def test_an_annotation_names_the_file_as_github_does():
    first, *_ = github_actions.annotated(grades.wrong(), "./labs/matmul.cu").splitlines()
    assert read(first)[1]["file"] == "labs/matmul.cu"


@pytest.mark.parametrize("made", grades.EVERY.values(), ids=grades.EVERY)
def test_everything_untrusted_lies_between_the_marks_or_is_escaped(made: Any):
    mark = "0123456789abcdef"
    lines = github_actions.log(made(), "matmul.cu", mark).splitlines()
    end = lines.index(f"::{mark}::")
    assert lines[0] == f"::stop-commands::{mark}"
    assert {read(line)[0] for line in lines[end + 1 :]} <= {"error", "notice"}


def test_without_a_grade_the_outputs_have_no_number():
    assert "earned=\n" in github_actions.outputs(examples.broken_machine())
    assert "earned=60\npoints=60\nnot-measured=40\n" in github_actions.outputs(grades.on_simulator())


@given(texts)
def test_words_stay_words_in_markdown(words: str):
    rendered = markdown.render(f"| a |\n| --- |\n| x {github_actions.text(words)} |\n")
    cell = re.search(r"<td>(.*)</td>", rendered, re.DOTALL)
    assert cell is not None
    assert "<" not in cell[1]
    assert html.unescape(cell[1]).split() == f"x {html.unescape(github_actions.text(words))}".split()


@given(texts)
def test_a_block_shows_its_lines_and_nothing_else(words: str):
    rendered = markdown.render(f"before\n\n{github_actions.block(words)}\n\nafter\n")
    assert re.findall(r"</?\w+", rendered) == ["<p", "</p", "<pre", "</pre", "<p", "</p"]


@pytest.mark.parametrize("made", grades.EVERY.values(), ids=grades.EVERY)
def test_the_summary_has_only_the_elements_that_it_means(made: Any):
    rendered = markdown.render(github_actions.summary(made()))
    assert set(re.findall(r"<(\w+)", rendered)) <= {"h2", "p", "table", "thead", "tbody", "tr", "th", "td", "pre"}


def test_the_summary_leaves_out_cases_that_were_skipped_because_their_size_failed():
    skipped = examples.failed(examples.LARGE, "repeated", Verdict.SKIPPED)
    failed = examples.wrong(examples.LARGE, "second")
    assert "skipped" not in github_actions.summary(examples.report(results=(failed, skipped), measurements=()))


def test_a_summary_beyond_the_limit_loses_its_end_and_not_everything():
    title = "\N{GRINNING FACE}" * 200
    criteria = tuple(grades.Criterion(f"c{number}", title, "compiles", 1.0) for number in range(1000))
    text = github_actions.summary(examples.report(rubric=examples.rubric(criteria=criteria)))
    assert text.startswith("## Square lab")
    assert text.rstrip().endswith(github_actions.CUT)
    assert len(text.encode()) <= 1 << 20


def test_the_summary_has_every_mistake_the_first_ones_whole():
    said = github_actions.summary(grades.many_mistakes(14))
    assert [f"Mistake {number}." in said for number in range(1, 15)] == [True] * 14
    assert said.count("Hint: Mend it.") == 10
    assert "4 more, each in one line:" in said
    assert github_actions.ELSEWHERE not in said


def test_a_summary_of_very_many_mistakes_says_how_many_it_leaves_out_and_where_they_are():
    said = github_actions.summary(grades.many_mistakes(10 + github_actions.MOST_LISTED + 3))
    assert f"And 3 more. {github_actions.ELSEWHERE}" in said


def test_a_summary_of_very_many_sizes_says_how_many_it_leaves_out_and_where_they_are():
    shapes = [Shape(N, N, N) for N in range(1, github_actions.MOST_SIZES + 1)]
    results = (*examples.right(), *(examples.ok(shape, "second") for shape in shapes))
    said = github_actions.summary(examples.report(results=results))
    assert f"And 2 more sizes. {github_actions.ELSEWHERE}" in said


def summed(report: Report) -> tuple[float, float]:
    """Points and maximum, as the notifier of classroom-resources/autograding-grading-reporter adds them up."""
    result = json.loads(base64.b64decode(github_classroom.encoded(report)))
    if not result["max_score"]:
        return 0, 0
    return sum(test["score"] for test in result["tests"]), result["max_score"]


@pytest.mark.parametrize("made", grades.GRADED.values(), ids=grades.GRADED)
def test_the_notices_say_what_the_reporter_would(made: Any):
    earned, maximum = summed(made())
    complete, report = (read(line) for line in github_classroom.notices(made()).splitlines())
    assert complete == ("notice", {"title": "Autograding complete"}, f"Points {earned:g}/{maximum:g}")
    assert report[1] == {"title": "Autograding report"}
    assert json.loads(report[2]) == {"totalPoints": earned, "maxPoints": maximum}


@pytest.mark.parametrize("made", grades.UNGRADED.values(), ids=grades.UNGRADED)
def test_without_a_grade_classroom_gets_an_error_and_no_points(made: Any):
    result = github_classroom.result(made())
    assert (result["status"], result["max_score"]) == ("error", 0)
    assert summed(made()) == (0, 0)
    assert github_classroom.notices(made()) == ""


def test_the_whole_passes_only_if_every_answer_is_correct():
    said = {kind: github_classroom.result(made())["status"] for kind, made in grades.GRADED.items()}
    assert [kind for kind, status in said.items() if status == "pass"] == ["right and fast", "on the simulator"]
