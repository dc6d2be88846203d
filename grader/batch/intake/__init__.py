"""Intake: from the sources of a class to one submission for each student. Nothing is graded or written here."""
