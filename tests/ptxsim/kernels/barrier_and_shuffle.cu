extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float value = A[0];
    if (threadIdx.x == 3) __syncthreads();
    else value += __shfl_down_sync(0xffffffffu, value, 1);
    if (row < N && col < N) C[row * N + col] = value * B[0];
}
