"""A whole class: intake of what was handed in, grading, the folder of results, and pages. One grade is `pipeline`'s."""
