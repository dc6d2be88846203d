"""A grader for CUDA matrix-multiplication labs: is it right, how fast is it, how many points is that, and why."""

__version__ = "0.1.0"
