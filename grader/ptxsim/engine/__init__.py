"""Kernels made ready and launched: native code, memory, blocks over CPUs, faults. No wording for students."""
