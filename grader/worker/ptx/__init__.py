"""A simulator that executes the PTX that nvcc makes, one warp of 32 lanes as the unit."""
