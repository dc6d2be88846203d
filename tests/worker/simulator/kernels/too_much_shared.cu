extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    __shared__ float tile[128][128];
    tile[threadIdx.y][threadIdx.x] = A[0];
    __syncthreads();
    if (row < N && col < N) C[row * N + col] = tile[threadIdx.x][threadIdx.y] * B[0];
}
