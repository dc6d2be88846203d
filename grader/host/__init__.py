"""The machine: its GPU, compilers, processes, processors, files and caches. Nothing here knows what a grade is."""
