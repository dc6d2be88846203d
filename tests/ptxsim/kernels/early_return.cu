extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    __shared__ float tile[16][16];
    if (row >= N || col >= N) return;
    tile[threadIdx.y][threadIdx.x] = A[row * N + col];
    __syncthreads();
    C[row * N + col] = tile[0][0] + B[0];
}
