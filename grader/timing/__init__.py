"""How fast a kernel is: rounds, intervals, the kernels it is compared with, and one grade at a time on a GPU."""
