"""From a submission to PTX and a cubin: finds NVIDIA's compilers, runs them confined, words their errors."""
