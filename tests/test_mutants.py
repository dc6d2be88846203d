"""Mutants of the reference kernels are found. `tests/benchmarks/mutants.py` grades many more of them."""

from collections import Counter
from pathlib import Path

import pytest

from tests.benchmarks.mutants import NOT_COMPILED, SAME, SURVIVES, outcome
from tests.mutants import REFERENCE, RULES, mutants, sample

FOUND_AT_LEAST = 0.75  # of those that compile to other code: a few are equivalent
SMALL = {REFERENCE / "tiled_16.cu", REFERENCE / "rectangular" / "tiled.cu"}


def test_there_are_many_mutants_of_every_rule():
    rules = Counter(mutant.rule for mutant in mutants())
    assert rules.keys() == RULES.keys()
    assert rules.total() >= 1000


def test_a_mutant_differs_from_its_kernel_in_one_place():
    for mutant in mutants():
        code = mutant.file.read_text(encoding="utf-8")
        before = code.splitlines()[mutant.line - 1 :]
        assert mutant.before.strip() in "\n".join(before)
        assert len(mutant.code) - len(code) == len(mutant.after) - len(mutant.before)


def test_comments_and_launches_are_not_mutated():
    changed = [_changed_line(mutant.file, mutant.code) for mutant in mutants()]
    assert not [line for line in changed if line.lstrip().startswith(("//", "LAUNCH", "#include", "#pragma"))]


def _changed_line(file: Path, code: str) -> str:
    lines = zip(file.read_text(encoding="utf-8").splitlines(), code.splitlines(), strict=True)
    return next(before for before, after in lines if before != after)


def test_a_sample_is_the_same_for_the_same_seed():
    assert sample(mutants(), 2) == sample(mutants(), 2)
    assert sample(mutants(), 2) != sample(mutants(), 2, seed=2)


@pytest.mark.usefixtures("simulator")
def test_most_mutants_of_a_sample_are_detected():
    few = sample([mutant for mutant in mutants() if mutant.file in SMALL], 1)[::4][:6]
    outcomes = Counter(outcome(mutant) for mutant in few)
    compiled = outcomes.total() - outcomes[NOT_COMPILED] - outcomes[SAME]
    assert compiled - outcomes[SURVIVES] >= FOUND_AT_LEAST * compiled, outcomes
