extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float *p = reinterpret_cast<float *>(static_cast<size_t>(N >> 20)); // 0, which the compiler cannot know
    p[col] = A[0] * B[0] + row;
    C[0] = N;
}
