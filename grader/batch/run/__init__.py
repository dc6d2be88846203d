"""Grading many submissions: the tasks of each student, their assignment to workers, and retries after failures."""
