"""The machine: its GPU, compilers, processes, CPUs, files and caches. Nothing here knows what a grade is."""
