"""The speed of a kernel: rounds of timing, confidence intervals, and the baselines of the comparison."""
