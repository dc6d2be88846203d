"""What people see, at the width of a plain terminal."""

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console, RenderableType
from rich.padding import Padding

from grader.cli import console, terminal
from grader.model import Fault, Report, Source, Verdict
from tests.report import examples
from tests.report.examples import LARGE, SMALL


def shown(what: RenderableType) -> str:
    file = io.StringIO()
    Console(file=file, width=80, highlight=False).print(what)
    text = file.getvalue()
    assert max(map(len, text.splitlines())) <= 80
    return text


def summary(report: Report) -> str:
    return " ".join(shown(terminal.summary(report)).split())


def test_a_file_has_each_sentence_in_one_line_without_blanks_at_its_end(capsys: pytest.CaptureFixture[str]):
    sentence = "It was added. " * 20
    console.show(Padding(sentence, (0, 0, 1, 0)))
    assert capsys.readouterr().out == f"{sentence.rstrip()}\n\n"


def test_a_measured_grade_shows_speed_ratios_and_points():
    text = summary(examples.report())
    assert "N=1024 correct 500" in text
    assert "3.00" in text
    assert "50.0" in text
    assert "total" in text


def test_the_simulator_never_shows_a_speed():
    text = summary(examples.simulated())
    assert "GFLOPS ±" not in text
    assert "points need a GPU" in text


def test_a_wrong_answer_is_explained_once_for_all_its_cases():
    results = tuple(examples.wrong(shape, run) for shape in (SMALL, LARGE) for run in ("first", "second"))
    text = summary(examples.report(results=results, measurements=()))
    assert text.count("The last row of C is wrong.") == 1
    assert "Hint: Look again." in text
    assert "N=256 wrong answer (2 of 2 runs)" in text
    assert text.count("correct at 0 of 2 sizes") == 1, "and not again for every criterion that depends on it"


def test_a_compilation_error_is_shown_with_its_line_and_the_compilers_words():
    text = summary(examples.not_compiled())
    assert "compile error: matmul.cu:3: Line 3 does not compile." in text
    assert "Hint: A semicolon is missing." in text
    assert "matmul.cu(3): error" in text


def test_text_of_the_student_is_never_read_as_markup_or_as_an_escape():
    fault = Fault(Verdict.COMPILE_ERROR, "[red]no[/red] \x1b[31mred", "[link=x]y", 1, "[bold]log")
    report = examples.not_compiled(fault=fault, source=Source("[i]x\x1b[0m.cu", examples.HASH, 1))
    text = summary(report)
    assert "[red]no[/red] red" in text
    assert "[link=x]y" in text
    assert "[bold]log" in text
    assert "[i]x.cu" in text
    assert "\x1b" not in text


def test_what_the_kernel_printed_is_shown_and_cut():
    results = (examples.ok(SMALL, "second", printed="a line\n" + "x" * 10_000),)
    text = shown(terminal.summary(examples.report(results=results, measurements=())))
    assert "The kernel printed at N=256" in text
    assert len(text) < 5000


def test_many_printed_lines_leave_the_explanation_on_the_screen():
    results = (examples.ok(SMALL, "second", printed="row\n" * 100),)
    text = shown(terminal.verdict_only(examples.report(results=results, measurements=())))
    assert text.count("row") == 15
    assert "The kernel printed at N=256 (first 15 lines)" in text


def test_what_the_kernel_printed_is_no_command_for_a_ci_system():
    lines = (
        "::error::no\n  ::set-output::x\n##vso[task.complete]\n##[error]x\nx ##teamcity[message]\n" + "::stop::" * 99
    )
    results = (examples.ok(SMALL, "second", printed=lines),)
    text = shown(terminal.summary(examples.report(results=results, measurements=())))
    assert "::error::no" in text
    assert not [line for line in text.splitlines() if line.strip().startswith("::")]
    assert not re.search(r"##\w*\[", text)


def test_check_shows_sizes_only_when_something_is_wrong():
    good = shown(terminal.verdict_only(examples.simulated()))
    bad = shown(terminal.verdict_only(examples.simulated(results=(examples.wrong(SMALL, "second"),))))
    assert good == "Correct at N=256, N=1024: 4 runs.\n"
    assert "verdict" in bad
    assert "Hint: " in bad


@pytest.mark.parametrize(
    ("report", "words"),
    [(examples.report(), "on the GPU (NVIDIA H200, sm_90): a GPU is there"), (examples.simulated(), "there is no GPU")],
)
def test_the_first_line_says_which_backend_and_why(report: Report, words: str):
    assert words in str(terminal.machine_line(report.machine))


def test_the_progress_line_says_what_was_done_last():
    report = examples.simulated()
    begun = replace(report, build=None, results=())
    assert terminal.progress_line(begun, "", 9) == "compiling"
    assert terminal.progress_line(replace(report, results=()), "compiling", 9) == "compiled; checking"
    assert terminal.progress_line(report, "checking", 9) == "checking: N=1024 correct (4 of 9 runs)"


def test_a_size_is_reported_when_it_is_done():
    skipped = examples.failed(LARGE, "repeated", Verdict.SKIPPED)
    skipped = replace(skipped, case=replace(skipped.case, launches=20))
    report = examples.simulated(results=(*examples.right()[:2], examples.wrong(LARGE, "second"), skipped))
    assert terminal.finished_sizes(replace(report, results=report.results[:2]), "checking") == [
        "compiled with nvcc 13.0"
    ]
    assert terminal.finished_sizes(report, "checking")[1:] == [
        "checking N=256: correct",
        "checking N=1024: wrong answer",
    ]
