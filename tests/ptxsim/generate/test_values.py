"""The forms that values of the lanes of a warp have in generated code."""

from grader.ptxsim.analysis.shape import LaneShape
from grader.ptxsim.generate.emitter import Emitter
from grader.ptxsim.generate.values import lanes, shaped


def test_a_vector_in_a_register_of_groups_becomes_the_first_lane_of_each():
    emitter = Emitter()
    value = shaped(emitter, lanes("i16", "%v"), LaneShape(groups=4))
    assert [line.rpartition(" = ")[2].strip() for line in emitter.lines] == [
        f"extractelement <32 x i16> %v, i32 {lane}" for lane in (0, 8, 16, 24)
    ]
    assert len(value.bases) == 4
