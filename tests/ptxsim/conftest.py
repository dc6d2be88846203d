"""What all tests of the simulator share."""

import pytest

from tests.ptxsim import object_code


@pytest.fixture(scope="package", autouse=True)
def kept_object_code():
    with object_code.kept():
        yield
