extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float4 b = *reinterpret_cast<const float4 *>(&B[N * row + col]);
    if (row < N && col < N) C[row * N + col] = A[0] * (b.x + b.y + b.z + b.w);
}
