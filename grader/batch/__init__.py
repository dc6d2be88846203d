"""A whole class: what was handed in, what became of it, and the tables and pages of it."""
