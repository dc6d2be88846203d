// Stands for a header whose functions for kernels NVRTC knows by itself.
