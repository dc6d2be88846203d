"""Products on the CPU: as NumPy's, however the rows of A are divided."""

import numpy as np
import pytest

from grader.comparison.expectation import PANEL, product
from grader.host import cpu_affinity


@pytest.mark.parametrize("rows", [1, PANEL, 2 * PANEL - 1, 2 * PANEL, 3 * PANEL + 17])
def test_a_product_does_not_depend_on_the_number_of_cpus(rows: int, monkeypatch: pytest.MonkeyPatch):
    rng = np.random.default_rng(rows)
    a, b = (rng.integers(-99, 99, size).astype(np.float64) for size in ((rows, 65), (65, 33)))
    for cpus in (1, 2, 3, 64):
        monkeypatch.setattr(cpu_affinity, "allowed", lambda cpus=cpus: frozenset(range(cpus)))
        assert (product(a, b) == a @ b).all()


def test_a_product_keeps_its_type():
    assert product(np.ones((2 * PANEL, 3), np.float32), np.ones((3, 5), np.float32)).dtype == np.float32
