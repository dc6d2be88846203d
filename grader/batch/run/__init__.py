"""Grading many submissions: what is left to do, on which workers, and what to do when one fails."""
