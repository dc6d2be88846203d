"""From what an instructor has to one file for each student. Nothing is graded or written here."""
