extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    for (int i = 0; i < 1000; ++i) printf("a line of some length that nobody reads: %d %d %d\n", row, col, i);
    C[0] = A[0] * B[0] * N;
}
