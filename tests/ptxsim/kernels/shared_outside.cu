extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    __shared__ float tile[16];
    __shared__ volatile float *where;
    where = tile + (N > 3 ? 40 : 0);
    __syncthreads();
    where[threadIdx.x] = A[0];
    __syncthreads();
    if (row < N && col < N) C[row * N + col] = tile[0] * B[0];
}
