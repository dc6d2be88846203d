"""What `grade sweep` measures, and how: kernels, sizes, defines, the journal of finished points."""
