"""The largest files that a worker may write and a judge expects, in bytes."""

LARGEST_FILE = 9 << 30  # a matrix of 32768 x 32768 doubles and its guards
LARGEST_COMPILED = 256 << 20
