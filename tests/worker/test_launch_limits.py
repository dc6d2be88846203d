"""Launches that a GPU does not allow."""

from __future__ import annotations

import pytest

from grader.model import Launch
from grader.worker.launch_limits import launch_fault, most_shared


@pytest.mark.parametrize(("architecture", "most"), [("sm_60", 48), ("sm_70", 96), ("sm_75", 64), ("sm_90", 227)])
def test_each_architecture_has_its_own_limit_of_shared_memory(architecture: str, most: int):
    def fault(size: int):
        return launch_fault(Launch((16, 16, 1), (16, 16), size), (1, 1, 1), None, most_shared(architecture))

    assert fault(most << 10) is None
    assert str(most << 10) in fault((most << 10) + 4).sentence
