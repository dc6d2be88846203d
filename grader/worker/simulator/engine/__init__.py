"""Kernels made ready and launched: native code, memory, blocks over processors, faults. No wording for students."""
