"""How many bits types and factors keep."""

SIGNIFICAND = {"float16": 11, "float32": 24, "float64": 53, "int32": 31}  # bits, IEEE 754
MATH = {"full": 53, "tf32": 11, "bf16": 8}  # bits that a factor keeps; where a lab allows it, inputs have no more
