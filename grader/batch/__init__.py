"""A whole class: intake of submissions, grading, the results folder, and pages. `pipeline` grades one submission."""
