"""The simulator as a backend: what connects `ptxsim` to the grader, and counters of its launches."""
