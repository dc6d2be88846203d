"""Launches that a GPU does not allow."""

import pytest

from grader.model import Launch
from grader.model.launches import SharedTooLarge
from grader.worker.launch_limits import most_shared, refusal


@pytest.mark.parametrize(
    ("architecture", "most"), [("sm_60", 48), ("sm_70", 96), ("sm_75", 64), ("sm_90a", 227), ("sm_120a", 99)]
)
def test_each_architecture_has_its_own_limit_of_shared_memory(architecture: str, most: int):
    def refused(size: int):
        return refusal(Launch((16, 16, 1), (16, 16), size), (1, 1, 1), None, most_shared(architecture))

    assert refused(most << 10) is None
    assert refused((most << 10) + 4) == SharedTooLarge(0, (most << 10) + 4, most << 10)
