extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int zero = static_cast<int>(A[0] - A[0]);
    C[0] = N / zero + B[0] + row + col;
}
