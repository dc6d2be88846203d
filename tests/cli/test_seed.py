from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.cli.grading import chosen_seed


def test_a_seed_that_is_not_given_has_128_random_bits() -> None:
    seeds = [chosen_seed(None) for _ in range(64)]
    assert all(any(seed >> bit & 1 for seed in seeds) for bit in range(128))
    assert not any(seed >> 128 for seed in seeds)


def test_a_seed_that_is_given_is_used() -> None:
    assert chosen_seed(7) == 7


@pytest.mark.parametrize("seed", ["-1", str(2**128)])
def test_a_seed_out_of_range_is_wrong_usage(seed: str, tmp_path: Path) -> None:
    (kernel := tmp_path / "kernel.cu").write_text("int x;")
    shown = CliRunner().invoke(main, ["run", str(kernel), "--seed", seed])
    assert (shown.exit_code, "from 0 to 2^128 - 1" in shown.output) == (2, True)
