extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < N && col < N) C[row * N + col] = A[row * N + col] * B[-100000];
}
