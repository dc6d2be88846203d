extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (threadIdx.x == 3) {
        while (N > 0) __nanosleep(100);
    }
    __syncthreads();
    if (row < N && col < N) C[row * N + col] = A[0] * B[0];
}
