"""A class: intake of submissions, grading, the results folder, and pages. `pipeline` grades a single submission."""
