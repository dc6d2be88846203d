__device__ __noinline__ float down(const float *A, int n) {
    volatile float keep[64];
    keep[n & 63] = A[0];
    return down(A, n + 1) + keep[n & 63];
}

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) { C[0] = down(A, N) + B[0]; }
