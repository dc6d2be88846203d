from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.contract.inputs import blocks, draw
from grader.contract.layout import BAND, operands, store_guarded
from grader.contract.messages import Checked
from grader.explain.launch_outputs import BEFORE_START, PAST_END
from grader.explain.wrong_elements.trial import Trial
from grader.judge.launch_verdicts import LaunchOutput, judge, names_others
from grader.model import Backend, Case, CaseResult, Interface, Launch, PtxFacts, Shape, Verdict
from grader.model.findings import OutOfBounds, Room, Space, Thread
from grader.ptxsim.records.fields import LocalArray
from grader.ptxsim.records.races import Memory, Race, Races, Scope, TracedAccess
from tests.benchmarks.accuracy import WAYS

FLOAT32 = Interface("matmul", ("A", "B", "C", "M", "N", "K"))
PITCHED = replace(FLOAT32, layout="column", padding=3)
SHAPE = Shape(21, 13, 17)
PROGRAM = b".shared .b8 _ZZ6matmulE4tile[64];\n"
BY = Thread((0, 0, 0), (0, 0, 0), 7)
ACCESS = TracedAccess(7, False, False, False, (0, 0, 0), (0, 0, 0))


def trial(backend: Backend = Backend.CUDA, interface: Interface = FLOAT32, **case: Any) -> Trial:
    return Trial(Case(SHAPE, "first", 1, **case), interface, Launch((4, 4, 1), (4, 4)), backend)


def left_by(of: Trial, number: int = 0, *, computes: int = 0) -> LaunchOutput:
    """The matrices after a correct launch, or after one that computes the product of launch `computes`."""
    inputs, memory = draw(of.case, of.interface, number), operands(of.interface, of.case.shape)
    other = draw(of.case, of.interface, computes or number)
    C = np.float32(of.interface.alpha) * (other.A.astype(float) @ other.B.astype(float)).astype(np.float32)
    return LaunchOutput(
        *(
            store_guarded(matrix, memory[name], of.interface)
            for name, matrix in zip("ABC", (inputs.A, inputs.B, C), strict=True)
        )
    )


def judged(of: Trial, *outputs: LaunchOutput) -> CaseResult:
    return judge(of, outputs or (left_by(of),), 1.5, "printed").result


@pytest.mark.parametrize("backend", Backend)
@pytest.mark.parametrize("interface", [FLOAT32, PITCHED], ids=["rows", "pitched columns"])
@pytest.mark.parametrize("run", ["first", "second"])
def test_a_correct_answer_is_ok(backend: Backend, interface: Interface, run: str) -> None:
    of = trial(backend, interface)
    of = replace(of, case=replace(of.case, run=run))
    result = judged(of)
    assert (result.verdict, result.seconds, result.printed) == (Verdict.OK, 1.5, "printed")
    assert (result.accuracy is not None) == (run == "second")
    beside = judge(of, [left := left_by(of)], 1.5, "", left.C).result.accuracy
    assert beside is None or beside.kernel == beside.library


@pytest.mark.parametrize("run", ["first", "second"])
@pytest.mark.parametrize("seed", range(3))
def test_results_that_alpha_rounds_do_not_show_shortened_factors(run: str, seed: int) -> None:
    interface = replace(FLOAT32, parameters=(*FLOAT32.parameters, "alpha"), alpha=1.1)
    of = Trial(Case(Shape(70, 20, 150), run, seed), interface, Launch((4, 4, 1), (4, 4)), Backend.CUDA)
    assert judged(of).verdict is Verdict.OK


@pytest.mark.parametrize(("launches", "run"), [(1, "second"), (4, "repeated")])
def test_factors_of_fewer_bits_are_found_in_a_launch_that_the_seed_draws(launches: int, run: str) -> None:
    of = trial(launches=launches)
    of = replace(of, case=replace(of.case, shape=Shape(128, 128, 257), run=run, seed=4))
    fitted = launches // 4
    left, drawn = [left_by(of, number) for number in range(launches)], draw(of.case, FLOAT32, fitted)
    assert judged(of, *left).verdict is Verdict.OK
    whole, short = (
        WAYS[way](drawn.A.astype(np.float32), drawn.B.astype(np.float32)) for way in ("plain", "20 bits of A")
    )
    short = np.where(drawn.real_sums, short, whole)
    left[fitted] = replace(left[fitted], C=store_guarded(short, operands(FLOAT32, of.case.shape)["C"], of.interface))
    assert "bits" in judged(of, *left).fault.sentence


def test_a_wrong_element_is_a_wrong_answer_with_its_place() -> None:
    of = trial()
    left = left_by(of)
    left.C[BAND : BAND + 4] = np.frombuffer(np.float32(1e6).tobytes(), np.uint8)
    result = judged(of, left)
    assert result.verdict is Verdict.WRONG_ANSWER
    assert (result.mismatch.first.row, result.mismatch.first.got) == (0, 1e6)


@pytest.mark.parametrize(
    ("offset", "where", "hint"),
    [
        (-1, "1 element before its start", BEFORE_START),
        (-4, "1 element before its start", BEFORE_START),
        (-5, "2 elements before its start", BEFORE_START),
        (21 * 13 * 4, "1 element past its end", PAST_END),
        (21 * 13 * 4 + 4 * 6, "7 elements past its end", PAST_END),
    ],
)
def test_a_write_outside_is_found_and_counted_from_one(offset: int, where: str, hint: str) -> None:
    of = trial()
    left = left_by(of)
    left.C[BAND + offset] = 0
    result = judged(of, left)
    assert result.verdict is Verdict.OUT_OF_BOUNDS
    assert result.fault.sentence == f"The kernel writes outside of C at {SHAPE}: {where}."
    assert result.fault.hint == hint


@pytest.mark.parametrize("name", ["A", "B"])
def test_a_changed_input_is_a_wrong_answer(name: str) -> None:
    of = trial()
    left = left_by(of)
    getattr(left, name)[BAND] ^= 1
    result = judged(of, left)
    assert result.verdict is Verdict.WRONG_ANSWER
    assert f"changes its input {name}" in result.fault.sentence


def test_a_write_between_the_columns_is_out_of_bounds() -> None:
    of = trial(interface=PITCHED)
    left = left_by(of)
    left.C[BAND + SHAPE.M * 4] = 0
    result = judged(of, left)
    assert result.verdict is Verdict.OUT_OF_BOUNDS
    assert "between the columns of C" in result.fault.sentence


def test_a_result_kept_from_the_first_launch_is_found_in_the_second() -> None:
    of = trial(launches=3)
    of = replace(of, case=replace(of.case, run="repeated"))
    first = left_by(of, 0)
    stale = replace(left_by(of, 1), C=first.C)
    result = judged(of, first, stale, left_by(of, 2))
    assert result.verdict is Verdict.WRONG_ANSWER
    assert "launch 2 of the same kernel" in result.fault.sentence


def test_a_launch_of_a_share_with_beta_may_leave_the_rest_as_it_was() -> None:
    of = trial(Backend.SIMULATOR, replace(FLOAT32, beta=1.0), shared_out=True)
    inputs, memory = draw(of.case, of.interface), operands(of.interface, SHAPE)
    C = (inputs.A.astype(float) @ inputs.B.astype(float) + inputs.C).astype(np.float32)
    grid = of.launch.grid(SHAPE)
    ran = blocks(of.case, grid)
    row, column = divmod(min(set(range(grid[0] * grid[1])) - set(ran.tolist())), grid[0])
    skipped = np.s_[4 * row : 4 * row + 4, 4 * column : 4 * column + 4]
    assert inputs.C is not None
    C[skipped] = inputs.C[skipped]
    matrices = zip("ABC", (inputs.A, inputs.B, C), strict=True)
    left = LaunchOutput(*(store_guarded(matrix, memory[name], of.interface) for name, matrix in matrices))
    whole = replace(of, case=replace(of.case, shared_out=False))
    assert judge(of, (left,), 0.0, "").result.verdict is Verdict.OK
    assert judge(whole, (left,), 0.0, "").result.verdict is Verdict.WRONG_ANSWER


@pytest.mark.parametrize(("name", "is_other"), [("tile", False), ("", False), ("your_grade_is_100", True)])
def test_a_shared_array_is_one_of_the_program(name: str, is_other: bool):
    outside = OutOfBounds(BY, True, Room(Space.SHARED, name, 64, 64), 0)
    race = Races((Race(Memory(name, True, 0, 4), ACCESS, ACCESS, Scope.BLOCK),))
    assert [names_others(Checked(found), PROGRAM) for found in (outside, race)] == [is_other, is_other]


def test_a_matrix_needs_no_name_in_the_program():
    assert not names_others(Checked(OutOfBounds(BY, True, Room(Space.MATRIX, "C", 64, 64), 0)), b"")


def test_the_reason_of_a_wrong_answer_is_checked_too():
    assert names_others(Checked(if_wrong=OutOfBounds(BY, True, Room(Space.SHARED, "others", 64, 64), 0)), PROGRAM)


def test_a_local_array_has_its_name_from_the_compiler():
    facts = PtxFacts(local_arrays=(LocalArray("__local_depot0", 0, 24, "sums"),))
    found = Checked(OutOfBounds(BY, False, Room(Space.LOCAL, "sums", 24, 24), 0))
    assert not names_others(found, PROGRAM, facts)
    assert names_others(found, PROGRAM, PtxFacts())
