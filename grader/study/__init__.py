"""`grade sweep`: many kernels at many sizes, measured like a grade, with the tables and figures of a write-up."""
