"""The simulator as a backend: what connects `ptxsim` to the grader."""
