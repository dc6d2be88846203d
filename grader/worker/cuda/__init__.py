"""The CUDA backend: compiles with nvcc, launches through PyCUDA, times on the device. Only it imports `pycuda`."""
