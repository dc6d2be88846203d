"""The simulator: compiles a kernel for this machine's processor and runs it with CUDA's semantics. It times nothing."""
