"""How fast a kernel is: rounds, intervals, and the kernels it is compared with."""
