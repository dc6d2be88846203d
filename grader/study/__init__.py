"""The study of a write-up: kernels x sizes x defines, measured like a grade; tables, figures, a page."""
