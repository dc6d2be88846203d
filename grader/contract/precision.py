"""How many bits types and factors keep."""

import numpy as np
from numpy.typing import NDArray

SIGNIFICAND = {"float16": 11, "float32": 24, "float64": 53, "bfloat16": 8}  # bits, IEEE 754
SIGNIFICAND |= {"int8": 7, "uint8": 8, "int32": 31}
MATH = {"full": 53, "tf32": 11, "bf16": 8}  # bits that a factor keeps; where a lab allows it, inputs have no more


def cut(values: NDArray[np.float32], bits: int) -> NDArray[np.float32]:
    """The values with no more than so many bits, the others being zero."""
    mask = -1 << max(0, SIGNIFICAND["float32"] - bits)
    return (values.view(np.uint32) & np.uint32(mask & 0xFFFFFFFF)).view(np.float32)
