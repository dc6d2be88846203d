// The kernel has another name than the lab's, and a line of it does not compile.
extern "C" __global__ void multiply(const float *A, const float *B, float *C, int N) {
    C[blockIdx.x * N] = A[0] + undeclared[0];
}
