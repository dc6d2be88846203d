"""Prepare and launch kernels: native code, memory, distribution of blocks over CPUs, faults as records."""
