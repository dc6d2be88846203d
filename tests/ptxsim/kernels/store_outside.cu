extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    C[(row + 1) * N * 4 + col] = A[0] * B[0];
}
