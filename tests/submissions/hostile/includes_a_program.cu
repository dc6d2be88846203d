// expect: compile-error; says: not a header
// Includes a program of the system, whose bytes the compiler quotes in its messages.
#error first
#include "/bin/sh"

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {}
