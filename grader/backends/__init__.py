"""Where kernels run: an NVIDIA GPU, or the simulator. Imported by workers only."""
