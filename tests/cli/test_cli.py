"""The command `grade` as people and scripts use it."""

import json
import os
from pathlib import Path

import pytest

from grader.host import installation, machine
from grader.model import Backend, Report, State
from grader.report import json_document
from tests import lab
from tests.desk import Desk

WRONG = lab.NAIVE.replace("k < N", "k < N - 1")

pytestmark = pytest.mark.usefixtures("simulator")


def graded(desk: Desk) -> Report:
    report = desk.report()
    assert report is not None
    return report


def test_run_writes_both_reports_and_names_them(desk: Desk):
    ended = desk.grade_apart(*desk.run_words(desk.write(lab.NAIVE)))
    report = graded(desk)
    junit = (desk.output / "junit.xml").read_text()
    assert ended.status == 0, ended.words
    assert report.state is State.FINISHED
    assert report.score.earned == 100
    assert junit.count("<testcase ") >= len(report.results)
    assert f"{desk.output}/report.json" in ended.stderr
    assert f"{desk.output}/junit.xml" in ended.stderr


def test_results_go_to_standard_output_and_narration_to_standard_error(desk: Desk):
    ended = desk.run(desk.write(lab.NAIVE), sizes=(33, 64))
    assert "Grading on the simulator" in ended.stderr
    assert "it was requested" in ended.stderr
    assert "checking N=33: correct" in ended.stderr
    assert "Small lab" in ended.stdout
    assert "100.0 / 100" in ended.stdout
    assert "checking" not in ended.stdout


def test_a_wrong_answer_costs_points_and_is_explained(desk: Desk):
    ended = desk.run(desk.write(WRONG))
    assert ended.status == 1
    assert "wrong answer (" in ended.stdout
    assert "Hint: " in ended.stdout
    assert "20.0 / 100" in ended.stdout


def test_json_is_all_that_is_on_standard_output(desk: Desk):
    ended = desk.run(desk.write(WRONG), "--json")
    values = json.loads(ended.stdout)
    json_document.REPORT.schema().validate(values)
    assert values == json.loads((desk.output / "report.json").read_text())
    assert ended.status == 1


def test_the_same_seed_gives_the_same_results_and_fresh_inputs_the_same_score(desk: Desk):
    reports = []
    for seed in (("--seed", "5"), ("--seed", "5"), ()):
        desk.run(desk.write(WRONG), *seed)
        reports.append(graded(desk))
    first, second, third = ([(each.case, each.verdict, each.mismatch) for each in made.results] for made in reports)
    assert first == second != third
    assert reports[0].score == reports[2].score


@pytest.mark.parametrize(("family", "has_line"), [("xunit2", False), ("ci", True)])
def test_the_ci_dialect_of_junit_says_where_a_fault_is(family: str, has_line: bool, desk: Desk):
    desk.run(desk.write(lab.naive_with("sum = 0;")), "--junit-family", family)
    assert (' line="' in (desk.output / "junit.xml").read_text()) is has_line


def test_check_says_correct_or_wrong_and_writes_nothing(desk: Desk):
    rubric = lab.write_rubric(desk.folder)
    right, wrong = desk.write(lab.NAIVE, "right.cu"), desk.write(WRONG, "wrong.cu")
    before = sorted(desk.folder.iterdir())
    good = desk.grade("check", right, "--rubric", rubric)
    bad = desk.grade("check", wrong, "--rubric", rubric)
    assert (good.status, bad.status) == (0, 1)
    assert "Correct at N=33" in good.stdout
    assert "Hint: " in bad.stdout
    assert sorted(desk.folder.iterdir()) == before


@pytest.mark.usefixtures("simulator")
def test_the_value_of_a_macro_is_given_on_the_command_line(desk: Desk):
    sized = desk.write(lab.NAIVE.replace("{16, 16}", "{BLOCK, BLOCK}"))
    rubric = lab.write_rubric(desk.folder)
    assert desk.grade("check", sized, "--rubric", rubric).status == 1  # BLOCK has no value
    assert desk.run(sized, "--define", "BLOCK=8").status == 0
    assert desk.report().build.launch.block == (8, 8, 1)
    several = desk.grade("check", sized, "--rubric", rubric, "--define", "BLOCK=8,16")
    assert (several.status, "To try several values, use `grade sweep`" in several.words) == (2, True)


def test_init_copies_the_template_and_never_overwrites(desk: Desk):
    first = desk.grade("init", "my lab")
    kernel = desk.folder / "my lab" / "matmul.cu"
    assert first.status == 0
    assert "grade check 'my lab/matmul.cu'" in first.stdout
    assert kernel.read_bytes() == (installation.folder("student_template") / "matmul.cu").read_bytes()

    kernel.write_text("my work")
    again = desk.grade("init", "my lab")
    assert again.status == 2
    assert "already contains" in again.stderr
    assert kernel.read_text() == "my work"


def test_doctor_grades_the_starter_and_says_how_to_get_what_is_missing(desk: Desk):
    ended = desk.grade_apart("doctor")
    assert ended.status == 0
    assert "it graded the starter" in " ".join(ended.stdout.split())
    assert all(missing.part in ended.stdout for missing in machine.missing_for(Backend.CUDA))


LYING = {
    "nvcc fails": ("nvcc", "#!/bin/sh\ncase $* in *--version) echo V13.0.88;; *) echo no licence; exit 1;; esac"),
    "g++ makes nothing": ("gcc", "#!/bin/sh\nexit 0"),
}


@pytest.mark.parametrize(("program", "script"), LYING.values(), ids=LYING)
def test_doctor_does_not_believe_what_compilers_say_of_themselves(program: str, script: str, desk: Desk):
    path = desk.folder / "bin" / program
    path.parent.mkdir()
    path.write_text(script)
    path.chmod(0o755)
    ended = desk.grade_apart("doctor", PATH=f"{path.parent}:{os.environ['PATH']}")
    assert ended.status == 3, ended.words
    assert "simulator does not grade the starter:" in " ".join(ended.stdout.split())


def test_rubric_check_reads_a_rubric_and_lists_every_mistake(desk: Desk):
    rubric = lab.write_rubric(desk.folder)
    good = desk.grade("rubric", "check", rubric)
    rubric.write_text(rubric.read_text().replace("points = 80", "points = 8").replace("timing = []", "timing = [64]"))
    bad = desk.grade("rubric", "check", rubric)
    assert (good.status, bad.status) == (0, 2)
    assert "Small lab, 100 points, no mistakes." in good.stdout
    assert "so it must be in sizes.correctness too" in bad.stderr
    assert "add up to 28" in bad.stderr


A_THREAD_FOR_A_COLUMN = """
__global__ void product(const float *A, const float *B, float *C, int n)
{
    int row = blockIdx.x, col = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + col];
    C[row * n + col] = sum;
}
void run(float *a, float *b, float *c, int count) { product<<<count, count>>>(a, b, c, count); }
"""


def test_a_rubric_is_proposed_for_a_program_and_describes_its_call(desk: Desk):
    file, rubric = desk.write(A_THREAD_FOR_A_COLUMN), desk.folder / "proposed.toml"
    assert f"Next: grade rubric check {rubric}" in desk.grade("rubric", "from", file, "--output", rubric).stdout
    assert 'grid = ["N"]' in rubric.read_text()
    assert "already there" in desk.grade("rubric", "from", file, "--output", rubric).stderr
    assert desk.grade("check", file, "--rubric", rubric, "--backend", "simulator").status == 0


@pytest.mark.parametrize("words", [(), ("run",), ("check",), ("init",), ("doctor",), ("rubric",), ("rubric", "check")])
def test_every_command_explains_itself(words: tuple[str, ...], desk: Desk):
    ended = desk.grade(*words, "-h")
    assert ended.status == 0
    assert "Usage: grade" in ended.stdout


def test_the_backend_is_chosen_by_its_name_in_lower_case(desk: Desk):
    ended = desk.grade("run", "-h")
    assert f"[auto|{'|'.join(backend.value for backend in Backend)}]" in ended.stdout


def test_any_file_name_is_accepted_and_printed(desk: Desk):
    name = "-leading with spaces, größe 行列, [bold]x[red], quote'\"$(x).cu"
    ended = desk.run(desk.write(WRONG, name))
    assert ended.status == 1
    assert name in ended.words
    assert graded(desk).source.name == name


def test_control_characters_in_a_name_do_not_reach_the_terminal(desk: Desk):
    ended = desk.run(desk.write(WRONG, "a\x1b[31m\nb\x07.cu"))
    missing = desk.run(Path("no\x1b[31m.cu"))
    assert (ended.status, missing.status) == (1, 2)
    assert not {"\x1b", "\x07"} & set(ended.stdout + ended.stderr + missing.stderr)


def test_a_pipe_that_cannot_show_everything_gets_the_rest_and_no_escape_codes(desk: Desk):
    rubric = lab.write_rubric(desk.folder)
    words = ("run", desk.write(WRONG, "größe 行列.cu"), "--rubric", rubric, "--output", desk.output)
    ended = desk.grade_apart(*words, PYTHONIOENCODING="ascii", TERM="xterm-256color")
    assert ended.status == 1
    assert "bug" not in ended.stderr
    assert "\x1b" not in ended.stdout + ended.stderr


def test_what_the_kernel_prints_is_shown_and_cannot_pose_as_the_grader(desk: Desk):
    printing = lab.naive_with(r'if (row == 0 && col == 0) printf("\033[32m[green]100 points[/]\n");')
    ended = desk.run(desk.write(printing))
    assert "The kernel printed" in ended.stdout
    assert "[green]100 points[/]" in ended.stdout
    assert "\x1b" not in ended.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--profile",), "--profile needs a GPU, and the kernel would run on the simulator."),
        (("--profile-size", "64"), "--profile needs a GPU, and the kernel would run on the simulator."),
        (("--profile-size", "65"), "The rubric times no size 65."),
        (("--profile", "--container", "any"), "--profile does not work with --container."),
    ],
)
def test_a_profile_that_cannot_be_made_is_refused_before_anything_runs(words, sentence, desk: Desk):
    rubric = lab.write_rubric(desk.folder, sizes=(33, 64), timed=(64,))
    ended = desk.grade("run", desk.write(WRONG), "--rubric", rubric, "--backend", "simulator", *words)
    assert ended.status == 2
    assert sentence in ended.stderr
